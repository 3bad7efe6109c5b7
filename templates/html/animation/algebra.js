// Vectors of three, quaternions (scalar first) and 4 x 4 matrices by columns, as plain arrays.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scale(a, 1 / (length(a) || 1));
const mix = (a, b, s) => a.map((x, k) => x + s * (b[k] - x));

/** A vector across another one. */
function across(a) {
  const other = Math.abs(a[0]) < 0.7 * length(a) ? [1, 0, 0] : [0, 1, 0];
  return unit(cross(a, other));
}

/** Columns of the rotation matrix of a quaternion that need not be of length one. */
function axesOf(q) {
  const s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] || 1);
  const [w, x, y, z] = q;
  return [
    [1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)],
    [s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)],
    [s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)],
  ];
}

const turned = (axes, a) =>
  [0, 1, 2].map((k) => axes[0][k] * a[0] + axes[1][k] * a[1] + axes[2][k] * a[2]);

/** Matrix with these columns and this origin. */
const placed = (x, y, z, o) => [...x, 0, ...y, 0, ...z, 0, ...o, 1];

function product(a, b) {
  const out = new Array(16);
  for (let j = 0; j < 4; j++)
    for (let i = 0; i < 4; i++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + i] * b[4 * j + k];
      out[4 * j + i] = sum;
    }
  return out;
}

/** Homogeneous coordinates of a point. */
const transform = (m, p) =>
  [0, 1, 2, 3].map((i) => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);

function perspective(slope, aspect, near, far) {
  const depth = near - far;
  return [
    1 / (slope * aspect), 0, 0, 0, 0, 1 / slope, 0, 0,
    0, 0, (near + far) / depth, -1, 0, 0, (2 * near * far) / depth, 0];
}

function parallel(halfHeight, aspect, near, far) {
  return [
    1 / (halfHeight * aspect), 0, 0, 0, 0, 1 / halfHeight, 0, 0,
    0, 0, -2 / (far - near), 0, 0, 0, -(far + near) / (far - near), 1];
}

/** Colour #rrggbb as three numbers up to 1. */
const rgb = (text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16) / 255);
