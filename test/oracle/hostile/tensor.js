//===- tensor.js - Tensors and external data that are not sound -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const onnx = require('../onnx');
const { MODEL, OK_OR_MODEL, floats, ints, soundModel, saying, changed } = require('./describe');

// The sound model with its constant replaced by one called culprit.
function withTensor(exit, message, tensor) {
  return changed(exit, message, ({ graph }) => {
    graph.initializer = [{ ...tensor, name: 'culprit' }];
    graph.node[1].input[1] = 'culprit';
  });
}

const inType = (exit, message, dims) => changed(exit, message, ({ graph }) => {
  graph.input.push({ name: 'culprit', type: onnx.typeProto('float', dims) });
});

//===----------------------------------------------------------------------===//
// External data
//===----------------------------------------------------------------------===//

// `prepare(folder, out)` makes the files; the entries may name them.
function external(exit, what, entries, prepare = () => {}) {
  const write = out => {
    const folder = path.dirname(path.resolve(out)), proto = soundModel();
    prepare(folder, out);
    const tensor = { name: 'culprit', dims: [2, 2], dataType: 1, dataLocation: 1 };
    const listed = typeof entries === 'function' ? entries(folder, out) : entries;
    tensor.externalData = Object.entries(listed).map(([key, value]) => ({ key, value }));
    proto.graph.initializer = [tensor];
    proto.graph.node[1].input[1] = 'culprit';
    fs.writeFileSync(out, onnx.write(proto));
  };
  return { exit, message: saying('culprit', what), write };
}

const data = (folder, out, bytes = 64) => fs.writeFileSync(`${out}.data`, Buffer.alloc(bytes, 1));
const beside = rest => (folder, out) => ({ location: `${path.basename(out)}.data`, ...rest });
const outside = 'outside|folder|director|absolute|\\.\\.|escape|relative';

function linkOut(folder, out) {
  fs.rmSync(`${out}.data`, { force: true });
  fs.symlinkSync('/etc/passwd', `${out}.data`);
}

// The link is one of the folders on the way to the file.
function linkFolder(folder, out) {
  fs.rmSync(`${out}.dir`, { force: true });
  fs.symlinkSync('/etc', `${out}.dir`);
}

// Opening it for reading would wait for a writer.
function makeFifo(folder, out) {
  fs.rmSync(`${out}.data`, { force: true });
  spawnSync('mkfifo', [`${out}.data`]);
}

const past = 'end|size|past|beyond|range|length';

module.exports = {
  'shape-overflow': withTensor(MODEL, saying('culprit', 'overflow|too large|elements'),
      { dims: [2n ** 62n, 2n ** 62n], dataType: 1 }),
  'shape-overflow-bytes': withTensor(MODEL, saying('culprit', 'overflow|too large|bytes'),
      { dims: [2n ** 62n], dataType: 11 }),
  'shape-overflow-wraps-to-small': withTensor(MODEL, saying('culprit', 'overflow|too large|elements'),
    { dims: [2n ** 32n, 2n ** 32n, 4], dataType: 1, rawData: Buffer.alloc(16) }),
  'shape-too-large': withTensor(MODEL, saying('culprit', 'size|bytes|elements|numbers|data'),
      { dims: [2 ** 40], dataType: 1 }),
  'negative-dim': withTensor(MODEL, saying('culprit', 'negative|-1'),
      { dims: [-1, 4], dataType: 1, rawData: Buffer.alloc(16) }),
  'negative-dim-in-type': inType(OK_OR_MODEL, saying('culprit', 'negative|-7'), [-7, 2]),
  'absurd-rank': withTensor(MODEL, saying('culprit', 'rank|dimensions'),
    { dims: new Array(100000).fill(1), dataType: 1, rawData: Buffer.alloc(4) }),
  'absurd-rank-in-type': inType(MODEL, saying('culprit', 'rank|dimensions'), new Array(100000).fill(1)),
  'raw-size-too-small': withTensor(MODEL, saying('culprit', '16|12'),
      { dims: [2, 2], dataType: 1, rawData: Buffer.alloc(12) }),
  'raw-size-too-large': withTensor(MODEL, saying('culprit', '16|20'),
      { dims: [2, 2], dataType: 1, rawData: Buffer.alloc(20) }),
  'raw-size-int4': withTensor(MODEL, saying('culprit', '2|3'), { dims: [3], dataType: 22, rawData: Buffer.alloc(3) }),
  'typed-data-count': withTensor(MODEL, saying('culprit', '16|12'),
      { dims: [2, 2], dataType: 1, floatData: [1, 2, 3] }),
  'typed-data-of-other-type': withTensor(MODEL, saying('culprit', 'data|type|float'),
      { dims: [2, 2], dataType: 1, int32Data: [1, 2, 3, 4] }),
  'raw-and-float-data': withTensor(MODEL, saying('culprit', 'both|raw|more than|one'),
    { dims: [2, 2], dataType: 1, rawData: Buffer.alloc(16), floatData: [1, 2, 3, 4] }),
  'no-data': withTensor(MODEL, saying('culprit', 'data|elements|bytes|size'), { dims: [2, 2], dataType: 1 }),
  'string-with-raw-data': withTensor(MODEL, saying('culprit', 'string|raw'),
      { dims: [1], dataType: 8, rawData: Buffer.alloc(4) }),
  'unknown-data-type': withTensor(MODEL, saying('culprit', '99|type'),
      { dims: [1], dataType: 99, rawData: Buffer.alloc(4) }),
  'undefined-data-type': withTensor(MODEL, saying('culprit', 'type'), { dims: [1], rawData: Buffer.alloc(4) }),
  'unknown-type-of-input': changed(MODEL, saying('x', '99|type'),
      ({ graph }) => { graph.input[0].type.tensorType.elemType = 99; }),
  'segment': withTensor(MODEL, saying('culprit', 'segment'),
    { dims: [2, 2], dataType: 1, rawData: Buffer.alloc(16), segment: { begin: 0, end: 2 } }),
  'initializer-without-name': changed(OK_OR_MODEL, /initializer|name/i,
      ({ graph }) => { graph.initializer.push(floats('', [1], [1])); }),
  'initializer-of-other-type-than-input': changed(OK_OR_MODEL, saying('w', 'type|shape'), ({ graph }) => {
    graph.input.push({ name: 'w', type: onnx.typeProto('int64', [3]) });
  }),
  'sparse-index-out-of-range': changed(OK_OR_MODEL, saying('culprit', 'ind|range'), ({ graph }) => {
    graph.initializer = [];
    graph.sparseInitializer = [{ values: floats('culprit', [2], [1, 2]), indices: ints('', [2], [1, 99]),
        dims: [2, 2] }];
    graph.node[1].input[1] = 'culprit';
  }),

  'external-dotdot': external(MODEL, outside,
    (folder, out) => ({ location: `../${path.basename(folder)}/${path.basename(out)}.data` }), data),
  'external-dotdot-inside': external(MODEL, outside, { location: 'a/../../etc/passwd' }),
  'external-absolute': external(MODEL, outside, { location: '/etc/passwd' }),
  'external-symlink': external(MODEL, `${outside}|link`, beside({}), linkOut),
  'external-symlinked-folder': external(MODEL, `${outside}|link`,
    (folder, out) => ({ location: `${path.basename(out)}.dir/passwd` }), linkFolder),
  'external-offset-past-end': external(MODEL, past, beside({ offset: '60' }), data),
  'external-offset-overflow': external(MODEL, `${past}|overflow`, beside({ offset: '18446744073709551608' }), data),
  'external-negative-offset': external(MODEL, 'offset', beside({ offset: '-16' }), data),
  'external-offset-not-a-number': external(MODEL, 'offset', beside({ offset: '12x' }), data),
  'external-length-too-small': external(MODEL, '16|12', beside({ length: '12' }), data),
  'external-length-past-end': external(MODEL, `${past}|16`, beside({ length: '4096' }), data),
  'external-missing': external(MODEL, 'no such|not found|open|exist', { location: 'nowhere.data' }),
  'external-without-location': external(MODEL, 'location', { offset: '0' }),
  'external-empty-location': external(MODEL, 'location|director|file', { location: '' }),
  'external-directory': external(MODEL, 'director|regular|file', { location: '.' }),
  'external-fifo': external(MODEL, 'regular|file', beside({}), makeFifo),
  'external-nul-in-location': external(MODEL, 'location|nul|file|open', { location: 'a\0b' }),
  'external-and-raw': changed(MODEL, saying('w', 'external|raw|both'), ({ graph }) => {
    Object.assign(graph.initializer[0], { dataLocation: 1, externalData: [{ key: 'location', value: 'x' }] });
  }),
};
