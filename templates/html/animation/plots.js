// Series over time under the scene, one panel per unit, with a cursor at the present instant.

const LINES = ["#3b7dd8", "#e4572e", "#2a9d6f", "#9a5fd0", "#e0a11b", "#17a2b8", "#c2457d"];

/** Round numbers between two ends. */
function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((s) => s * power >= rough) * power, found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

function shortly(x) {
  if (x === 0 || Math.abs(x) < 1e-12) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(1) : String(+x.toPrecision(4));
}

class Plots {
  constructor(canvas, data, seek) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.t = decoded(data.t);
    this.series = data.names.map((name, k) => ({
      name, unit: data.units[k], values: decoded(data.values[k]) }));
    this.chosen = new Set(data.first);
    this.boxes = [];
    const jump = (event) => {
      const at = canvas.getBoundingClientRect(), x = event.clientX - at.left;
      const box = this.boxes.find((b) => x >= b.left - 30 && x <= b.left + b.width + 30);
      if (!box) return;
      const part = Math.min(1, Math.max(0, (x - box.left) / box.width));
      seek(this.t[0] + part * (this.t[this.t.length - 1] - this.t[0]));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      jump(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && jump(event));
  }

  /** Chosen series by their units. */
  panels() {
    const found = new Map();
    for (const series of this.series)
      if (this.chosen.has(series.name)) {
        if (!found.has(series.unit)) found.set(series.unit, []);
        found.get(series.unit).push(series);
      }
    return [...found].slice(0, 4);
  }

  /** Draw what time does not change, and keep it as a picture. */
  prepare(style) {
    const ratio = devicePixelRatio, { clientWidth: width, clientHeight: height } = this.canvas;
    const panels = this.panels();
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.style = style;
    this.pen.scale(ratio, ratio);
    this.boxes = panels.map(([unit, lines], k) => {
      const share = width / panels.length, left = k * share + 52;
      const box = { unit, lines, left, top: 24, width: share - 68, height: height - 48 };
      this.panel(box);
      return box;
    });
    this.picture = document.createElement("canvas");
    this.picture.width = this.canvas.width;
    this.picture.height = this.canvas.height;
    if (this.canvas.width && this.canvas.height)
      this.picture.getContext("2d").drawImage(this.canvas, 0, 0);
  }

  panel(box) {
    const { pen, style } = this, { left, top, width, height, lines, unit } = box;
    let low = Infinity, high = -Infinity;
    for (const { values } of lines)
      for (const x of values) {
        if (x < low) low = x;
        if (x > high) high = x;
      }
    if (!(high > low)) [low, high] = Number.isFinite(low) ? [low - 1, high + 1] : [0, 1];
    const margin = 0.06 * (high - low);
    [box.low, box.high] = [low - margin, high + margin];
    const first = this.t[0], last = this.t[this.t.length - 1];
    box.x = (t) => left + ((t - first) / (last - first || 1)) * width;
    box.y = (x) => top + height - ((x - box.low) / (box.high - box.low)) * height;
    pen.font = "11px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.strokeStyle = style.faint;
    pen.fillStyle = style.soft;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const y of ticks(box.low, box.high, height / 28)) {
      this.stroke([[left, box.y(y)], [left + width, box.y(y)]]);
      pen.fillText(shortly(y), left - 6, box.y(y));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const t of ticks(Math.min(first, last), Math.max(first, last), width / 70)) {
      this.stroke([[box.x(t), top], [box.x(t), top + height]]);
      pen.fillText(shortly(t), box.x(t), top + height + 5);
    }
    pen.textAlign = "right";
    pen.fillText("s", left + width + 12, top + height + 5);
    pen.save();
    pen.beginPath();
    pen.rect(left, top - 2, width, height + 4);
    pen.clip();
    pen.lineJoin = "round";
    lines.forEach(({ values }, k) => {
      pen.strokeStyle = LINES[k % LINES.length];
      pen.lineWidth = 1.5;
      this.stroke(Array.from(values, (x, i) => [box.x(this.t[i]), box.y(x)]));
    });
    pen.restore();
    box.label = unit ? `[${unit}]` : "";
  }

  stroke(points) {
    const pen = this.pen;
    pen.beginPath();
    points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
  }

  valueAt(series, time) {
    const { t } = this, last = t.length - 1;
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((t[middle] <= time) === (t[last] >= t[0])) low = middle;
      else high = middle;
    }
    const part = t[high] === t[low] ? 0 : (time - t[low]) / (t[high] - t[low]);
    return series.values[low] + Math.min(1, Math.max(0, part)) * (series.values[high] - series.values[low]);
  }

  draw(time) {
    if (!this.picture?.width || !this.picture.height) return;
    const { pen, style, canvas } = this;
    pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    pen.drawImage(this.picture, 0, 0, canvas.clientWidth, canvas.clientHeight);
    for (const box of this.boxes) {
      const x = box.x(time);
      pen.strokeStyle = style.text;
      pen.lineWidth = 1;
      this.stroke([[x, box.top], [x, box.top + box.height]]);
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.font = "12px system-ui, sans-serif";
      let at = box.left;
      box.lines.forEach((series, k) => {
        const value = this.valueAt(series, time);
        const label = `${series.name} ${shortly(value)}`;
        pen.fillStyle = LINES[k % LINES.length];
        const room = Math.max(...[label, `${series.name} -0.000`].map((s) => pen.measureText(s).width));
        if (at + pen.measureText(label).width < box.left + box.width) pen.fillText(label, at, 11);
        at += room + 10;
        pen.beginPath();
        pen.arc(x, box.y(value), 3, 0, 2 * Math.PI);
        pen.fill();
      });
      pen.fillStyle = style.soft;
      if (at < box.left + box.width) pen.fillText(box.label, at, 11);
    }
  }
}
