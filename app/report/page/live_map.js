// SPDX-License-Identifier: GPL-3.0-or-later
// Maps that a reader moves, zooms and recolours: each `.live` element becomes one, of the data of its number.
// The card beside the pointer: one for the page.
const card = element('div', 'dot-card');
card.hidden = true;
card.setAttribute('role', 'status');

function cardRow(name, value, color) {
  const row = element('div', 'row');
  if (color) row.append(element('i', 'swatch')), row.firstChild.style.background = color;
  row.append(element('span', '', name), element('bdi', '', value));
  return row;
}

// Beside a place, within the window.
function placeCard(x, y) {
  card.hidden = false;
  const { width, height } = card.getBoundingClientRect(), gap = 14;
  const right = document.documentElement.clientWidth - 8, bottom = window.innerHeight - 8;
  const left = x + gap + width <= right ? x + gap : x - gap - width;
  const top = y + gap + height <= bottom ? y + gap : y - gap - height;
  card.style.transform = `translate(${clamp(left, 8, Math.max(8, right - width))}px, ` +
    `${clamp(top, 8, Math.max(8, bottom - height))}px)`;
}

class LiveMap {
  constructor(host, data, documents) {
    Object.assign(this, { host, data, documents, marked: -1, view: { x: 0.5, y: 0.5, scale: 1 } });
    this.points = new Points(data);
    this.grid = new Grid(this.points);
    this.channels = channelsOf(data, documents, this.points);
    this.channel = this.channels[0];
    this.colors = new Uint8Array(4 * this.points.count);
    this.colorVersion = 0;
    this.dotSize = 1;
    this.density = clamp(0.85 * (5000 / Math.max(this.points.count, 1)) ** 0.13, 0.35, 0.85);
    this.paintMs = 0;      // what a frame of all dots takes
    this.movedAt = -Infinity;
    this.build();
    this.listen();
    this.recolor();
    this.host.classList.add('ready');
    this.resize();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  // --- what is on the page

  build() {
    this.canvas = element('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute(
        'aria-label', `${this.data.title}: a map of ${shown(this.points.count)} points. ` +
                          'Arrow keys move it, plus and minus zoom, 0 fits it, Enter reads the point in the middle.');
    this.context = this.canvas.getContext('2d');
    this.marks = element('canvas', 'marks');
    const stage = element('div', 'stage');
    stage.append(this.canvas, this.marks);
    this.legend = element('div', 'legend');
    const state = element('div', 'state');
    this.counts = element('output');
    this.counts.setAttribute('aria-live', 'polite');
    state.append(this.counts,
                 element('span', '',
                         'Drag to move, scroll or + and − to zoom, double-click or 0 ' +
                             'to fit. In the legend a click hides an entry, a double click shows only that entry.'));
    this.host.append(this.tools(), stage, this.legend, state);
  }

  tools() {
    const tools = element('div', 'tools');
    const colorBy = element('select');
    this.channels.forEach((channel, i) => colorBy.append(new Option(channel.name, i)));
    colorBy.addEventListener('change', () => {
      this.channel = this.channels[colorBy.value];
      this.recolor();
    });
    const zoom = element('div', 'zoom');
    for (const [text, tip, act] of [['−', 'Zoom out', () => this.zoomBy(1 / 1.5)], ['+', 'Zoom in', () => this.zoomBy(1.5)],
      ['Fit', 'Show the whole map', () => this.fit()]]) {
      const button = element('button', '', text);
      Object.assign(button, { type: 'button', title: tip });
      button.setAttribute('aria-label', tip);
      button.addEventListener('click', act);
      zoom.append(button);
    }
    tools.append(element('strong', '', this.data.title), LiveMap.labelled('Colour by', colorBy),
      this.slider('Dot size', 0.4, 3, this.dotSize, value => { this.dotSize = value; }),
      this.slider('Opacity', 0.05, 1, this.density, value => { this.density = value; }), zoom);
    return tools;
  }

  static labelled(text, control) {
    const label = element('label', '', text);
    label.append(control);
    return label;
  }

  slider(text, min, max, value, set) {
    const range = element('input');
    Object.assign(range, { type: 'range', min, max, step: 0.01, value });
    range.addEventListener('input', () => { set(Number(range.value)); this.ask(); });
    return LiveMap.labelled(text, range);
  }

  buildLegend() {
    const { channel } = this;
    const all = element('div', 'all');
    all.append(element('span', '', channel.name));
    for (const [text, value] of [['All', 1], ['None', 0]]) {
      const button = element('button', '', text);
      button.type = 'button';
      button.addEventListener('click', () => { channel.on.fill(value); this.recolor(); });
      all.append(button);
    }
    const chips = channel.entries.every((entry, code) => code === 0 || entry.name.length <= 4);
    let listed = 0;
    this.entryButtons = channel.entries.map((entry, code) =>
      channel.sizes[code] && (code === 0 || ++listed <= kMostListed) ? this.entryButton(entry, code, chips) : null);
    this.legend.replaceChildren(all, this.legendList(chips));
    if (listed > kMostListed) this.legend.append(element('p', 'more', `and ${shown(listed - kMostListed)} more, not listed`));
    this.legendOf = channel;
  }

  // Entries a line each, or short ones side by side, those of a KV group together. "None" comes last.
  legendList(chips) {
    const { entries } = this.channel, { groups, heads } = this.data;
    const list = element('ul', chips ? 'chips' : '');
    const grouped = chips && groups.length > 0 && groups.length < heads.length;
    let group = null, item = null;
    for (let i = 1; i <= entries.length; ++i) {
      const code = i % entries.length, entry = entries[code];
      if (!this.entryButtons[code]) continue;
      if (!grouped || entry.group !== group || !item) {
        item = element('li');
        group = entry.group;
        if (grouped && groups[group]) item.append(element('span', 'group', groups[group].name));
        list.append(item);
      }
      item.append(this.entryButtons[code]);
    }
    return list;
  }

  entryButton(entry, code, chip) {
    const button = element('button');
    Object.assign(button, {
        type : 'button',
        title : `${entry.name}: ${shown(this.channel.sizes[code])} points. ` +
                    'A double click, or Shift and Enter, shows only this.'
    });
    button.append(element('span', 'swatch'), element('bdi', 'name', entry.name));
    if (!chip) button.append(element('span', 'size', shown(this.channel.sizes[code])));
    const only = () => { this.channel.on.fill(0); this.channel.on[code] = 1; this.recolor(); };
    button.addEventListener('click', event => {
      if (event.shiftKey) return only();
      this.channel.on[code] ^= 1;
      this.recolor();
    });
    button.addEventListener('dblclick', only);
    return button;
  }

  // Colours of all points by the chosen channel; a point shows where every channel lets it.
  recolor() {
    const { channel, colors, points } = this;
    const table = channel.entries.map(entry => rgbOf(entry[theme()]));
    const closed = this.channels.filter(other => other.on.includes(0));
    let count = 0;
    for (let i = 0; i < points.count; ++i) {
      const visible = closed.every(other => other.on[other.codes[i]]);
      const color = table[channel.codes[i]];
      colors[4 * i] = color[0];
      colors[4 * i + 1] = color[1];
      colors[4 * i + 2] = color[2];
      colors[4 * i + 3] = visible ? 255 : 0;
      count += visible ? 1 : 0;
    }
    ++this.colorVersion;
    this.counts.textContent = (count === points.count ? '' : `${shown(count)} of `) +
                              (points.count === 1 ? '1 point' : `${shown(points.count)} points`);
    if (this.legendOf !== channel) this.buildLegend();
    this.entryButtons.forEach((button, code) => {
      if (!button) return;
      button.setAttribute('aria-pressed', String(Boolean(channel.on[code])));
      button.firstChild.style.background = channel.entries[code][theme()];
    });
    this.mark(-1);
    this.ask();
  }

  // --- the view

  resize() {
    const box = this.canvas.getBoundingClientRect();
    const ratio = this.ratio = window.devicePixelRatio || 1;
    const width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.canvas.clientHeight * ratio);
    if (!box.width || (width === this.canvas.width && height === this.canvas.height)) return;
    const fitted = !this.fitScale || Math.abs(this.view.scale / this.fitScale - 1) < 1e-6;
    const zoom = fitted ? 1 : this.view.scale / this.fitScale;
    for (const canvas of [this.canvas, this.marks]) Object.assign(canvas, { width, height });
    const { left, right, bottom, top } = this.points.box, room = 0.93;
    this.fitScale = room * Math.min(width / Math.max(right - left, 1e-3), height / Math.max(top - bottom, 1e-3));
    if (fitted) this.fit(); else this.view.scale = this.fitScale * zoom;
    this.paint();
  }

  fit() {
    const { left, right, bottom, top } = this.points.box;
    this.view = { x: (left + right) / 2, y: (bottom + top) / 2, scale: this.fitScale };
    this.mark(-1);
    this.ask();
  }

  get zoom() { return this.view.scale / this.fitScale; }

  // Radius of a dot in pixels of the screen: smaller where there are many, larger with the zoom.
  radius() {
    const few = clamp(3.4 * (2000 / Math.max(this.points.count, 1)) ** 0.24, 0.9, 5);
    return clamp(few * this.zoom ** 0.35 * this.dotSize, 0.5, 14) * this.ratio;
  }

  // Dots that lie upon each other let others through; with the zoom they come apart, and are more solid.
  opacity() {
    return 1 - (1 - this.density) ** (this.zoom ** 0.35);
  }

  // Where a pixel of the window lies on the map, and back.
  mapPlace(event) {
    const box = this.canvas.getBoundingClientRect(), { x, y, scale } = this.view;
    const dx = event.clientX - box.left - this.canvas.clientLeft - this.canvas.clientWidth / 2;
    const dy = event.clientY - box.top - this.canvas.clientTop - this.canvas.clientHeight / 2;
    return { x: x + dx * this.ratio / scale, y: y - dy * this.ratio / scale };
  }

  pixel(point) {
    const { x, y, scale } = this.view;
    return [this.canvas.width / 2 + (this.points.x(point) - x) * scale,
      this.canvas.height / 2 - (this.points.y(point) - y) * scale];
  }

  // Zooms so that a place stays where it is; without one, the middle.
  zoomBy(factor, place = this.view) {
    const scale = clamp(this.view.scale * factor, this.fitScale, this.fitScale * kMostZoom);
    const change = 1 - this.view.scale / scale;
    this.view = { x: this.view.x + (place.x - this.view.x) * change, y: this.view.y + (place.y - this.view.y) * change, scale };
    this.moved();
  }

  // By pixels of the page, as the hand moves.
  moveBy(dx, dy) {
    this.view.x -= dx * this.ratio / this.view.scale;
    this.view.y += dy * this.ratio / this.view.scale;
    this.moved();
  }

  moved() {
    const { left, right, bottom, top } = this.points.box;
    this.view.x = clamp(this.view.x, left, right);
    this.view.y = clamp(this.view.y, bottom, top);
    this.movedAt = performance.now();
    this.mark(-1);
    this.ask();
  }

  ask() {
    this.asked ??= requestAnimationFrame(() => this.paint());
  }

  // A frame. Where all dots would take long, a map that is being moved shows some: the first of them, which are a sample
  // of all. The others follow when it rests.
  paint() {
    if (this.asked) cancelAnimationFrame(this.asked);
    this.asked = null;
    if (!this.canvas.width || !this.fitScale) return;
    const begin = performance.now(), { count } = this.points;
    const quick = begin - this.movedAt < 120 && this.paintMs > 24;
    const some = quick ? Math.min(count, Math.max(40000, Math.ceil(count * 16 / this.paintMs))) : count;
    painter().paint(this, this.context, some);
    if (some === count) this.paintMs = performance.now() - begin;
    clearTimeout(this.rest);
    if (some < count) this.rest = setTimeout(() => this.ask(), 140);
  }

  // Rings around the marked dot, and thinner ones around the others of its document.
  paintMarks() {
    const { points, marked } = this, context = this.marks.getContext('2d');
    context.clearRect(0, 0, this.marks.width, this.marks.height);
    if (marked < 0) return;
    const mine = points.document[marked];
    const ring = (point, wide) => {
      context.beginPath();
      context.arc(...this.pixel(point), this.radius() + (wide + 1) * this.ratio, 0, 2 * Math.PI);
      context.lineWidth = wide * this.ratio;
      context.stroke();
    };
    context.strokeStyle = theme() === 'dark' ? '#e8eaed' : '#1f2328';
    for (let i = 0; mine && i < points.count; ++i)
      if (points.document[i] === mine && this.colors[4 * i + 3]) ring(i, 1);
    ring(marked, 2.25);
  }

  // --- the card

  mark(point) {
    if (point === this.marked) return;
    this.marked = point;
    this.canvas.classList.toggle('on-dot', point >= 0);
    if (point < 0) card.hidden = true;
    else this.fillCard(point);
    this.paintMarks();
  }

  fillCard(point) {
    const { points, data, documents } = this, at = points.document[point] - 1, head = data.heads[points.head[point] - 1];
    card.replaceChildren();
    if (at >= 0) card.append(element('bdi', 'id', documents.ids[at] ?? ''));
    if (head) {
      const group = data.groups[head.group];
      card.append(cardRow(data.rowWord, group ? `${head.name}, ${group.name}` : head.name, head[theme()]));
    }
    for (const channel of this.channels.slice(-documents.columns.length || this.channels.length)) {
      const code = channel.codes[point];
      if (code) card.append(cardRow(channel.name, channel.entries[code].name, channel.entries[code][theme()]));
    }
    const quotation = documents.quotations[at];
    if (quotation) {
      const text = element('p', 'quotation');
      text.append(element('bdi', '', quotation));
      card.append(text);
    }
  }

  // The dot near a place of the window, if any.
  look(event, reach = kReachPx) {
    const { x, y } = this.mapPlace(event);
    const radius = (reach * this.ratio + this.radius() / 2) / this.view.scale;
    this.mark(this.grid.nearest(x, y, radius, point => this.colors[4 * point + 3] > 0));
    if (this.marked >= 0) placeCard(event.clientX, event.clientY);
  }

  // --- pointer, wheel and keys

  listen() {
    const { canvas } = this, hands = this.hands = new Map();
    canvas.addEventListener('pointerdown', event => {
      if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
      hands.set(event.pointerId, { x: event.clientX, y: event.clientY, far: 0 });
      if (event.pointerType === 'mouse') canvas.classList.add('moving');
    });
    canvas.addEventListener('pointermove', event => this.pointerMoved(event));
    const lift = event => {
      const hand = hands.get(event.pointerId);
      hands.delete(event.pointerId);
      canvas.classList.remove('moving');
      if (event.type === 'pointerup' && hand && hand.far < 6) this.look(event, event.pointerType === 'mouse' ? kReachPx : 24);
    };
    canvas.addEventListener('pointerup', lift);
    canvas.addEventListener('pointercancel', lift);
    canvas.addEventListener('pointerleave', event => { if (event.pointerType === 'mouse') this.mark(-1); });
    canvas.addEventListener('dblclick', () => this.fit());
    canvas.addEventListener('wheel', event => this.wheel(event), { passive: false });
    canvas.addEventListener('keydown', event => this.key(event));
    canvas.addEventListener('blur', () => this.mark(-1));
  }

  pointerMoved(event) {
    const hand = this.hands.get(event.pointerId);
    if (!hand) return this.look(event);
    const other = [...this.hands.entries()].find(([id]) => id !== event.pointerId)?.[1];
    const before = { x: hand.x, y: hand.y };
    Object.assign(hand, { x: event.clientX, y: event.clientY, far: hand.far + Math.hypot(event.clientX - hand.x, event.clientY - hand.y) });
    const share = other ? 0.5 : 1; // of two fingers each moves the middle by half
    this.moveBy((hand.x - before.x) * share, (hand.y - before.y) * share);
    if (!other) return;
    const apart = Math.hypot(hand.x - other.x, hand.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    this.zoomBy(apart, this.mapPlace({ clientX: (hand.x + other.x) / 2, clientY: (hand.y + other.y) / 2 }));
  }

  // Zooms; but a reader who scrolls the page goes on past the map, and out of a whole map down the page.
  wheel(event) {
    const whole = this.view.scale <= this.fitScale * 1.0001 && event.deltaY > 0;
    if (!event.ctrlKey && (whole || event.timeStamp - lastScroll < 300)) {
      lastScroll = event.timeStamp;
      return;
    }
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    this.zoomBy(Math.exp(-clamp(event.deltaY * lines, -240, 240) * (event.ctrlKey ? 0.008 : 0.0022)), this.mapPlace(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = this.canvas.getBoundingClientRect();
    const middle = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    const acts = {
      '+': () => this.zoomBy(1.5), '=': () => this.zoomBy(1.5), '-': () => this.zoomBy(1 / 1.5), '0': () => this.fit(),
      ArrowLeft: () => this.moveBy(60, 0), ArrowRight: () => this.moveBy(-60, 0),
      ArrowUp: () => this.moveBy(0, 60), ArrowDown: () => this.moveBy(0, -60),
      Enter: () => this.look(middle, box.width), Escape: () => this.mark(-1),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}

// --- the maps of this page

const maps = [];
let documents = null;
let lastScroll = -Infinity; // when the page itself was scrolled last

function open(host) {
  if (host.childElementCount) return;
  documents ??= dataOf('documents-data');
  maps.push(new LiveMap(host, dataOf(`map-data-${host.dataset.map}`), documents));
}

// Paper is light, and shows all maps.
function print(hosts, now) {
  printing = now;
  if (now) hosts.forEach(open);
  for (const map of maps) {
    map.recolor();
    map.paint();
  }
}

// Maps are opened when they come near: a page may hold many.
function start(hosts) {
  document.body.append(card);
  const near = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      open(entry.target);
    }
  }, { rootMargin: '600px' });
  hosts.forEach(host => near.observe(host));
  window.addEventListener('wheel', event => {
    if (!(event.target instanceof HTMLCanvasElement)) lastScroll = event.timeStamp;
  }, { passive: true });
  window.addEventListener('scroll', () => maps.forEach(map => map.mark(-1)), { passive: true });
  window.addEventListener('resize', () => maps.forEach(map => map.resize()));
  darkScreen.addEventListener('change', () => maps.forEach(map => map.recolor()));
  window.addEventListener('beforeprint', () => print(hosts, true));
  window.addEventListener('afterprint', () => print(hosts, false));
}

const hosts = [...document.querySelectorAll('.live')];
if (hosts.length) start(hosts);
