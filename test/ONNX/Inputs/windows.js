//===- windows.js - A block of shifted windows as exporters trace it ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention in shifted windows of an image [batch, side, side, channels], the
// way a tracing exporter writes it: extents are computed at run time (Shape,
// Gather, Div, Mul, Concat) and given to Reshape; the image is rolled by Slice
// and Concat; the mask of windows that hold two regions is built by assigning
// to slices of zeros (ConstantOfShape, ScatterND, the same extents again); the
// bias is gathered from a table by relative positions.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('onnx.js');

const ints = (name, values, dims = [values.length]) => onnx.tensorProto(name, 'int64', dims, values.map(BigInt));
const floats = (name, dims, scale = 1) =>
  onnx.tensorProto(name, 'float', dims, Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) },
                                                          (_, i) => scale * Math.sin(i * i + name.length)));

// Collects nodes and constants; every method returns the name of a value.
class Tracer {
  constructor() {
    this.nodes = [];
    this.initializers = [];
    this.count = 0;
  }
  fresh(text) { return `${text}_${this.count++}`; }
  add(op, inputs, attrs = {}, output = this.fresh(op)) {
    this.nodes.push({ op, name: `/${output}`, inputs, outputs: [output], attrs });
    return output;
  }
  keep(tensor) {
    this.initializers.push(tensor);
    return tensor.name;
  }
  list(...values) { return this.keep(ints(this.fresh('list'), values)); }
  number(value) { return this.add('Constant', [], { value: ints('', [value], []) }); }
  extent(value, axis) { return this.add('Gather', [this.add('Shape', [value]), this.number(axis)], { axis: 0 }); }
  // Entries are numbers or names of scalars.
  shape(...entries) {
    const parts = entries.map(entry => typeof entry === 'number' ? this.list(entry) : this.add('Unsqueeze', [entry, this.list(0)]));
    return this.add('Concat', parts, { axis: 0 });
  }
  reshape(value, ...entries) { return this.add('Reshape', [value, this.shape(...entries)]); }
  slice(value, start, end, axis) {
    return this.add('Slice', [value, this.list(start), this.list(end), this.list(axis), this.list(1)]);
  }
}

const end = 2 ** 53;

// torch.roll along dimension `axis`.
function roll(t, value, shift, axis) {
  return t.add('Concat', [t.slice(value, shift, end, axis), t.slice(value, 0, shift, axis)], { axis });
}

// [batch, h, w, c] as [batch * windows, window * window, c].
function partition(t, value, window, channels) {
  const [batch, height, width] = [0, 1, 2].map(axis => t.extent(value, axis));
  const rows = t.add('Div', [height, t.number(window)]), columns = t.add('Div', [width, t.number(window)]);
  const split = t.reshape(value, batch, rows, window, columns, window, channels);
  const moved = t.add('Transpose', [split], { perm: [0, 1, 3, 2, 4, 5] });
  const windows = t.add('Mul', [t.add('Mul', [batch, rows]), columns]);
  return { windows: t.reshape(moved, windows, window * window, channels), batch, rows, columns };
}

// Positions `from`..`to` of a dimension of `side`, as a traced slice computes them.
function positions(t, side, from, to) {
  const range = t.add('Range', [t.number(0), side, t.number(1)]);
  return t.add('Slice', [range, t.list(from), t.list(to), t.list(0), t.list(1)]);
}

// The mask [windows, n, n] of what may not attend to what.
function regionMask(t, rolled, side, window, shift) {
  const height = t.extent(rolled, 1), width = t.extent(rolled, 2);
  const cuts = [[0, side - window], [side - window, side - shift], [side - shift, side]];
  let regions = t.add('ConstantOfShape', [t.shape(height, width)], { value: floats('', [1], 0) });
  cuts.forEach((rows, i) => cuts.forEach((columns, j) => {
    const y = positions(t, height, ...rows), x = positions(t, width, ...columns);
    const box = [rows[1] - rows[0], columns[1] - columns[0]], shape = t.list(...box, 1);
    const ys = t.add('Expand', [t.add('Unsqueeze', [y, t.list(1, 2)]), shape]);
    const xs = t.add('Expand', [t.add('Unsqueeze', [x, t.list(0, 2)]), shape]);
    const at = t.add('Concat', [ys, xs], { axis: 2 });
    const value = t.keep(onnx.tensorProto(t.fresh('region'), 'float', [], [3 * i + j]));
    regions = t.add('ScatterND', [regions, at, t.add('Expand', [value, t.list(...box)])]);
  }));
  const image = t.add('Unsqueeze', [regions, t.list(0, 3)]);
  const { windows } = partition(t, image, window, 1), flat = t.reshape(windows, -1, window * window);
  const apart = t.add('Sub', [t.add('Unsqueeze', [flat, t.list(1)]), t.add('Unsqueeze', [flat, t.list(2)])]);
  const equal = t.add('Equal', [apart, t.keep(floats(t.fresh('zero'), [], 0))]);
  const barred = t.keep(onnx.tensorProto(t.fresh('barred'), 'float', [], [-100]));
  return t.add('Where', [t.add('Not', [equal]), barred, apart]);
}

// The bias [1, heads, n, n].
function positionBias(t, window, heads) {
  const n = window * window, span = 2 * window - 1;
  const index = Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return (Math.floor(i / window) - Math.floor(j / window) + window - 1) * span + (i % window - j % window + window - 1);
  });
  const gathered = t.add('Gather', [t.keep(floats(t.fresh('table'), [span * span, heads])), t.keep(ints(t.fresh('index'), index))]);
  const square = t.reshape(gathered, n, n, -1);
  return t.add('Unsqueeze', [t.add('Transpose', [square], { perm: [2, 0, 1] }), t.list(0)]);
}

function attention(t, { windows, batch, rows, columns }, { window, heads, channels, mask }) {
  const n = window * window, depth = channels / heads, count = t.extent(windows, 0);
  const weight = name => t.keep(floats(name, [channels, channels], 0.2));
  const project = name => t.add('Transpose', [
    t.reshape(t.add('MatMul', [windows, weight(name)]), count, n, heads, depth)], { perm: [0, 2, 1, 3] });
  const keys = t.add('Transpose', [project('keys')], { perm: [0, 1, 3, 2] });
  const scores = t.add('Add', [t.add('MatMul', [project('queries'), keys]), positionBias(t, window, heads)]);
  const perImage = t.add('Mul', [rows, columns]);
  const grouped = t.reshape(scores, batch, perImage, heads, n, n);
  const masked = t.add('Add', [grouped, t.add('Unsqueeze', [t.add('Unsqueeze', [mask, t.list(1)]), t.list(0)])]);
  const shares = t.add('Softmax', [t.reshape(masked, -1, heads, n, n)], { axis: -1 });
  const mixed = t.add('Transpose', [t.add('MatMul', [shares, project('values')])], { perm: [0, 2, 1, 3] });
  return t.add('MatMul', [t.reshape(mixed, count, n, channels), weight('mix')]);
}

// Options of onnx.model. `batch` and `image` are extents or symbols.
function windowBlock({ batch = 1, side = 8, window = 4, shift = 2, heads = 2, channels = 8, opset = 17, image = side } = {}) {
  const t = new Tracer(), rolled = roll(t, roll(t, 'x', shift, 1), shift, 2);
  const parts = partition(t, rolled, window, channels);
  const mask = regionMask(t, rolled, side, window, shift);
  const mixed = attention(t, parts, { window, heads, channels, mask });
  const split = t.reshape(mixed, parts.batch, parts.rows, parts.columns, window, window, channels);
  const moved = t.add('Transpose', [split], { perm: [0, 1, 3, 2, 4, 5] });
  const whole = t.reshape(moved, parts.batch, t.extent(rolled, 1), t.extent(rolled, 2), channels);
  const back = roll(t, roll(t, whole, side - shift, 1), side - shift, 2);
  t.add('Add', ['x', back], {}, 'y');
  const type = [batch, image, image, channels];
  return { opset, inputs: [['x', 'float', type]], outputs: [['y', 'float', type]], nodes: t.nodes, initializers: t.initializers };
}

module.exports = { windowBlock };
