// Where the scene is seen from. Coordinates here have z upwards; angles are those of MATLAB's view.

const SLOPE = Math.tan((17 * Math.PI) / 180); // half the angle of the picture's height

class Camera {
  /** corners: points that are to be seen, with a margin around them. */
  constructor(corners, azimuth, elevation, flat, margin) {
    Object.assign(this, { corners, flat, margin, home: [azimuth, elevation], followed: [0, 0, 0] });
    this.reset();
  }

  reset() {
    [this.azimuth, this.elevation] = this.home;
    this.zoom = 1;
    this.pan = [0, 0, 0];
  }

  /** Right, up and backward direction of the picture. */
  axes() {
    const a = (this.azimuth * Math.PI) / 180, e = (this.elevation * Math.PI) / 180;
    const back = [Math.sin(a) * Math.cos(e), -Math.cos(a) * Math.cos(e), Math.sin(e)];
    const right = [Math.cos(a), Math.sin(a), 0];
    return [right, cross(back, right), back];
  }

  /** Half the height of the picture where the target is, so that all corners are inside. */
  fitted(aspect) {
    const [right, up, back] = this.axes(), middle = this.middle();
    let half = 1e-9;
    for (const corner of this.corners) {
      const d = subtract(corner, middle);
      const depth = this.flat ? 0 : dot(d, back) * SLOPE;
      half = Math.max(half, Math.abs(dot(d, right)) / aspect + depth, Math.abs(dot(d, up)) + depth);
    }
    return 1.05 * half + this.margin;
  }

  middle() {
    const low = [0, 1, 2].map((k) => Math.min(...this.corners.map((c) => c[k])));
    const high = [0, 1, 2].map((k) => Math.max(...this.corners.map((c) => c[k])));
    return mix(low, high, 0.5);
  }

  /** The matrix to the screen, and where the eye is. */
  look(aspect) {
    const [right, up, back] = this.axes();
    const half = this.fitted(aspect) / this.zoom, distance = half / SLOPE;
    const target = add(add(this.middle(), this.pan), this.followed);
    const eye = add(target, scale(back, distance));
    const turn = [0, 1, 2].flatMap((k) => [right[k], up[k], back[k], 0]);
    const move = [-dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
    const reach = 60 * this.fitted(aspect);
    const seen = this.flat
      ? parallel(half, aspect, distance - reach, distance + reach)
      : perspective(SLOPE, aspect, 0.02 * distance, distance + reach);
    this.half = half;
    return { view: product(seen, [...turn, ...move]), eye };
  }

  orbit(right, down) {
    this.azimuth -= 0.4 * right;
    this.elevation = Math.min(90, Math.max(-90, this.elevation + 0.4 * down));
  }

  /** Move the scene by parts of the picture's half height. */
  shift(right, down) {
    const axes = this.axes();
    const by = add(scale(axes[0], -right * this.half), scale(axes[1], down * this.half));
    this.pan = add(this.pan, by);
  }

  magnify(factor) {
    this.zoom = Math.min(200, Math.max(0.05, this.zoom * factor));
  }
}
