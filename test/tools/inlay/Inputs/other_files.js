//===- other_files.js - Files that are no models --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node other_files.js FOLDER
//
// Each has what its format begins with.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

function write(name, ...parts) {
  fs.writeFileSync(path.join(folder, name), Buffer.concat(parts.map(part => Buffer.from(part, 'latin1'))));
}

// The local header of the first file of a zip archive.
function zipHeader(name) {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 0, 'latin1');
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function length(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}

const zeros = Buffer.alloc(600);
const header = '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}';

write('array.npy', '\x93NUMPY\x01\x00', zeros);
write('arrays.npz', zipHeader('x.npy'), zeros);
write('checkpoint.pth', zipHeader('net/data.pkl'), zeros);
write('empty.onnx');
write('image.png', '\x89PNG\r\n\x1a\n', zeros);
write('model.json', '{"graph": []}\n');
write('model.onnxtxt', '<\n  ir_version: 8,\n  opset_import: ["" : 17]\n>\ng (float[2] x) => (float[2] y) { y = Relu(x) }\n');
write('model.ort', '\x20\x00\x00\x00ORTM', zeros);
write('model.tar', 'model.onnx', zeros.subarray(0, 247), 'ustar\x00', zeros);
write('model.tflite', '\x1c\x00\x00\x00TFL3', zeros);
write('module.onnx', '"builtin.module"() ({}) : () -> ()\n');
write('old.pt', '\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.', zeros);
write('page.onnx', '<!DOCTYPE html>\n<html><title>Not found</title></html>\n');
write('pointer.onnx', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n');
write('readme.txt', 'A model that is not here yet.\n');
// More than is looked at, which ends within a character.
fs.writeFileSync(path.join(folder, 'umlauts.txt'), 'x' + '\u00e4'.repeat(4000));
write('weights.safetensors', length(header.length), header, zeros);
write('zipped.zip', zipHeader('model.onnx'), zeros);
