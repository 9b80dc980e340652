//===- optimise.js - ONNX Runtime's own optimised graph -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const ort = require('onnxruntime-node');
const onnx = require('./onnx');
const { sessionOptions } = require('./session');

// Weights go into a file beside the model, like those it was read with.
const weightsBeside = out => ({
  optimized_model_external_initializers_file_name: `${path.basename(out, '.onnx')}.weights`,
  optimized_model_external_initializers_min_size_in_bytes: '1024',
});

// The runtime writes the constants of subgraphs twice, and then refuses its own
// file.
function dropRepeatedConstants(file) {
  const proto = onnx.readFile(file), nested = onnx.allGraphs(proto).slice(1);
  if (!nested.length) return;
  for (const graph of nested)
    graph.initializer = [...new Map(graph.initializer.map(tensor => [tensor.name, tensor])).values()];
  fs.writeFileSync(file, onnx.write(proto));
}

// Writes the graph that a session of `file` executes at `level` to `out`.
// `extents` fixes symbolic dimensions by name.
async function optimise(file, out, level, { extents = {} } = {}) {
  const session = await ort.InferenceSession.create(file, {
    ...sessionOptions, graphOptimizationLevel: level, optimizedModelFilePath: out, freeDimensionOverrides: extents,
    extra: { session: weightsBeside(out) },
  });
  await session.release();
  dropRepeatedConstants(out);
}

module.exports = { optimise };
