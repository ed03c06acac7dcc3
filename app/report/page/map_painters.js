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
  // Where there are many dots, a WebGL that the processor computes is slower than setting pixels (320,000 dots by
  // SwiftShader on two cores: 530 ms a frame, by pixels 17 ms).
  constructor(many) {
    this.canvas = document.createElement('canvas');
    const gl = this.gl = this.canvas.getContext('webgl', { antialias: false, failIfMajorPerformanceCaveat: many });
    if (!gl || (many && GlPainter.isSlow(gl))) throw new Error('no WebGL, or a slow one');
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

  static isSlow(gl) {
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    return info !== null && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
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

  paint(map, context, count) {
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
    gl.uniform1f(this.at.opacity, map.opacity());
    gl.drawArrays(gl.POINTS, 0, count);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.canvas, 0, this.canvas.height - height, width, height, 0, 0, width, height);
  }
}

// Paints dots by setting pixels, where there is no WebGL.
class PixelPainter {
  // Which bytes of a picture a dot covers, from its middle on, and how much of each in 1/256.
  static mask(radius, opacity, width) {
    const reach = Math.ceil(radius), at = [], share = [];
    for (let dy = -reach; dy <= reach; ++dy)
      for (let dx = -reach; dx <= reach; ++dx) {
        const covered = Math.round(256 * clamp(radius + 0.5 - Math.hypot(dx, dy), 0, 1) * opacity);
        if (covered > 0) at.push(4 * (dy * width + dx)), share.push(covered);
      }
    return { reach, at: Int32Array.from(at), share: Int32Array.from(share) };
  }

  // Dots that the edge of the picture cuts are left out: a frame is drawn with room for them around it.
  paint(map, context, count) {
    const { width, height } = context.canvas, { places } = map.points, { colors, view } = map;
    const radius = map.radius(), room = Math.ceil(radius) + 1;
    const wide = width + 2 * room, high = height + 2 * room;
    if (!this.image || this.image.width !== wide || this.image.height !== high) this.image = new ImageData(wide, high);
    const pixels = this.image.data;
    const [red, green, blue] = kPaper[theme()];
    new Uint32Array(pixels.buffer).fill((255 << 24 | blue << 16 | green << 8 | red) >>> 0);
    const { reach, at, share } = PixelPainter.mask(radius, map.opacity(), wide);
    const step = view.scale / 65535, left = wide / 2 - view.x * view.scale, top = high / 2 + view.y * view.scale;
    for (let point = 0; point < count; ++point) {
      if (!colors[4 * point + 3]) continue;
      const x = Math.round(left + places[2 * point] * step), y = Math.round(top - places[2 * point + 1] * step);
      if (x < reach || y < reach || x >= wide - reach || y >= high - reach) continue;
      const middle = 4 * (y * wide + x);
      const r = colors[4 * point], g = colors[4 * point + 1], b = colors[4 * point + 2];
      for (let i = 0; i < at.length; ++i) {
        const byte = middle + at[i], covered = share[i];
        pixels[byte] += (r - pixels[byte]) * covered >> 8;
        pixels[byte + 1] += (g - pixels[byte + 1]) * covered >> 8;
        pixels[byte + 2] += (b - pixels[byte + 2]) * covered >> 8;
      }
    }
    context.putImageData(this.image, -room, -room);
  }
}

// The painter of all maps; from the first failure of WebGL on it is the other one.
let thePainter = null;
function painter() {
  if (thePainter) return thePainter;
  try {
    thePainter = new GlPainter([...document.querySelectorAll('script[id^=map-data]')].some(data => data.textContent.length > 500000));
    thePainter.canvas.addEventListener('webglcontextlost', () => {
      thePainter = new PixelPainter();
      for (const map of maps) map.ask();
    });
  } catch {
    thePainter = new PixelPainter();
  }
  return thePainter;
}
