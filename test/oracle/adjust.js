//===- adjust.js - Weights that make a model's outputs show something -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random weights leave some outputs empty, and an empty output would be equal
// between wrong models too. Per model: the factors by which external weights
// are multiplied, in place, before the model is used.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('./onnx');
const { bytesOf } = require('./element');

const factors = {
  // Its scores are a softmax over 91 classes, kept above 0.05; random weights
  // reach 0.02 and nothing is detected. Eight times steeper logits reach 0.46:
  // the largest output has its full 100 rows, and NonMaxSuppression, the
  // Gathers behind it and the branch that is taken get work.
  fasterrcnn_mobilenet_320: { 'roi_heads.box_predictor.cls_score.weight': 8 },
};

function scaleTensor(proto, folder, factor) {
  const { location, offset } = onnx.externalRange(proto);
  const { data } = onnx.tensorValue(proto, folder);
  const file = fs.openSync(path.join(folder, location), 'r+');
  try {
    fs.writeSync(file, bytesOf({ data: data.map(value => value * factor) }), 0, data.byteLength, offset);
  } finally {
    fs.closeSync(file);
  }
}

// `file` is the model beside its freshly written weights.
function adjustWeights(file) {
  const wanted = factors[path.basename(file, '.onnx')];
  if (!wanted) return;
  const { graph } = onnx.readFile(file);
  for (const [name, factor] of Object.entries(wanted)) {
    const proto = graph.initializer.find(tensor => tensor.name === name);
    if (proto?.dataLocation !== 1) throw new Error(`${file}: '${name}' is not an external weight`);
    scaleTensor(proto, path.dirname(file), factor);
  }
}

module.exports = { adjustWeights };
