//===- wire.js - Files that are not sound protobuf, and versions ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const onnx = require('../onnx');
const { tagBytes, varintBytes, BYTES, VARINT } = require('../wire');
const { MODEL, OK_OR_MODEL, soundModel, saying, ofBytes, changed } = require('./describe');

const sound = () => onnx.write(soundModel());
const join = (...parts) => Buffer.concat(parts);
const malformed = saying('offset|byte|field',
    'trunc|end|cut off|malformed|protobuf|length|invalid|too long|wire type|does not exist');
const graphField = 7;

module.exports = {
  'truncated': ofBytes(MODEL, malformed, () => sound().subarray(0, sound().length - 20)),
  'length-past-end': ofBytes(MODEL, malformed, () => join(tagBytes(graphField, BYTES), varintBytes(1 << 30),
      Buffer.from('abc'))),
  'length-past-end-64': ofBytes(MODEL, malformed,
    () => join(tagBytes(graphField, BYTES), varintBytes(2n ** 64n - 1n), Buffer.from('abc'))),
  'varint-too-long': ofBytes(MODEL, malformed, () => join(tagBytes(1, VARINT), Buffer.alloc(11, 0xff), sound())),
  'wrong-wire-type': ofBytes(MODEL, saying('graph|field|offset|byte', 'wire type|type'),
    () => join(tagBytes(graphField, VARINT), varintBytes(5))),
  'group-wire-type': ofBytes(MODEL, malformed, () => join(tagBytes(graphField, 3), sound())),
  'field-zero': ofBytes(MODEL, malformed, () => join(Buffer.from([0x00, 0x01]), sound())),
  'empty-file': ofBytes(MODEL, /empty|no graph|graph/i, () => Buffer.alloc(0)),
  'text-file': ofBytes(MODEL, /offset|byte|protobuf|not an onnx|malformed|field|graph/i,
    () => Buffer.from('This is a text file, and no model at all.\n')),
  'zeros': ofBytes(MODEL, malformed, () => Buffer.alloc(4096)),
  'directory': { exit: [3, 6], message: /directory|regular file|not a file/i,
      write: out => fs.mkdirSync(out, { recursive: true }) },
  'no-graph': changed(MODEL, /graph/i, proto => { delete proto.graph; }),
  'empty-graph': ofBytes(OK_OR_MODEL, /graph|output/i, () => join(
    onnx.write({ ...soundModel(), graph: undefined }), tagBytes(graphField, BYTES), varintBytes(0))),
  'opset-too-new': changed(MODEL, saying('opset', '99'), proto => { proto.opsetImport[0].version = 99; }),
  'opset-too-old': changed(MODEL, saying('opset', '0'), proto => { proto.opsetImport[0].version = 0; }),
  'opset-negative': changed(MODEL, saying('opset', '-3'), proto => { proto.opsetImport[0].version = -3; }),
  'opset-missing': changed(MODEL, /opset/i, proto => { proto.opsetImport = []; }),
  'opset-domain-missing': changed(OK_OR_MODEL, /opset|domain/i, proto => { proto.graph.node[0].domain = 'culprit'; }),
  'ir-version-too-new': changed(MODEL, saying('ir version', '99'), proto => { proto.irVersion = 99; }),
  'ir-version-missing': changed(MODEL, /ir version/i, proto => { delete proto.irVersion; }),
  'name-not-utf8': ofBytes(OK_OR_MODEL, /utf|name/i, () => {
    const bytes = sound();
    bytes[bytes.indexOf('first')] = 0xff;
    return bytes;
  }),
  'name-with-nul': changed(OK_OR_MODEL, /nul|name/i, proto => { proto.graph.node[0].name = 'a\0b'; }),
};
