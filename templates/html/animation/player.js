// The page: time runs, buttons and keys, the list of bodies, light and dark.

const data = JSON.parse(document.getElementById("data").textContent);
const the = (id) => document.getElementById(id);
const stage = the("stage"), view = the("view"), names = the("names");
const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const LAYERS = { points: "Skeleton", centres: "Centres of mass", axes: "Joint axes",
  strain: "Strain", velocities: "Velocities", forces: "Forces", trails: "Trails", names: "Names", ground: "Ground" };

const ICONS = { // strokes in a square of 20
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M10 8v4M8 10h4",
  picture: "M10 3v9M6 9l4 4 4-4M3 14v3h14v-3",
  theme: "M15.5 12.6A6.6 6.6 0 1 1 7.6 4.2a5.6 5.6 0 0 0 7.9 8.4z",
  whole: "M12 3h5v5M17 3l-6 6M8 17H3v-5M3 17l6-6",
  panel: "M3 5h14M3 10h14M3 15h14",
  start: "M5 4v12M15 4l-8 6 8 6z",
  play: "M6 3.5v13l10-6.5z",
  pause: "M7 4v12M13 4v12",
};
const FILLED = new Set(["start", "play", "theme"]);

function icon(button, name) {
  const kind = "http://www.w3.org/2000/svg", svg = document.createElementNS(kind, "svg");
  const path = document.createElementNS(kind, "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  if (FILLED.has(name)) svg.classList.add("filled");
  svg.append(path);
  button.replaceChildren(svg);
}

class Player {
  constructor(renderer) {
    this.renderer = renderer;
    this.scene = new Scene(data, renderer);
    const { t } = this.scene;
    [this.first, this.last] = [t[0], t[t.length - 1]];
    this.time = this.first;
    this.still = this.first === this.last;
    this.playing = !this.still && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.follow = data.travels;
    this.frames = 0;
    this.camera = new Camera(this.corners(), ...this.angles(), data.plane,
      0.1 * data.size);
    this.plots = this.still || !data.series.names.length ? null
      : new Plots(the("plots"), data.series, (time) => this.seek(time));
    this.page();
    this.keys();
    this.mouse();
    new ResizeObserver(() => this.resize()).observe(stage);
    new ResizeObserver(() => this.resize()).observe(the("plots"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    this.resize();
    requestAnimationFrame((now) => this.frame(now));
  }

  corners() {
    const corners = this.follow ? data.nearby : data.corners;
    return corners.map((p) => turned(this.scene.turn, p));
  }

  angles() {
    return [data.azimuth ?? (data.plane ? 0 : 35), data.elevation ?? (data.plane ? 90 : 20)];
  }

  // --- time ---

  seek(time) {
    const low = Math.min(this.first, this.last), high = Math.max(this.first, this.last);
    this.time = Math.min(high, Math.max(low, time));
    this.stale = true;
  }

  play(on = !this.playing) {
    this.playing = on && !this.still;
    if (this.playing && this.time === this.last) this.time = this.first;
    icon(the("play"), this.playing ? "pause" : "play");
    the("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  /** Go on by recorded frames. */
  step(frames) {
    this.play(false);
    const { t } = this.scene, [frame] = this.scene.frameAt(this.time);
    this.seek(t[Math.min(t.length - 1, Math.max(0, frame + frames))]);
  }

  get speed() {
    return Number(the("speed").value);
  }

  frame(now) {
    if (this.playing) {
      const by = (this.speed * Math.min(250, now - (this.before ?? now))) / 1000;
      const time = this.time + (this.last > this.first ? by : -by);
      const over = (this.last - time) * (this.last - this.first) < 0;
      if (over && !the("again").checked) this.play(false);
      this.seek(over && the("again").checked ? this.first : time);
    }
    this.before = now;
    if (this.stale) this.draw();
    requestAnimationFrame((next) => this.frame(next));
  }

  // --- pictures ---

  resize() {
    const ratio = Math.min(devicePixelRatio, 2), style = getComputedStyle(document.documentElement);
    view.width = Math.max(1, stage.clientWidth * ratio);
    view.height = Math.max(1, stage.clientHeight * ratio);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.style = { text: colour("text"), soft: colour("soft"), faint: colour("faint") };
    this.paper = rgb(colour("paper"));
    this.ink = rgb(colour("text"));
    this.plots?.prepare(this.style);
    this.stale = true;
  }

  draw() {
    this.stale = false;
    const { renderer, scene, camera, ink } = this, aspect = view.width / view.height;
    const now = scene.pose(this.time), layers = scene.layers;
    camera.followed = this.follow ? scene.travelled(now) : [0, 0, 0];
    const { view: matrix, eye } = camera.look(aspect);
    const [right, up, back] = camera.axes();
    // From behind the eye, so that nothing that is seen is dark.
    const light = unit(add(add(scale(up, 0.4), back), add(scale(right, -0.35), [0, 0, 0.25])));
    renderer.begin(this.paper, matrix, eye, light, 0.5 * scene.wire);
    if (layers.ground) this.ground();
    const { solids, arrows } = scene.solids(now), pixels = view.width / stage.clientWidth || 1;
    const surfaces = scene.surfaces(now);
    renderer.draw(solids, surfaces);
    if (layers.ground && !data.plane) // behind what casts them
      renderer.draw(solids, surfaces, [0, 0, 0, this.dark ? 0.35 : 0.13], [0.25, -0.15, scene.low]);
    renderer.draw(arrows);
    for (const { body, places, colour } of scene.lines)
      if (!scene.hidden.has(body)) {
        const points = places.flatMap((p) => scene.place(body, p, now.bodies));
        renderer.moving(points, [...colour, 1], 3 * pixels);
      }
    if (layers.trails)
      for (const { body, line, colour } of scene.trails)
        if (!scene.hidden.has(body)) renderer.line(line, [...colour, 0.9], 2 * pixels, now.frame, true);
    for (const { body, place, cells, colour } of scene.sheets)
      if (!scene.hidden.has(body)) {
        const k = scene.names.indexOf(body), at = now.bodies[k < 0 ? scene.names.length : k];
        renderer.sheet(product(at, place), [...colour, 0.16], [...ink, 0.35], cells, false);
      }
    this.label(now, matrix);
    this.plots?.draw(this.time);
    the("time").value = this.time;
    the("clock").textContent = `${this.time.toFixed(this.digits)} s`;
    the("time").setAttribute("aria-valuetext", the("clock").textContent);
    this.frames += 1;
  }

  /** A grid: on the ground, or behind what moves in a plane. Its cells are round numbers. */
  ground() {
    const { scene, camera, renderer } = this, followed = camera.followed;
    const rough = data.size / 6, power = 10 ** Math.floor(Math.log10(rough));
    const cell = [1, 2, 5, 10].find((s) => s * power >= rough) * power;
    const reach = this.follow ? 3 * data.size : data.reach + data.size;
    const half = cell * Math.ceil(((data.plane ? 3 : 2.2) * reach) / cell);
    const middle = add(camera.middle(), followed);
    const z = data.plane ? middle[2] - 6 * scene.wire : scene.low - 0.02 * scene.wire;
    const x = cell * Math.round(middle[0] / cell), y = cell * Math.round(middle[1] / cell);
    const place = placed([half, 0, 0], [0, half, 0], [0, 0, 1], [x, y, z]);
    const lines = half / cell;
    renderer.sheet(place, [...this.paper, 0], [...this.ink, this.dark ? 0.34 : 0.42], [lines, lines], true);
  }

  label(now, matrix) {
    names.replaceChildren();
    if (!this.scene.layers.names) return;
    this.scene.centres(now).slice(0, 80).forEach(([name, place]) => {
      if (this.scene.hidden.has(name)) return;
      const p = transform(matrix, place);
      if (p[3] <= 0 || Math.max(Math.abs(p[0]), Math.abs(p[1])) > p[3]) return;
      const label = document.createElement("span");
      label.textContent = name;
      label.style.left = `${50 + (50 * p[0]) / p[3]}%`;
      label.style.top = `${50 - (50 * p[1]) / p[3]}%`;
      names.append(label);
    });
  }

  get dark() {
    return this.paper[0] < 0.5;
  }

  // --- the page ---

  page() {
    const span = Math.abs(this.last - this.first);
    document.title = `${data.model}: animation`;
    the("model").textContent = data.model;
    the("about").textContent = data.about;
    view.setAttribute("aria-label",
      `Animation of ${data.model}: ${this.scene.own.length} bodies over ${shortly(span)} s`);
    this.digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(span || 1))));
    const slider = the("time");
    [slider.min, slider.max] = [Math.min(this.first, this.last), Math.max(this.first, this.last)];
    slider.value = this.time;
    slider.addEventListener("input", () => {
      this.play(false);
      this.seek(Number(slider.value));
    });
    // Real time, unless that is too short to see or too long to wait.
    const fit = (s) => span / s >= 2.5 && span / s <= 40;
    const far = (s) => Math.abs(Math.log(s)), fitting = SPEEDS.filter(fit);
    const natural = span ? fitting.sort((a, b) => far(a) - far(b))[0] ?? 1 : 1;
    for (const s of SPEEDS) the("speed").add(new Option(`${s}×`, s, false, s === natural));
    const press = (id, action) => {
      icon(the(id), id);
      the(id).addEventListener("click", action);
    };
    press("play", () => this.play());
    press("start", () => this.seek(this.first));
    press("fit", () => this.home());
    press("theme", () => this.theme());
    press("panel", () => this.panel());
    press("whole", () => this.whole());
    press("picture", () => this.save());
    the("speed").addEventListener("change", () => the("speed").blur());
    the("follow").checked = this.follow;
    the("follow").addEventListener("change", () => {
      this.follow = the("follow").checked;
      this.camera.corners = this.corners();
      this.stale = true;
    });
    if (this.still) document.body.classList.add("still");
    if (!this.plots) document.body.classList.add("plain");
    if (stage.clientWidth < 560) this.panel();
    this.bodies();
    this.layers();
    if (this.plots) this.choices();
    this.play(this.playing);
  }

  bodies() {
    const { scene } = this, entries = scene.own;
    const list = the("bodies");
    for (const [name, colour] of entries.slice(0, 200)) {
      const box = this.checkbox(list, name, true, (on) => {
        scene.show(name, on);
        this.stale = true;
      });
      const swatch = document.createElement("i");
      swatch.style.background = `rgb(${colour.map((c) => Math.round(255 * c)).join()})`;
      box.after(swatch);
    }
    if (entries.length > 200) list.append(`and ${entries.length - 200} more`);
    the("all").addEventListener("click", () => {
      const boxes = [...list.querySelectorAll("input")], on = boxes.some((box) => !box.checked);
      for (const box of boxes) if (box.checked !== on) box.click();
    });
  }

  layers() {
    const { scene } = this, missing = new Set();
    if (!scene.speeds) missing.add("velocities");
    if (!scene.forces.length) missing.add("forces");
    if (!scene.trails.length) missing.add("trails");
    if (!data.figures.some(([kind]) => kind === "axis")) missing.add("axes");
    if (!scene.layers.strain) missing.add("strain");
    const bar = the("strain"), colours = data.strainColours.join();
    bar.hidden = !scene.layers.strain;
    bar.firstElementChild.style.background = `linear-gradient(to right, ${colours})`;
    the("most").textContent = shortly(data.strain);
    for (const [layer, title] of Object.entries(LAYERS))
      if (!missing.has(layer))
        this.checkbox(the("layers"), title, scene.layers[layer], (on) => {
          scene.layers[layer] = on;
          if (layer === "strain") bar.hidden = !on;
          this.stale = true;
        });
  }

  choices() {
    for (const { name, unit } of this.plots.series)
      this.checkbox(the("series"), unit ? `${name} [${unit}]` : name, this.plots.chosen.has(name),
        (on) => {
          this.plots.chosen[on ? "add" : "delete"](name);
          this.plots.prepare(this.style);
          this.stale = true;
        });
  }

  checkbox(list, title, on, changed) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.checked = on;
    box.addEventListener("change", () => changed(box.checked));
    label.append(box, document.createTextNode(title));
    list.append(label);
    return box;
  }

  home() {
    this.camera.reset();
    this.stale = true;
  }

  theme() {
    document.documentElement.dataset.theme = this.dark ? "light" : "dark";
    this.resize();
  }

  panel() {
    const closed = document.body.classList.toggle("closed");
    the("panel").setAttribute("aria-expanded", String(!closed));
  }

  whole() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  }

  save() {
    this.draw();
    const link = document.createElement("a");
    link.download = `${data.model}.png`;
    link.href = view.toDataURL("image/png");
    link.click();
  }

  keys() {
    const actions = {
      " ": () => this.play(),
      ArrowRight: (event) => this.step(event.shiftKey ? 10 : 1),
      ArrowLeft: (event) => this.step(event.shiftKey ? -10 : -1),
      Home: () => this.seek(this.first),
      End: () => this.seek(this.last),
      ArrowUp: () => this.faster(1),
      ArrowDown: () => this.faster(-1),
      "+": () => this.magnify(1.15),
      "-": () => this.magnify(1 / 1.15),
      f: () => this.home(),
      d: () => this.theme(),
    };
    document.addEventListener("keydown", (event) => {
      const action = actions[event.key], { target } = event;
      const own = target.closest?.("select, details, label")
        || (target.tagName === "BUTTON" && event.key === " ");
      if (!action || own || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action(event);
    });
  }

  faster(by) {
    const k = SPEEDS.indexOf(this.speed) + by;
    if (k >= 0 && k < SPEEDS.length) the("speed").value = SPEEDS[k];
  }

  magnify(factor) {
    this.camera.magnify(factor);
    this.stale = true;
  }

  mouse() {
    const down = new Map();
    view.addEventListener("pointerdown", (event) => {
      view.setPointerCapture(event.pointerId);
      down.set(event.pointerId, [event.clientX, event.clientY]);
      view.focus({ preventScroll: true });
    });
    for (const kind of ["pointerup", "pointercancel"])
      view.addEventListener(kind, (event) => down.delete(event.pointerId));
    view.addEventListener("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      const share = 2 / stage.clientHeight;
      if (down.size === 2) { // two fingers: move and magnify
        const other = [...down].find(([id]) => id !== event.pointerId)[1];
        const reach = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        this.camera.magnify(reach(now) / reach(before));
        this.camera.shift((dx * share) / 2, (dy * share) / 2);
      } else if (event.shiftKey || event.buttons & 6) this.camera.shift(dx * share, dy * share);
      else this.camera.orbit(dx, dy);
      down.set(event.pointerId, now);
      this.stale = true;
    });
    view.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.magnify(Math.exp(-0.0012 * event.deltaY));
    }, { passive: false });
    view.addEventListener("dblclick", () => this.home());
    view.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}

try {
  window.animation = new Player(new Renderer(view));
} catch (error) {
  document.body.classList.add("failed");
  the("sorry").textContent = `The animation cannot be drawn. ${error.message}`;
  if (!/WebGL/.test(error.message)) throw error;
}
