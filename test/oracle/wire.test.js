//===- wire.test.js - Reading and writing ONNX ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const onnx = require('./onnx');
const npy = require('./npy');
const element = require('./element');

const relu = () => onnx.model({
  opset: 18, inputs: [['x', 'float', [1, 'N', null]]], outputs: [['y', 'float', [1, 'N', null]]],
  nodes: [{ op: 'Relu', name: 'first', inputs: ['x'], outputs: ['y'], doc: 'why', metadata: { key: 'value' } }],
});

test('a built model reads back as it was described', () => {
  const proto = onnx.read(relu()), [node] = proto.graph.node;
  assert.deepEqual(onnx.describeType(proto.graph.input[0].type), { text: 'float', dims: [1, 'N', null] });
  assert.deepEqual([node.opType, node.name, node.docString], ['Relu', 'first', 'why']);
  assert.deepEqual(node.metadataProps, [{ key: 'key', value: 'value' }]);
});

test('writing what was read gives the same bytes', () => {
  assert.deepEqual(onnx.write(onnx.read(relu())), relu());
});

test('a field the schema does not know is kept', () => {
  const extended = Buffer.concat([relu(), Buffer.from([0xf8, 0x07, 42])]); // field 127, varint
  assert.deepEqual(onnx.write(onnx.read(extended)), extended);
});

test('a truncated model is refused', () => {
  assert.throws(() => onnx.read(relu().subarray(0, -1)), /ends inside|passes the end/);
});

test('64-bit integers keep every bit', () => {
  const values = [0, -1, 2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n];
  for (const encoding of ['raw', 'typed']) {
    const bytes = onnx.codec.encode('TensorProto', onnx.tensorProto('t', 'int64', [5], values, { encoding }));
    assert.deepEqual(onnx.tensorValue(onnx.codec.decode('TensorProto', bytes)).data,
        BigInt64Array.from(values, BigInt));
  }
});

test('every element type reads back from raw and typed data', () => {
  for (const { name, bits } of element.elements) {
    if (name === 'string') continue;
    const values = [1, 0, 1, 1], length = name.startsWith('complex') ? 2 : 4;
    for (const encoding of ['raw', 'typed']) {
      const proto = onnx.tensorProto('t', name, [length], values, { encoding });
      const read = onnx.tensorValue(onnx.codec.decode('TensorProto', onnx.codec.encode('TensorProto', proto)));
      assert.deepEqual(read.data, element.arrayOf(name, values), `${name} ${encoding} of ${bits} bits`);
    }
  }
});

test('all finite half values survive float and back', () => {
  for (let bits = 0; bits < 65536; ++bits) {
    if ((bits >> 10 & 31) === 31) continue;
    assert.equal(element.floatToHalf(element.halfToFloat(bits)), bits);
  }
});

test('halves round to even', () => {
  assert.equal(element.floatToHalf(2049), element.floatToHalf(2048));
  assert.equal(element.floatToHalf(2051), element.floatToHalf(2052));
  assert.equal(element.floatToHalf(65519), element.floatToHalf(65504));
  assert.equal(element.floatToHalf(65520), 0x7c00);
});

test('bfloat16 rounds to even', () => {
  assert.equal(element.bfloat16ToFloat(element.floatToBfloat16(257)), 256);
  assert.equal(element.bfloat16ToFloat(element.floatToBfloat16(259)), 260);
});

test('.npy reads back, and other bytes are refused', () => {
  const tensor = element.tensor('int64', [2, 1], [1, -2]);
  assert.deepEqual(npy.read(npy.write(tensor)), tensor);
  assert.deepEqual(npy.read(npy.write(element.tensor('float16', [], [0.5]))).dims, []);
  assert.throws(() => npy.read(Buffer.from('not numpy at all')), /not a .npy/);
});

test('nested graphs are found', () => {
  const branch = value => onnx.graph({
    outputs: [['o', 'float', []]],
    nodes: [{ op: 'Constant', outputs: ['o'], attrs: { value: onnx.tensorProto('', 'float', [], [value]) } }],
  });
  const attrs = { then_branch: branch(1), else_branch: branch(2) };
  const bytes = onnx.model({
    inputs: [['c', 'bool', []]], outputs: [['y', 'float', []]],
    nodes: [{ op: 'If', inputs: ['c'], outputs: ['y'], attrs }],
  });
  assert.equal(onnx.allGraphs(onnx.read(bytes)).length, 3);
});
