//===- random_pictures.js - Random networks over a height and a width -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows of all kinds, what stands between them, means of pictures, and some
// operators that only one size would allow: these have to be seen.
//
//===----------------------------------------------------------------------===//

'use strict';

const { RandomNetwork } = require('./random_network');

class Pictures extends RandomNetwork {
  // `size` says how height and width came to be: what has the same is as large.
  keep(name, channels, size) { this.values.push({ name, channels, size }); }
  add(op, inputs, channels, size, attrs) { this.keep(this.net.add(op, inputs, attrs), channels, size); }

  picture() { return this.value(({ size }) => size !== 'one'); }

  // Attributes of windows, and how large what they give is.
  window(size, { maxTaps = 5 } = {}) {
    const along = () => {
      const taps = this.pick([1, 2, 3, 3, 3, maxTaps]), stride = this.pick([1, 1, 2, 3]), dilation = this.pick([1, 1, 1, 2]);
      const reach = (taps - 1) * dilation, begin = this.draw(4) ? reach >> 1 : this.draw(taps), end = this.draw(4) ? reach - begin : this.draw(taps);
      return { taps, stride, dilation, begin: Math.max(begin, 0), end: Math.max(end, 0), reach };
    };
    const dims = [along(), along()], numbers = name => dims.map(dim => dim[name]);
    const changes = dims.map(({ stride, begin, end, reach }) => (stride === 1 && begin + end === reach ? '' : `(${begin + end - reach - 1 + stride}/${stride})`));
    return {
      size: changes.every(change => change === '') ? size : `${size}[${changes}]`,
      attrs: { kernel_shape: numbers('taps'), strides: numbers('stride'), dilations: numbers('dilation'), pads: [...numbers('begin'), ...numbers('end')] },
    };
  }

  conv({ name, channels, size }, to, group, { size: result, attrs } = this.window(size)) {
    const weight = this.net.weight([to, channels / group, ...attrs.kernel_shape], 1 / Math.sqrt(channels / group * attrs.kernel_shape[0] * attrs.kernel_shape[1]));
    this.add('Conv', [name, weight, ...this.draw(2) ? [this.net.weight([to], 0.1)] : []], to, result, { group, ...attrs });
  }

  // As it was, in the other order of dimensions.
  acrossChannels({ name, channels, size }, compute) {
    const turned = this.net.add('Transpose', [name], { perm: [0, 2, 3, 1] });
    const [computed, to = channels] = compute(turned);
    this.add('Transpose', [computed], to, size, { perm: [0, 3, 1, 2] });
  }
}

const plain = size => ({ size, attrs: { kernel_shape: [3, 3], strides: [1, 1], dilations: [1, 1], pads: [1, 1, 1, 1] } });
const point = size => ({ size, attrs: { kernel_shape: [1, 1], strides: [1, 1], dilations: [1, 1], pads: [0, 0, 0, 0] } });

const steps = {
  conv(own) { own.conv(own.picture(), own.pick([4, 8, 19, 32]), 1); },
  plain(own) {
    const value = own.picture();
    own.conv(value, own.pick([8, 16, 32]), 1, plain(value.size));
  },
  point(own) {
    const value = own.value();
    own.conv(value, own.pick([5, 16, 48]), 1, point(value.size));
  },
  depthwise(own) {
    const value = own.picture();
    own.conv(value, value.channels * own.pick([1, 1, 2]), value.channels);
  },
  grouped(own) {
    const value = own.value(({ channels, size }) => channels % 2 === 0 && size !== 'one');
    if (value) own.conv(value, 2 * own.pick([3, 8]), 2);
  },
  unary(own) {
    const { name, channels, size } = own.value();
    own.add(own.pick(['Relu', 'Sigmoid', 'Tanh', 'HardSwish', 'Neg']), [name], channels, size);
  },
  clip(own) {
    const { name, channels, size } = own.value();
    own.add('Clip', [name, own.net.constant([], [own.pick([0, -0.5])]), own.net.constant([], [6])], channels, size);
  },
  sum(own) {
    const value = own.value(), same = own.value(other => other.size === value.size && other.channels === value.channels);
    own.add(own.pick(['Add', 'Mul', 'Max']), [value.name, same.name], value.channels, value.size);
  },
  scale(own) {
    const { name, channels, size } = own.value();
    own.add(own.pick(['Add', 'Mul']), [name, own.net.weight([channels, 1, 1], 1)], channels, size);
  },
  residual(own) {
    const value = own.picture();
    own.conv(value, value.channels, own.pick([1, value.channels]), plain(value.size));
    own.add('Relu', [own.net.add('Add', [value.name, own.values.at(-1).name])], value.channels, value.size);
  },
  pool(own) {
    const { name, channels, size } = own.picture(), { size: result, attrs } = own.window(size, { maxTaps: 3 });
    attrs.pads = attrs.pads.map((pad, i) => Math.min(pad, attrs.kernel_shape[i % 2] - 1));
    const { dilations, ...others } = attrs, isMost = own.draw(2) === 0;
    // What is padded may have become less, and dilations are only of the one.
    own.add(isMost ? 'MaxPool' : 'AveragePool', [name], channels, `${result}#${own.values.length}`,
            isMost ? attrs : { ...others, count_include_pad: own.draw(2) });
  },
  ceiling(own) {
    const { name, channels, size } = own.picture();
    own.add('MaxPool', [name], channels, `${size}#${own.values.length}`, { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 });
  },
  same(own) {
    const { name, channels, size } = own.picture(), stride = own.pick([1, 2]);
    own.add('MaxPool', [name], channels, `${size}#${own.values.length}`, { kernel_shape: [3, 3], strides: [stride, stride], auto_pad: 'SAME_UPPER' });
  },
  global(own) {
    const { name, channels } = own.picture();
    own.add(own.pick(['GlobalAveragePool', 'GlobalMaxPool']), [name], channels, 'one');
  },
  mean(own) {
    const { name, channels } = own.picture();
    own.add('ReduceMean', [name], channels, 'one', { axes: [2, 3], keepdims: 1 });
  },
  excite(own) {
    const { name, channels, size } = own.picture();
    const mean = own.net.add('GlobalAveragePool', [name]), few = own.net.add('Relu', [own.net.add('Conv', [mean, own.net.weight([4, channels, 1, 1], 0.3)])]);
    const many = own.net.add('Sigmoid', [own.net.add('Conv', [few, own.net.weight([channels, 4, 1, 1], 0.5)])]);
    own.add('Mul', own.draw(2) ? [name, many] : [many, name], channels, size);
  },
  lines(own) {
    const { name, channels, size } = own.picture(), axis = 2 + own.draw(2);
    own.add('Add', [name, own.net.add('ReduceMean', [name], { axes: [axis], keepdims: 1 })], channels, size);
  },
  concat(own) {
    const value = own.value(), same = own.value(other => other.size === value.size);
    if (value.channels + same.channels < 80) own.add('Concat', [value.name, same.name], value.channels + same.channels, value.size, { axis: 1 });
  },
  slice(own) {
    const { name, channels, size } = own.value();
    if (channels > 3) own.add('Slice', [name, ...[1, channels - 1, 1].map(i => own.net.integers([i]))], channels - 2, size);
  },
  // Means of whole pictures are alike, so that what is left of them is rounding.
  norm(own) {
    const value = own.value(({ channels, size }) => channels >= 4 && size !== 'one');
    if (value) own.acrossChannels(value, x => [own.net.add('LayerNormalization', [x, own.net.weight([value.channels], 1)], { axis: -1 })]);
  },
  linear(own) {
    const value = own.value(), to = own.pick([6, 24]);
    own.acrossChannels(value, x => [own.net.add('MatMul', [x, own.net.weight([value.channels, to], 1 / Math.sqrt(value.channels))]), to]);
  },
  softmax(own) {
    const { name, channels, size } = own.value();
    own.add('Softmax', [name], channels, size, { axis: own.pick([1, 1, 1, 3]) });
  },
  larger(own) {
    const { name, channels, size } = own.picture();
    own.add('Resize', [name, '', own.net.constant([4], [1, 1, 2, 2])], channels, `${size}#${own.values.length}`, { mode: 'nearest' });
  },
  cut(own) {
    const { name, channels, size } = own.picture();
    own.add('Slice', [name, ...[1, 5, 2].map(i => own.net.integers([i]))], channels, `${size}#${own.values.length}`);
  },
  padded(own) {
    const { name, channels, size } = own.picture();
    own.add('Pad', [name, own.net.integers([0, 0, 1, 1, 0, 0, 1, 0])], channels, `${size}#${own.values.length}`);
  },
};

// Those that cannot be compiled, mostly.
const rare = ['ceiling', 'same', 'lines', 'softmax', 'larger', 'cut', 'padded'];
const often = Object.keys(steps).filter(name => !rare.includes(name));

// {bytes, largest}: a model whose inputs have open dimensions, and how large
// these may be.
function randomPicture(seed) {
  const own = new Pictures(seed), dims = [own.pick([1, 1, 1, 2, 'batch']), own.pick([3, 4, 16]), 'height', 'width'];
  const numSteps = 1 + own.draw(9), largest = { height: 8 + own.draw(40), width: 8 + own.draw(40) };
  const shape = own.draw(10);
  if (shape < 2) {
    const fixed = own.pick(['height', 'width']);
    dims[fixed === 'height' ? 2 : 3] = largest[fixed];
    delete largest[fixed];
  } else if (shape === 2) {
    dims[3] = 'height';
    delete largest.width;
  }
  if (dims[0] === 'batch') largest.batch = 8;
  for (let i = 0; i < 1 + (own.draw(4) === 0); ++i) {
    own.inputs.push([`x${i}`, 'float', dims]);
    own.keep(`x${i}`, dims[1], 'all');
  }
  for (let i = 0; i < numSteps; ++i) steps[own.draw(16) === 0 ? own.pick(rare) : own.pick(often)](own);
  const [result] = own.values.slice(-1), other = own.value();
  const outputs = [['y', 'float', [null, null, null, null], result.name]];
  if (other !== result) outputs.push(['z', 'float', [null, null, null, null], other.name]);
  return { bytes: own.net.finish(own.inputs, outputs), largest };
}

module.exports = { randomPicture };
