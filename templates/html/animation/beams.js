// Beams: a cubic through the nodes of a frame, swept by the section, coloured by strain.

/** Points around a section, in halves of its sizes, with normals, and which of them make sides. */
function rimOf(round) {
  const points = [], sides = [];
  if (round)
    for (let k = 0; k < 12; k++) {
      points.push([circle(k, 12), circle(k, 12)]);
      sides.push([k, (k + 1) % 12]);
    }
  else
    for (const [p, q, n] of [[[1, -1], [1, 1], [1, 0]], [[1, 1], [-1, 1], [0, 1]],
      [[-1, 1], [-1, -1], [-1, 0]], [[-1, -1], [1, -1], [0, -1]]]) {
      sides.push([points.length, points.length + 1]);
      points.push([p, n], [q, n]);
    }
  return { points, sides };
}

class Beam {
  constructor(beam, scene) {
    const { t, turn, wire } = scene;
    Object.assign(this, beam, { scene });
    this.paint = rgb(beam.colour);
    this.nodes = decoded(beam.nodes);
    this.axes = beam.axes ? decoded(beam.axes) : null;
    this.shades = Uint8Array.from(atob(beam.strain), (c) => c.charCodeAt(0));
    for (const values of [this.nodes, this.axes])
      for (let k = 0; values && k < values.length; k += 3)
        values.set(turned(turn, values.subarray(k, k + 3)), k);
    this.size = this.nodes.length / t.length; // numbers of a frame
    this.half = beam.size.map((s) => Math.max(s / 2, 0.3 * wire));
    this.rim = rimOf(beam.round);
    this.normal = turned(turn, [0, 0, 1]);
    const elements = beam.lengths.length, ring = this.rim.points.length;
    this.rings = elements * (beam.steps + 1);
    this.vertices = new Float32Array(9 * ring * (this.rings + 2));
    this.surface = scene.renderer.surface(this.triangles(elements, ring));
  }

  /** Sides between the rings of every element, and a cap at both ends. */
  triangles(elements, ring) {
    const found = [];
    for (let e = 0; e < elements; e++)
      for (let k = 0; k < this.steps; k++)
        for (const [i, j] of this.rim.sides) {
          const a = ring * (e * (this.steps + 1) + k), b = a + ring;
          found.push(a + i, a + j, b + j, a + i, b + j, b + i);
        }
    for (const first of [ring * this.rings, ring * (this.rings + 1)])
      for (let k = 1; k + 1 < ring; k++) found.push(first, first + k, first + k + 1);
    return new Uint32Array(found);
  }

  /** A vector of three numbers of a frame, or between it and the next. */
  vector(values, size, place, { frame, part }) {
    const a = frame * size + place, last = values.length - size;
    const b = Math.min(a + size, last + place);
    return [0, 1, 2].map((k) => values[a + k] + part * (values[b + k] - values[a + k]));
  }

  node(k, now) {
    return this.vector(this.nodes, this.size, 6 * k, now);
  }

  slope(k, now) {
    return this.vector(this.nodes, this.size, 6 * k + 3, now);
  }

  middle(now) {
    return this.node(this.knots[this.knots.length >> 1][0], now);
  }

  /** Part of the largest strain at a place: numbers are at nodes and in the middles. */
  shade(element, xi, { frame, part }) {
    const count = 2 * this.lengths.length + 1, last = this.scene.t.length - 1;
    const at = Math.min(2 * element + 2 * xi, count - 1), k = Math.min(Math.floor(at), count - 2);
    const value = (f) => {
      const row = count * Math.min(f, last) + k, [a, b] = [this.shades[row], this.shades[row + 1]];
      return a + (at - k) * (b - a);
    };
    return (value(frame) + part * (value(frame + 1) - value(frame))) / 255;
  }

  /** Colour of such a part, or of the beam where strains are not shown. */
  tint(share) {
    const { stops, layers } = this.scene;
    if (!layers.strain || !this.strained) return this.paint;
    const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
    const k = Math.min(Math.floor(place), stops.length - 2);
    return mix(stops[k], stops[k + 1], place - k);
  }

  /** Put the surface where it is now. */
  move(now) {
    let at = 0, first = null, last = null;
    this.knots.forEach(([a, b], element) => {
      const l = this.lengths[element], [r1, r2] = [this.node(a, now), this.node(b, now)];
      const [s1, s2] = [scale(this.slope(a, now), l), scale(this.slope(b, now), l)];
      const axis = (k) => this.vector(this.axes, this.size / 2, 3 * k, now);
      const [y1, y2] = this.axes ? [axis(a), axis(b)] : [null, null];
      for (let k = 0; k <= this.steps; k++) {
        const x = k / this.steps, x2 = x * x, x3 = x2 * x;
        const w = [1 - 3 * x2 + 2 * x3, x - 2 * x2 + x3, 3 * x2 - 2 * x3, x3 - x2];
        const d = [6 * (x2 - x), 1 - 4 * x + 3 * x2, 6 * (x - x2), 3 * x2 - 2 * x];
        const sum = (c) => [0, 1, 2].map((i) =>
          c[0] * r1[i] + c[1] * s1[i] + c[2] * r2[i] + c[3] * s2[i]);
        const along = unit(sum(d));
        const y = unit(y1 ? mix(y1, y2, x) : cross(this.normal, along));
        last = { middle: sum(w), y, z: unit(cross(along, y)), along,
          colour: this.tint(this.shade(element, x, now)) };
        first ??= last;
        at = this.ring(at, last);
      }
    });
    at = this.ring(at, first, scale(first.along, -1));
    this.ring(at, last, last.along);
    return this;
  }

  /** Write a ring; a cap has one normal. */
  ring(at, { middle, y, z, colour }, normal = null) {
    const [h, w] = this.half, out = this.vertices;
    for (const [p, n] of this.rim.points) {
      const a = p[0] * h, b = p[1] * w, c = n[0] / h, d = n[1] / w;
      for (let k = 0; k < 3; k++) {
        out[at + k] = middle[k] + a * y[k] + b * z[k];
        out[at + 3 + k] = normal ? normal[k] : c * y[k] + d * z[k];
        out[at + 6 + k] = colour[k];
      }
      at += 9;
    }
    return at;
  }
}
