// Triangles of the few solids that everything is made of. A vertex has seven numbers: position,
// normal, and how far it stands off along the normal in wire radii (only coils do).

function meshOf(build) {
  const vertices = [], triangles = [];
  build({
    vertex: (p, n, off = 0) => vertices.push(...p, ...n, off) / 7 - 1,
    quad: (a, b, c, d) => triangles.push(a, b, c, a, c, d),
    triangle: (a, b, c) => triangles.push(a, b, c),
  });
  return { vertices: new Float32Array(vertices), triangles: new Uint16Array(triangles) };
}

const circle = (k, n) => [Math.cos((2 * Math.PI * k) / n), Math.sin((2 * Math.PI * k) / n)];

/** A grid of quads over u in rows and v in columns. */
function sheet(out, rows, columns, at) {
  const index = [];
  for (let i = 0; i <= rows; i++)
    for (let j = 0; j <= columns; j++) index.push(out.vertex(...at(i, j)));
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const k = i * (columns + 1) + j;
      out.quad(index[k], index[k + 1], index[k + columns + 2], index[k + columns + 1]);
    }
}

function cap(out, n, z, up) {
  const middle = out.vertex([0, 0, z], [0, 0, up]), rim = [];
  for (let k = 0; k <= n; k++) rim.push(out.vertex([...circle(k, n), z], [0, 0, up]));
  for (let k = 0; k < n; k++) out.triangle(middle, rim[k], rim[k + 1]);
}

const ball = (rows, columns) => meshOf((out) => sheet(out, rows, columns, (i, j) => {
  const [c, s] = circle(i, 2 * rows), [x, y] = circle(j, columns), p = [s * x, s * y, c];
  return [p, p];
}));

const MESHES = {
  sphere: ball(14, 24),
  pebble: ball(6, 10),
  box: meshOf((out) => {
    for (let k = 0; k < 3; k++)
      for (const side of [-1, 1]) {
        const corner = (a, b) => {
          const p = [0, 0, 0], n = [0, 0, 0];
          p[k] = n[k] = side;
          p[(k + 1) % 3] = a;
          p[(k + 2) % 3] = b;
          return out.vertex(scale(p, 0.5), n);
        };
        out.quad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1));
      }
  }),
  // From z = 0 to 1, radius 1.
  cylinder: meshOf((out) => {
    sheet(out, 1, 32, (i, j) => [[...circle(j, 32), i], [...circle(j, 32), 0]]);
    cap(out, 32, 0, -1);
    cap(out, 32, 1, 1);
  }),
  bar: meshOf((out) => sheet(out, 1, 14, (i, j) => [[...circle(j, 14), i], [...circle(j, 14), 0]])),
  cone: meshOf((out) => {
    sheet(out, 1, 20, (i, j) => {
      const [x, y] = circle(j, 20);
      return [[x * (1 - i), y * (1 - i), i], unit([x, y, 0.5])];
    });
    cap(out, 20, 0, -1);
  }),
  // Nine turns between straight ends, from z = 0 to 1.
  coil: meshOf((out) => {
    const turns = 9, steps = 18 * turns, end = 0.12;
    const centre = (i) => {
      const s = Math.min(1, Math.max(0, (i - 2) / (steps - 4)));
      const grow = Math.min(1, 12 * s, 12 * (1 - s));
      const [x, y] = circle(s * turns, 1);
      const z = i < 1 ? 0 : i >= steps ? 1 : end + (1 - 2 * end) * s;
      return [grow * x, grow * y, z];
    };
    sheet(out, steps, 7, (i, j) => {
      const along = unit(subtract(centre(Math.min(steps, i + 1)), centre(Math.max(0, i - 1))));
      const side = unit([...circle((i * turns) / steps, 1), 0]);
      const first = unit(subtract(side, scale(along, dot(side, along))));
      const second = cross(along, first), [c, s] = circle(j, 7);
      return [centre(i), add(scale(first, c), scale(second, s)), 1];
    });
  }),
};
