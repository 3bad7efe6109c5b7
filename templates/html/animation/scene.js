// The mechanism at an instant: solids, lines and arrows from the figures and the poses of bodies.

const METAL = [0.58, 0.6, 0.64], VELOCITY = [0.1, 0.65, 0.55], FORCE = [0.9, 0.3, 0.2];
const PLAIN = 0, BALL = 1, WHEEL = 2, CENTRE = 3; // patterns of the renderer

function decoded(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/** Quaternion that turns the direction up into z, without turning x if that is possible. */
function upright(up) {
  const z = unit(up);
  if (z[2] < -1 + 1e-9) return [0, 1, 0, 0];
  const q = [1 + z[2], z[1], -z[0], 0];
  return scale4(q, 1 / Math.hypot(...q));
}

const scale4 = (q, s) => q.map((x) => x * s);
const times = (a, b) => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];

class Scene {
  constructor(data, renderer) {
    Object.assign(this, { data, renderer, hidden: new Set() });
    this.layers = { points: true, centres: true, axes: true, names: false, velocities: false,
      forces: data.forces.length > 0, trails: true, ground: true, strain: data.strain > 0 };
    this.base = upright(data.up);
    this.turn = axesOf(this.base);
    this.names = data.bodies.map((body) => body.name);
    this.colours = data.bodies.map((body) => rgb(body.colour));
    this.wire = 0.011 * data.size;
    this.t = decoded(data.t);
    this.poses = decoded(data.poses); // seven numbers: place and quaternion
    this.speeds = data.velocities ? decoded(data.velocities) : null;
    this.forces = data.forces.map((force) => ({ ...force, values: decoded(force.values) }));
    this.uprightPoses();
    this.stops = data.strainColours.map(rgb);
    this.beams = data.beams.map((beam) => new Beam(beam, this));
    this.parts = [];
    this.links = [];
    this.sheets = [];
    this.lines = [];
    this.trails = [];
    this.floor = null;
    for (const [kind, name, bodies, colour, numbers] of data.figures)
      this[kind]?.(bodies, colour, numbers, name);
    this.still = this.pose(this.t[0]);
    this.low = this.floor ?? Math.min(...data.corners.map((c) => turned(this.turn, c)[2]));
  }

  /** Turn everything at once, so that z is upwards from here on. */
  uprightPoses() {
    for (let k = 0; k < this.poses.length; k += 7) {
      const r = turned(this.turn, this.poses.subarray(k, k + 3));
      this.poses.set([...r, ...times(this.base, this.poses.subarray(k + 3, k + 7))], k);
    }
    for (const values of [this.speeds, ...this.forces.map((f) => f.values)])
      for (let k = 0; values && k < values.length; k += 3)
        values.set(turned(this.turn, values.subarray(k, k + 3)), k);
  }

  // --- figures: each kind is a method, told its bodies, colour and numbers ---

  body([name], _, numbers) {
    const places = triples(numbers), colour = this.colourOf(name);
    if (name === "ground") {
      const w = 2.4 * this.wire, sides = [[w, 0, 0], [0, w, 0], [0, 0, w]];
      for (const p of places) this.part("points", "box", name, placed(...sides, p), METAL);
      return;
    }
    for (const p of places) this.bar("points", name, [0, 0, 0], p, this.wire, colour);
    const own = this.data.figures.some(([kind, , bodies]) =>
      ["sphere", "box", "cylinder", "disc", "line", "plane"].includes(kind) && bodies[0] === name);
    if (!places.some((p) => length(p) > 0.2 * this.wire) && !own)
      this.ball("points", name, [0, 0, 0], 3 * this.wire, colour, BALL);
    const inside = this.data.figures.some(([kind, , bodies, , own]) =>
      kind === "sphere" && bodies[0] === name && length(own) < own[3]);
    if (!inside) this.ball("centres", name, [0, 0, 0], (own ? 1.2 : 1.9) * this.wire, colour, CENTRE);
  }

  sphere([body], colour, numbers) {
    this.ball("", body, numbers, numbers[3], this.colourOf(body, colour), BALL);
  }

  box([body], colour, numbers) {
    const [x, y, z] = [3, 6, 9].map((k, j) => scale(numbers.slice(k, k + 3), numbers[12 + j]));
    this.part("", "box", body, placed(x, y, z, numbers), this.colourOf(body, colour));
  }

  cylinder([body], colour, numbers) {
    const [a, b] = triples(numbers);
    this.bar("", body, a, b, numbers[6], this.colourOf(body, colour), "cylinder");
  }

  disc([body], colour, numbers) {
    const [o, x, y, z] = triples(numbers), [radius, width] = numbers.slice(12);
    const wide = width || 0.06 * radius, start = subtract(o, scale(z, wide / 2));
    const place = placed(scale(x, radius), scale(y, radius), scale(z, wide), start);
    this.part("", "cylinder", body, place, this.colourOf(body, colour), WHEEL);
  }

  line([body], colour, numbers) {
    this.lines.push({ body, places: triples(numbers), colour: this.colourOf(body, colour) });
  }

  plane([body], colour, numbers) {
    const [o, x, y, z] = triples(numbers), sizes = numbers.slice(12);
    const normal = turned(this.turn, z);
    if (body === "ground" && !sizes[0] && normal[2] > 1 - 1e-6) {
      this.floor = turned(this.turn, o)[2];
      return;
    }
    // A plane without a size is where the motion is.
    const middle = subtract(this.data.middle, scale(z, dot(subtract(this.data.middle, o), z)));
    const wide = (e) => dot(e.map(Math.abs), this.data.span) / 2 + 0.05 * this.data.size;
    const half = sizes.map((s, k) => s / 2 || wide([x, y][k]));
    const at = sizes[0] || body !== "ground" ? o : middle;
    const place = placed(scale(x, half[0]), scale(y, half[1]), z, at);
    this.sheets.push({ body, place, cells: half.map((h) => Math.max(1, 4 * h / this.data.size)),
      colour: this.colourOf(body, colour) });
  }

  axis([body], _, numbers) {
    const [o, z] = triples(numbers), colour = METAL;
    const end = (s) => add(o, scale(z, s));
    this.bar("points", body, end(-1.9 * this.wire), end(1.9 * this.wire), 1.5 * this.wire, colour,
      "cylinder");
    this.bar("axes", body, end(-9 * this.wire), end(9 * this.wire), 0.3 * this.wire, colour);
  }

  joint([body], _, numbers) {
    this.ball("points", body, numbers, 1.6 * this.wire, METAL, PLAIN);
  }

  coil(bodies, colour, numbers) {
    this.links.push({ mesh: "coil", bodies, ends: triples(numbers), colour: rgb(colour || "#8f97a3") });
  }

  rod(bodies, colour, numbers) {
    this.links.push({ mesh: "bar", bodies, ends: triples(numbers), colour: METAL });
  }

  /** An output that is a point leaves a trail. */
  point([body], _, numbers) {
    if (body === "ground" || this.t.length < 2) return;
    const places = [];
    for (let k = 0; k < this.t.length; k++) places.push(...this.place(body, numbers, this.bodiesAt(k)));
    this.trails.push({ body, line: this.renderer.polyline(places), colour: this.colourOf(body) });
  }

  // --- pieces of figures ---

  colourOf(body, own = "") {
    return own ? rgb(own) : this.colours[this.names.indexOf(body)] ?? METAL;
  }

  part(layer, mesh, body, place, colour, pattern = PLAIN) {
    this.parts.push({ layer, mesh, body: this.names.indexOf(body), name: body, place,
      paint: [...colour, pattern] });
  }

  ball(layer, body, at, radius, colour, pattern) {
    const place = placed([radius, 0, 0], [0, radius, 0], [0, 0, radius], at.slice(0, 3));
    this.part(layer, "sphere", body, place, colour, pattern);
  }

  bar(layer, body, a, b, radius, colour, mesh = "bar") {
    if (length(subtract(b, a)) < 1e-9 * this.data.size) return;
    this.part(layer, mesh, body, alongMatrix(a, b, radius), colour);
    if (mesh === "bar" && layer === "points") this.ball(layer, body, b, radius, colour, PLAIN);
  }

  // --- the motion ---

  /** Places of all bodies at a frame, or between it and the next; the ground is behind them. */
  bodiesAt(frame, part = 0) {
    const n = this.names.length, next = Math.min(frame + 1, this.t.length - 1), found = [];
    for (let k = 0; k < n; k++) {
      const a = this.poses.subarray(7 * (frame * n + k), 7 * (frame * n + k) + 7);
      const b = this.poses.subarray(7 * (next * n + k), 7 * (next * n + k) + 7);
      const m = part ? Array.from(a, (x, j) => x + part * (b[j] - x)) : a;
      found.push(placed(...axesOf(m.slice(3)), m.slice(0, 3)));
    }
    found.push(placed(...this.turn, [0, 0, 0]));
    return found;
  }

  place(body, point, bodies) {
    const k = this.names.indexOf(body);
    return transform(bodies[k < 0 ? this.names.length : k], point).slice(0, 3);
  }

  frameAt(time) {
    let low = 0, high = this.t.length - 1;
    const down = this.t[high] < this.t[0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (down ? this.t[middle] >= time : this.t[middle] <= time) low = middle;
      else high = middle;
    }
    const span = this.t[high] - this.t[low];
    const part = span ? Math.min(1, Math.max(0, (time - this.t[low]) / span)) : 0;
    return part === 1 ? [high, 0] : [low, part];
  }

  pose(time) {
    const [frame, part] = this.frameAt(time);
    return { frame, part, bodies: this.bodiesAt(frame, part) };
  }

  /** Where the moving bodies are in the middle, from where they were at the start. */
  travelled(now) {
    const [here, before] = [this.centres(now), this.centres(this.still)], sum = [0, 0, 0];
    for (let k = 0; k < here.length; k++)
      for (let j = 0; j < 3; j++) sum[j] += here[k][1][j] - before[k][1][j];
    return scale(sum, 1 / Math.max(1, here.length));
  }

  /** Names and middles of what moves by itself. */
  centres(now) {
    const found = this.beams.map((beam) => [beam.name, beam.middle(now)]);
    this.names.forEach((name, k) => {
      if (!this.data.bodies[k].of) found.push([name, now.bodies[k].slice(12, 15)]);
    });
    return found;
  }

  /** The surfaces of the beams that are shown. */
  surfaces(now) {
    return this.beams.filter((beam) => !this.hidden.has(beam.name)).map((beam) => beam.move(now));
  }

  /** Names and colours of what can be hidden. */
  get own() {
    const bodies = this.names.map((name, k) => [name, this.colours[k]]);
    return [...this.beams.map((beam) => [beam.name, beam.paint]),
      ...bodies.filter((_, k) => !this.data.bodies[k].of)];
  }

  /** Show or hide a body, or a beam with what stands on it. */
  show(name, on) {
    const standing = this.data.bodies.filter((body) => body.of === name).map((body) => body.name);
    for (const each of [name, ...standing]) this.hidden[on ? "delete" : "add"](each);
  }

  shown(layer, body) {
    return (!layer || this.layers[layer]) && !this.hidden.has(body);
  }

  /** All solids by mesh, and the arrows as solids that cast no shadow. */
  solids(now) {
    const solids = {}, arrows = {}, n = this.names.length;
    const many = this.parts.length > 600; // then nobody sees how round they are
    for (const { layer, mesh, body, name, place, paint } of this.parts)
      if (this.shown(layer, name))
        (solids[many && mesh === "sphere" ? "pebble" : mesh] ??= []).push(...product(now.bodies[body < 0 ? n : body], place), ...paint);
    for (const { mesh, bodies, ends, colour } of this.links) {
      if (bodies.every((body) => this.hidden.has(body))) continue;
      const [a, b] = ends.map((p, k) => this.place(bodies[k], p, now.bodies));
      const radius = mesh === "coil" ? 3.2 * this.wire : 0.5 * this.wire;
      (solids[mesh] ??= []).push(...alongMatrix(a, b, radius), ...colour, PLAIN);
    }
    if (this.layers.velocities && this.speeds) this.velocities(now, arrows);
    if (this.layers.forces) this.arrowsOfForces(now, arrows);
    return { solids, arrows };
  }

  velocities(now, out) {
    this.fastest ??= largest(this.speeds);
    this.names.forEach((name, k) => {
      const v = this.between(this.speeds, this.names.length, k, now);
      if (!this.hidden.has(name))
        this.arrow(out, now.bodies[k].slice(12, 15), v, this.fastest, VELOCITY);
    });
  }

  arrowsOfForces(now, out) {
    this.strongest ??= Math.max(0, ...this.forces.map((f) => largest(f.values)));
    for (const { body, place, values } of this.forces)
      this.arrow(out, this.place(body, place, now.bodies), this.between(values, 1, 0, now),
        this.strongest, FORCE);
  }

  between(values, n, k, { frame, part }) {
    const next = Math.min(frame + 1, this.t.length - 1);
    const at = (i) => [...values.subarray(3 * (i * n + k), 3 * (i * n + k) + 3)];
    return mix(at(frame), at(next), part);
  }

  arrow(out, from, vector, most, colour) {
    const v = scale(vector, most > 0 ? (0.3 * this.data.size) / most : 0), long = length(v);
    const head = 3.2 * this.wire, neck = add(from, scale(unit(v), Math.max(0, long - head)));
    if (long < 0.3 * this.wire) return;
    const paint = [...colour, PLAIN];
    (out.bar ??= []).push(...alongMatrix(from, neck, 0.5 * this.wire), ...paint);
    (out.cone ??= []).push(...alongMatrix(neck, add(from, v), 1.4 * this.wire), ...paint);
  }
}

const triples = (numbers) => {
  const found = [];
  for (let k = 0; k + 2 < numbers.length; k += 3) found.push(numbers.slice(k, k + 3));
  return found;
};

const largest = (values) => {
  let most = 0;
  for (let k = 0; k < values.length; k += 3)
    most = Math.max(most, Math.hypot(values[k], values[k + 1], values[k + 2]));
  return most;
};

/** Places a mesh that goes from z = 0 to 1 between two points. */
function alongMatrix(a, b, radius) {
  const d = subtract(b, a), x = across(d), y = cross(unit(d), x);
  return placed(scale(x, radius), scale(y, radius), d, a);
}
