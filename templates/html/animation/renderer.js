// Drawing with WebGL 2: many equal solids in one call, lines of a width in pixels, the ground.

const SOLID_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float off;
layout(location = 3) in mat4 place;
layout(location = 7) in vec4 colour; // and which pattern
uniform mat4 view;
uniform float wire;
uniform vec4 ground; // flattens onto the plane z = ground.z along ground.xy if ground.w is 1
out vec3 local, across, at;
flat out vec4 paint;
void main() {
  mat3 axes = mat3(place);
  vec3 sizes = vec3(length(axes[0]), length(axes[1]), length(axes[2]));
  vec3 flatter = off > 0.0 ? sizes : sizes * sizes;
  across = normalize(axes * (normal / max(flatter, vec3(1e-20))));
  vec3 p = (place * vec4(position, 1.0)).xyz + off * wire * across;
  if (ground.w > 0.5) p = vec3(p.xy - (p.z - ground.z) * ground.xy, ground.z);
  local = position;
  paint = colour;
  at = p;
  gl_Position = view * vec4(p, 1.0);
}`;

const LIGHTING = `
vec4 lit(vec3 c, vec3 n, vec3 to, vec3 light) {
  float sun = 0.5 + 0.5 * dot(n, light), sky = 0.5 + 0.5 * n.z;
  float shine = pow(max(dot(n, normalize(light + to)), 0.0), 48.0);
  float edge = pow(1.0 - max(dot(n, to), 0.0), 3.0);
  return vec4(c * (0.44 + 0.12 * sky + 0.54 * sun * sun) + 0.18 * shine + 0.1 * edge, 1.0);
}`;

const SOLID_PIXEL = `#version 300 es
precision highp float;
in vec3 local, across, at;
flat in vec4 paint;
uniform vec3 eye, light;
uniform vec4 shadow; // the one colour of shadows, if its last number is not 0
out vec4 pixel;
${LIGHTING}
void main() {
  if (shadow.a > 0.0) { pixel = shadow; return; }
  vec3 n = normalize(across), to = normalize(eye - at), c = paint.rgb;
  if (dot(n, to) < 0.0) n = -n;
  if (paint.a > 2.5) c = local.x * local.y * local.z > 0.0 ? vec3(0.08) : vec3(0.95); // centre
  else if (paint.a > 1.5) { // a wheel: sectors inside a rim
    float r = length(local.xy), turn = fract(atan(local.y, local.x) * 0.95493);
    if (r < 0.86 && r > 0.14) c *= turn < 0.5 ? 0.8 : 1.12;
  } else if (paint.a > 0.5) c *= local.x * local.y * local.z > 0.0 ? 0.82 : 1.05; // a ball
  pixel = lit(c, n, to, light);
}`;

const SURFACE_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 colour;
uniform mat4 view;
uniform vec4 ground;
out vec3 across, at, paint;
void main() {
  at = position;
  if (ground.w > 0.5) at = vec3(at.xy - (at.z - ground.z) * ground.xy, ground.z);
  across = normal;
  paint = colour;
  gl_Position = view * vec4(at, 1.0);
}`;

const SURFACE_PIXEL = `#version 300 es
precision highp float;
in vec3 across, at, paint;
uniform vec3 eye, light;
uniform vec4 shadow;
out vec4 pixel;
${LIGHTING}
void main() {
  if (shadow.a > 0.0) { pixel = shadow; return; }
  vec3 n = normalize(across), to = normalize(eye - at);
  pixel = lit(paint, dot(n, to) < 0.0 ? -n : n, to, light);
}`;

const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
uniform mat4 view;
uniform vec2 pixels;
uniform float width, count;
out float age;
void main() {
  vec4 a = view * vec4(start, 1.0), b = view * vec4(end, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * pixels;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2);
  vec4 p = corner.x < 0.5 ? a : b;
  // Segments overlap by half a width, so that corners are closed.
  vec2 shift = vec2(-along.y, along.x) * (corner.y - 0.5) + along * (corner.x - 0.5) * 0.6;
  p.xy += shift * width * 2.0 / pixels * p.w;
  p.z -= 1e-4 * p.w;
  age = count > 0.0 ? (float(gl_InstanceID) + 1.0) / count : 1.0;
  gl_Position = p;
}`;

const LINE_PIXEL = `#version 300 es
precision highp float;
in float age;
uniform vec4 colour;
out vec4 pixel;
void main() { pixel = vec4(colour.rgb, colour.a * (0.15 + 0.85 * age)); }`;

const SHEET_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 view, place;
out vec2 cell;
out vec2 inside;
uniform vec2 spacing;
void main() {
  vec4 p = place * vec4(position.xy, 0.0, 1.0);
  inside = position.xy;
  cell = position.xy * spacing;
  gl_Position = view * p;
}`;

const SHEET_PIXEL = `#version 300 es
precision highp float;
in vec2 cell, inside;
uniform vec4 fill, line;
uniform float round; // whether it fades towards its rim
out vec4 pixel;
float lines(vec2 c) {
  vec2 width = fwidth(c), near = abs(fract(c - 0.5) - 0.5) / max(width, vec2(1e-9));
  vec2 seen = (1.0 - min(near, vec2(1.0))) * (1.0 - smoothstep(0.2, 0.6, width));
  return max(seen.x, seen.y);
}
void main() {
  float strength = max(0.45 * lines(cell), lines(cell / 5.0));
  vec4 c = mix(fill, line, strength * line.a);
  c.a = max(fill.a, strength * line.a);
  if (round > 0.5) c.a *= 1.0 - smoothstep(0.3, 1.0, length(inside));
  if (c.a < 0.004) discard;
  pixel = c;
}`;

class Renderer {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, stencil: true, alpha: false });
    if (!gl) throw new Error("This browser offers no WebGL 2.");
    this.gl = gl;
    this.solids = this.program(SOLID_VERTEX, SOLID_PIXEL);
    this.lines = this.program(LINE_VERTEX, LINE_PIXEL);
    this.sheets = this.program(SHEET_VERTEX, SHEET_PIXEL);
    this.surfaces = this.program(SURFACE_VERTEX, SURFACE_PIXEL);
    this.meshes = {};
    for (const [name, mesh] of Object.entries(MESHES)) this.meshes[name] = this.upload(mesh);
    this.square = gl.createVertexArray();
    gl.bindVertexArray(this.square);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 12, 0);
    gl.bindVertexArray(null);
  }

  program(vertex, pixel) {
    const gl = this.gl, program = gl.createProgram(), places = {};
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, pixel]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
        throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.linkProgram(program);
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let k = 0; k < count; k++) {
      const { name } = gl.getActiveUniform(program, k);
      places[name] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  upload(mesh) {
    const gl = this.gl, array = gl.createVertexArray(), instances = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, gl.STATIC_DRAW);
    [[3, 0], [3, 12], [1, 24]].forEach(([size, offset], k) => {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, size, gl.FLOAT, false, 28, offset);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    for (let k = 0; k < 5; k++) {
      gl.enableVertexAttribArray(3 + k);
      gl.vertexAttribPointer(3 + k, 4, gl.FLOAT, false, 80, 16 * k);
      gl.vertexAttribDivisor(3 + k, 1);
    }
    gl.bindVertexArray(null);
    return { array, instances, count: mesh.triangles.length };
  }

  /** A line that stays: points as [x, y, z, x, ...]. */
  polyline(points) {
    const gl = this.gl, array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.STATIC_DRAW);
    for (const k of [0, 1]) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 12, 12 * k);
      gl.vertexAttribDivisor(k, 1);
    }
    gl.bindVertexArray(null);
    return { array, buffer, count: points.length / 3 - 1 };
  }

  /** A surface of these triangles; a vertex has nine numbers: position, normal, colour. */
  surface(triangles) {
    const gl = this.gl, array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (const k of [0, 1, 2]) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 36, 12 * k);
    }
    gl.bindVertexArray(null);
    return { array, buffer, count: triangles.length };
  }

  begin(background, view, eye, light, wire) {
    const gl = this.gl;
    Object.assign(this, { view, eye, light, wire });
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(...background, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  }

  /** Tell a program where everything is seen from, and whether it draws shadows. */
  shading({ program, places }, shadow, ground) {
    const gl = this.gl;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.view, false, this.view);
    gl.uniform3fv(places.eye, this.eye);
    gl.uniform3fv(places.light, this.light);
    gl.uniform4fv(places.shadow, shadow ?? [0, 0, 0, 0]);
    gl.uniform4f(places.ground, ...ground, shadow ? 1 : 0);
  }

  /** Solids by mesh, 20 numbers each, and surfaces of beams; as their shadow on the ground if there
   * is a shadow. */
  draw(solids, beams = [], shadow = null, ground = [0, 0, 0]) {
    const gl = this.gl, { places } = this.solids;
    this.shading(this.solids, shadow, ground);
    gl.uniform1f(places.wire, this.wire);
    if (shadow) { // every pixel once, however many solids cast their shadow there
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.EQUAL, 0, 255);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
      gl.depthMask(false);
    }
    for (const [name, numbers] of Object.entries(solids)) {
      if (!numbers.length) continue;
      const { array, instances, count } = this.meshes[name];
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, instances);
      if (!shadow) gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.DYNAMIC_DRAW);
      gl.drawElementsInstanced(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, 0, numbers.length / 20);
    }
    if (beams.length) this.shading(this.surfaces, shadow, ground);
    for (const { surface: { array, buffer, count }, vertices } of beams) {
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      if (!shadow) gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.DYNAMIC_DRAW);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    }
    gl.disable(gl.STENCIL_TEST);
    gl.depthMask(true);
  }

  line({ array, count }, colour, width, part = count, fading = false) {
    if (part < 1) return;
    const gl = this.gl, { program, places } = this.lines;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.view, false, this.view);
    gl.uniform2f(places.pixels, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(places.width, width);
    gl.uniform1f(places.count, fading ? part : 0);
    gl.uniform4fv(places.colour, colour);
    gl.bindVertexArray(array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, part);
  }

  /** A line of other points in every picture. */
  moving(points, colour, width) {
    const gl = this.gl;
    this.loose ??= this.polyline([]);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.loose.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.DYNAMIC_DRAW);
    this.line(this.loose, colour, width, points.length / 3 - 1);
  }

  /** A rectangle, its two half edges and middle in a matrix, with lines in so many cells. */
  sheet(place, fill, line, spacing, round) {
    const gl = this.gl, { program, places } = this.sheets;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.view, false, this.view);
    gl.uniformMatrix4fv(places.place, false, place);
    gl.uniform4fv(places.fill, fill);
    gl.uniform4fv(places.line, line);
    gl.uniform2fv(places.spacing, spacing);
    gl.uniform1f(places.round, round ? 1 : 0);
    gl.depthMask(false);
    gl.bindVertexArray(this.square);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
  }
}
