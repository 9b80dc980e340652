//===- exporter.js - Models as exporters write them -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the nodes and weights of an example model. Shapes are computed node
// by node, and parameters are Constant nodes.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../test/oracle/onnx');
const { uniform } = require('../test/oracle/random');

class Exporter {
  constructor() { Object.assign(this, { nodes: [], initializers: [], next: uniform(1) }); }

  weight(name, dims, scale, offset = 0) {
    const count = dims.reduce((a, b) => a * b, 1);
    const values = Float32Array.from({ length: count }, () => offset + scale * (2 * this.next() - 1));
    this.initializers.push(onnx.tensorProto(name, 'float', dims, values));
    return name;
  }

  // Adds a node named after its output, as exporters do; returns the output.
  add(op, name, inputs, attrs, output = `${name}.${op}`) {
    this.nodes.push({ op, name: `/${name.replaceAll('.', '/')}/${op}`, inputs, outputs: [output], attrs });
    return output;
  }

  constant(name, dims, values) {
    return this.add('Constant', name, [], { value: onnx.tensorProto('', 'int64', dims, values.map(BigInt)) });
  }

  // Extent `axis` of `x` as a list of one element, in the three nodes it takes.
  extent(name, x, axis) {
    const gathered = this.add('Gather', `${name}.dim${axis}`,
                              [this.add('Shape', `${name}.dim${axis}`, [x]), this.constant(`${name}.dim${axis}.index`, [], [axis])],
                              { axis: 0 });
    return this.add('Unsqueeze', `${name}.dim${axis}`, [gathered, this.constant(`${name}.dim${axis}.axes`, [1], [0])]);
  }

  // Reshape to extents of which each is a number or [value, axis].
  reshape(name, x, target) {
    const parts = target.map((part, i) => typeof part === 'number' ? this.constant(`${name}.part${i}`, [1], [part])
                                                                   : this.extent(`${name}.part${i}`, ...part));
    return this.add('Reshape', name, [x, this.add('Concat', `${name}.shape`, parts, { axis: 0 })]);
  }

  convolution(name, x, inputs, outputs, { kernel = 3, stride = 1, group = 1, pad = (kernel - 1) / 2 } = {}) {
    const dims = [outputs, inputs / group, kernel, kernel], scale = Math.sqrt(3 / (inputs / group * kernel * kernel));
    return this.add('Conv', name, [x, this.weight(`${name}.weight`, dims, scale), this.weight(`${name}.bias`, [outputs], 0.1)],
                    { kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad], group });
  }

  model(name, inputs, outputs) {
    const { nodes, initializers } = this;
    return onnx.model({ opset: 17, producer: `make_${name}`, name, nodes, initializers, inputs, outputs });
  }
}

module.exports = { Exporter };
