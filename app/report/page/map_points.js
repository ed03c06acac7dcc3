// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a map, unpacked (live_map.h says how they are packed), and what is asked of them. The files map_points,
// map_painters and live_map are one script.
const kMostZoom = 200;      // places have 16 bits: beyond it their steps could be seen
const kReachPx = 12;        // how far from a dot it is still meant
const kMostListed = 200;    // entries of a legend: more can be neither told apart nor looked through
const kPaper = { light: [255, 255, 255], dark: [22, 24, 28] };
const darkScreen = matchMedia('(prefers-color-scheme: dark)');
let printing = false;
const theme = () => darkScreen.matches && !printing ? 'dark' : 'light';
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const shown = number => number.toLocaleString('en-US');
const rgbOf = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));

function dataOf(id) { return JSON.parse(document.getElementById(id).textContent); }

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

// Codes, each one more than it was: 0 is "none".
function codesOf({ width, data, count, each, of }) {
  const Numbers = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[width];
  if (data !== undefined) return new Numbers(bytesOf(data).buffer);
  const codes = new Numbers(count);
  for (let i = 0; i < count; ++i) codes[i] = Math.floor(i / each) % of + 1;
  return codes;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// The points of a map in an order that strides over all of them: what is painted last, and hides others, is a
// sample of all heads and documents.
class Points {
  constructor(data) {
    const places = new Uint16Array(bytesOf(data.places).buffer);
    const head = codesOf(data.head), documents = codesOf(data.document);
    const count = this.count = places.length / 2;
    this.places = new Uint16Array(2 * count);
    this.head = new head.constructor(count);
    this.document = new documents.constructor(count);
    const stride = Points.stride(count);
    for (let i = 0, from = 0; i < count; ++i, from = (from + stride) % count) {
      this.places[2 * i] = places[2 * from];
      this.places[2 * i + 1] = places[2 * from + 1];
      this.head[i] = head[from];
      this.document[i] = documents[from];
    }
    this.box = this.bounds();
  }

  // Near the golden section, and without a common divisor with the count: every point comes once.
  static stride(count) {
    const divisor = (a, b) => b ? divisor(b, a % b) : a;
    let stride = Math.max(1, Math.floor(count * 0.618034));
    while (divisor(count, stride) > 1) ++stride;
    return stride;
  }

  x(point) { return this.places[2 * point] / 65535; }
  y(point) { return this.places[2 * point + 1] / 65535; }

  bounds() {
    const box = { left: 1, right: 0, bottom: 1, top: 0 };
    for (let i = 0; i < this.count; ++i) {
      box.left = Math.min(box.left, this.x(i));
      box.right = Math.max(box.right, this.x(i));
      box.bottom = Math.min(box.bottom, this.y(i));
      box.top = Math.max(box.top, this.y(i));
    }
    return this.count ? box : { left: 0, right: 1, bottom: 0, top: 1 };
  }
}

// Which points lie in which cell of a square grid: those near a place are found without looking at all.
class Grid {
  constructor(points) {
    this.points = points;
    const side = this.side = clamp(Math.round(Math.sqrt(points.count / 3)), 1, 512);
    const cells = new Uint32Array(points.count);
    this.begin = new Uint32Array(side * side + 1);
    for (let i = 0; i < points.count; ++i) {
      cells[i] = this.cell(points.y(i)) * side + this.cell(points.x(i));
      ++this.begin[cells[i] + 1];
    }
    for (let c = 0; c < side * side; ++c) this.begin[c + 1] += this.begin[c];
    const next = this.begin.slice();
    this.items = new Uint32Array(points.count);
    for (let i = 0; i < points.count; ++i) this.items[next[cells[i]]++] = i;
  }

  cell(place) { return clamp(Math.floor(place * this.side), 0, this.side - 1); }

  // The nearest point within a radius that `admits` lets through, or -1; of equal ones the one on top.
  nearest(x, y, radius, admits) {
    let best = -1, least = radius * radius;
    for (let row = this.cell(y - radius); row <= this.cell(y + radius); ++row) {
      const from = this.begin[row * this.side + this.cell(x - radius)];
      const to = this.begin[row * this.side + this.cell(x + radius) + 1];
      for (let at = from; at < to; ++at) {
        const point = this.items[at];
        const distance = (this.points.x(point) - x) ** 2 + (this.points.y(point) - y) ** 2;
        if (distance <= least && admits(point)) { best = point; least = distance; }
      }
    }
    return best;
  }
}

// What points can be coloured by and switched off by: a code a point, 0 for none, and an entry a code.
function channelsOf(data, documents, points) {
  const word = data.rowWord, capital = word[0].toUpperCase() + word.slice(1);
  const none = name => ({ name, light: '#8a929b', dark: '#7d858e' });
  const channels = [];
  const add = (name, noneName, entries, found) => {
    const codes = found.map(code => code <= entries.length ? code : 0);
    const channel = { name, entries: [none(noneName), ...entries], codes };
    channel.on = new Uint8Array(channel.entries.length).fill(1);
    channel.sizes = new Uint32Array(channel.entries.length);
    for (const code of codes) ++channel.sizes[code];
    channels.push(channel);
  };
  const perPoint = (source, table) => Uint32Array.from(source, code => code ? table[code - 1] ?? 0 : 0);
  if (data.heads.length) add(capital, `No ${word}`, data.heads, points.head);
  if (data.groups.length)
    add('KV group', 'No KV group', data.groups, perPoint(points.head, data.heads.map(head => head.group + 1)));
  for (const column of documents.columns)
    add(column.name, 'No label', column.categories, perPoint(points.document, codesOf(column.codes)));
  if (!channels.length) add('Points', 'Points', [], new Uint8Array(points.count));
  return channels;
}
