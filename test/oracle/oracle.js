//===- oracle.js - Compares two models in ONNX Runtime --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both files run on the same inputs; every output is compared as equal.js
// says. The verdict is
//   equal          all outputs are equal, and each shows something
//   different      an output differs, is missing or is new
//   shows-nothing  all are equal, but one is trivial and not allowed to be
//   refused-first, refused-second   ONNX Runtime does not accept that file
//
//===----------------------------------------------------------------------===//

'use strict';

const path = require('node:path');
const onnx = require('./onnx');
const { randomInputs } = require('./inputs');
const { runModel, NotAccepted } = require('./session');
const { compareTensors } = require('./equal');
const { producedNames } = require('./border');
const { quantiserStep } = require('./quantiser');

function tryRead(file) {
  try {
    return onnx.readFile(file);
  } catch (error) {
    return { refusal: `${file}: ${error.message}` };
  }
}

async function tryRun(file, inputs, options) {
  try {
    return await runModel(file, inputs, options);
  } catch (error) {
    if (error instanceof NotAccepted) return { refusal: error.message, loaded: error.loaded };
    throw error;
  }
}

// Values to expose: names, or a number of values spread over the graph. Only
// those that both files compute can be compared.
function chooseExposed(first, second, request) {
  const inSecond = new Set(producedNames(second)), common = producedNames(first).filter(name => inSecond.has(name));
  if (Array.isArray(request)) return request.filter(name => inSecond.has(name) && common.includes(name));
  const stride = Math.max(1, Math.floor(common.length / request));
  return common.filter((_, i) => i % stride === stride - 1);
}

function compareOutputs(first, second, stepOf, { tolerance, allowTrivial }) {
  const rows = [];
  for (const [name, a] of first) {
    const b = second.get(name), shape = { name, type: a.type, dims: a.dims };
    const result = b ? compareTensors(a, b, { tolerance, step: stepOf(name) })
                     : { equal: false, error: Infinity, limit: 0, changed: 0, reason: 'missing in the second file' };
    const trivial = result.trivial && !(allowTrivial === true || allowTrivial.includes(name));
    rows.push({ ...shape, ...result, verdict: !result.equal ? 'different' : trivial ? 'shows-nothing' : 'equal' });
  }
  for (const name of second.keys())
    if (!first.has(name)) rows.push({ name, equal: false, reason: 'missing in the first file', verdict: 'different' });
  return rows;
}

function overallVerdict(rows) {
  return ['different', 'shows-nothing'].find(verdict => rows.some(row => row.verdict === verdict)) ?? 'equal';
}

function declaredOutputs(proto) {
  return proto.graph.output.map(({ name, type }) => `${name}: ${onnx.describeType(type).text}`).join(', ');
}

// Options: seed, extents, given (inputs), tolerance, allowTrivial (true or a
// list of outputs), expose (names or a count), strict (no quantiser's step).
async function compareFiles(fileA, fileB, options = {}) {
  const { tolerance = 1e-6, allowTrivial = [], expose, strict = false } = options;
  const [protoA, protoB] = [fileA, fileB].map(tryRead);
  if (protoA.refusal) return { verdict: 'refused-first', reason: protoA.refusal, outputs: [] };
  if (protoB.refusal) return { verdict: 'refused-second', reason: protoB.refusal, outputs: [] };
  const inputs = randomInputs(protoA, options);
  const exposed = expose ? chooseExposed(protoA, protoB, expose) : [];

  const a = await tryRun(fileA, inputs, { proto: protoA, expose: exposed });
  if (a.refusal) return { verdict: 'refused-first', reason: a.refusal, outputs: [] };
  const b = await tryRun(fileB, inputs, { proto: protoB, expose: exposed });
  if (b.refusal) return { verdict: 'refused-second', reason: b.refusal, outputs: [] };

  const order = [declaredOutputs(protoA), declaredOutputs(protoB)];
  if (order[0] !== order[1])
    return { verdict: 'different', reason: `outputs (${order[0]}) became (${order[1]})`, outputs: [] };
  const folder = path.dirname(fileA);
  const stepOf = name => strict ? undefined : quantiserStep(protoA, name, folder);
  const rows = compareOutputs(a.outputs, b.outputs, stepOf, { tolerance, allowTrivial });
  return { verdict: overallVerdict(rows), outputs: rows, hidden: a.hidden, exposed };
}

module.exports = { compareFiles, tryRun, compareOutputs, overallVerdict };
