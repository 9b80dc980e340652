//===- npy.js - Reading and writing NumPy's .npy --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { count, byteSize, bytesOf, fromBytes } = require('./element');

const descriptors = {
  '<f4': 'float', '<f8': 'double', '<f2': 'float16', '|i1': 'int8', '|u1': 'uint8', '<i2': 'int16', '<u2': 'uint16',
  '<i4': 'int32', '<u4': 'uint32', '<i8': 'int64', '<u8': 'uint64', '|b1': 'bool', '<c8': 'complex64',
  '<c16': 'complex128',
};

const magic = Buffer.from('\x93NUMPY', 'latin1');

function read(bytes) {
  if (!bytes.subarray(0, 6).equals(magic)) throw new Error('not a .npy file');
  const wide = bytes[6] > 1, length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8), start = wide ? 12 : 10;
  const header = bytes.toString('latin1', start, start + length);
  const type = descriptors[/'descr':\s*'([^']*)'/.exec(header)?.[1]];
  if (!type) throw new Error(`.npy header without a known element type: ${header}`);
  if (/'fortran_order':\s*True/.test(header)) throw new Error('.npy in Fortran order is not read');
  const dims = /'shape':\s*\(([^)]*)\)/.exec(header)[1].split(',').filter(text => text.trim()).map(Number);
  const body = bytes.subarray(start + length, start + length + byteSize(type, count(dims)));
  return { type, dims, data: fromBytes(type, body) };
}

function write(tensor) {
  const descriptor = Object.keys(descriptors).find(key => descriptors[key] === tensor.type);
  if (!descriptor) throw new Error(`.npy has no type '${tensor.type}'`);
  const shape = `(${tensor.dims.map(dim => `${dim},`).join('')})`;
  const text = `{'descr': '${descriptor}', 'fortran_order': False, 'shape': ${shape}, }`;
  const padded = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + '\n';
  const prefix = Buffer.concat([magic, Buffer.from([1, 0, padded.length & 255, padded.length >> 8])]);
  return Buffer.concat([prefix, Buffer.from(padded), bytesOf(tensor)]);
}

module.exports = { read, write };
