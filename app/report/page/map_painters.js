// SPDX-License-Identifier: GPL-3.0-or-later
// Painters of dots. One WebGL context paints all maps of a page; without it pixels are set one by one.
const kVertex = `attribute vec2 place; attribute vec4 color; uniform vec4 view; uniform float size;
  varying lowp vec4 shade;
  void main() {
    gl_Position = color.a > 0.0 ? vec4(place * view.xy + view.zw, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = size; shade = color;
  }`;
const kFragment = `precision mediump float; varying lowp vec4 shade; uniform float radius; uniform float opacity;
  void main() {
    float beyond = length(gl_PointCoord - 0.5) * (2.0 * radius + 2.0) - radius;
    float alpha = clamp(0.5 - beyond, 0.0, 1.0) * opacity;
    gl_FragColor = vec4(shade.rgb * alpha, alpha);
  }`;

// Paints dots by WebGL on a canvas of its own, from which they are copied.
class GlPainter {
  constructor() {
    this.canvas = document.createElement('canvas');
    const gl = this.gl = this.canvas.getContext('webgl', { antialias: false, premultipliedAlpha: true });
    if (!gl) throw new Error('no WebGL');
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, kVertex], [gl.FRAGMENT_SHADER, kFragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ['place', 'color'].forEach((name, at) => gl.bindAttribLocation(program, at, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    this.at = Object.fromEntries(['view', 'size', 'radius', 'opacity'].map(
      name => [name, gl.getUniformLocation(program, name)]));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enableVertexAttribArray(0);
    gl.enableVertexAttribArray(1);
    this.kept = new Map();
  }

  // The buffers of a map; colours are sent again when they have changed.
  bind(map) {
    const gl = this.gl;
    let kept = this.kept.get(map);
    if (!kept) {
      kept = { places: gl.createBuffer(), colors: gl.createBuffer(), version: -1 };
      gl.bindBuffer(gl.ARRAY_BUFFER, kept.places);
      gl.bufferData(gl.ARRAY_BUFFER, map.points.places, gl.STATIC_DRAW);
      this.kept.set(map, kept);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, kept.places);
    gl.vertexAttribPointer(0, 2, gl.UNSIGNED_SHORT, true, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, kept.colors);
    if (kept.version !== map.colorVersion) gl.bufferData(gl.ARRAY_BUFFER, map.colors, gl.DYNAMIC_DRAW);
    kept.version = map.colorVersion;
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 0, 0);
  }

  paint(map, context) {
    const gl = this.gl, { width, height } = context.canvas, { x, y, scale } = map.view;
    if (this.canvas.width < width) this.canvas.width = width;
    if (this.canvas.height < height) this.canvas.height = height;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.bind(map);
    const wide = 2 * scale / width, high = 2 * scale / height, radius = map.radius();
    gl.uniform4f(this.at.view, wide, high, -x * wide, -y * high);
    gl.uniform1f(this.at.size, 2 * radius + 2);
    gl.uniform1f(this.at.radius, radius);
    gl.uniform1f(this.at.opacity, map.opacity);
    gl.drawArrays(gl.POINTS, 0, map.points.count);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.canvas, 0, this.canvas.height - height, width, height, 0, 0, width, height);
  }
}

// Paints dots by setting pixels, where there is no WebGL.
class PixelPainter {
  // Which pixels a dot covers, and how much of each.
  static mask(radius, opacity) {
    const reach = Math.ceil(radius), pixels = [];
    for (let dy = -reach; dy <= reach; ++dy)
      for (let dx = -reach; dx <= reach; ++dx) {
        const share = clamp(radius + 0.5 - Math.hypot(dx, dy), 0, 1) * opacity;
        if (share > 0) pixels.push({ dx, dy, share });
      }
    return pixels;
  }

  paint(map, context) {
    const { width, height } = context.canvas, { x, y, scale } = map.view, { points, colors } = map;
    const image = context.createImageData(width, height), pixels = image.data;
    const [red, green, blue] = kPaper[theme()];
    new Uint32Array(pixels.buffer).fill((255 << 24 | blue << 16 | green << 8 | red) >>> 0);
    const mask = PixelPainter.mask(map.radius(), map.opacity);
    for (let point = 0; point < points.count; ++point) {
      if (!colors[4 * point + 3]) continue;
      const px = Math.round(width / 2 + (points.x(point) - x) * scale);
      const py = Math.round(height / 2 - (points.y(point) - y) * scale);
      for (const { dx, dy, share } of mask) {
        if (px + dx < 0 || px + dx >= width || py + dy < 0 || py + dy >= height) continue;
        const at = 4 * ((py + dy) * width + px + dx);
        for (let c = 0; c < 3; ++c) pixels[at + c] += (colors[4 * point + c] - pixels[at + c]) * share;
      }
    }
    context.putImageData(image, 0, 0);
  }
}

// The painter of all maps; from the first failure of WebGL on it is the other one.
let thePainter = null;
function painter() {
  if (thePainter) return thePainter;
  try {
    thePainter = new GlPainter();
    thePainter.canvas.addEventListener('webglcontextlost', () => {
      thePainter = new PixelPainter();
      for (const map of maps) map.ask();
    });
  } catch {
    thePainter = new PixelPainter();
  }
  return thePainter;
}
