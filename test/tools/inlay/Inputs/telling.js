//===- telling.js - Whether outputs of random inputs tell anything --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node telling.js INLAY SEEDS MODEL...
//
// Runs each model with random inputs of several seeds. An output that is empty,
// has NaN or an infinity, or is constant with several elements tells nothing:
// it is listed, and the exit code is 1.
//
//===----------------------------------------------------------------------===//

'use strict';

const path = require('node:path');
const { spawnSync } = require('node:child_process');

const [inlay, seeds, ...models] = process.argv.slice(2);

function judge({ shape, min, max, mean }) {
  const count = shape.reduce((a, b) => a * b, 1);
  if (count === 0) return 'empty';
  if (![min, max, mean].every(Number.isFinite)) return 'not finite';
  return count > 1 && min === max ? 'constant' : '';
}

function run(model, seed) {
  const { status, stdout, stderr } =
    spawnSync(inlay, ['run', model, '--input', `random:${seed}`, '--format', 'json'], { encoding: 'utf8' });
  if (status !== 0) return [stderr.trim()];
  return JSON.parse(stdout).outputs.map(output => [output.name, judge(output)]).filter(([, fault]) => fault)
    .map(([name, fault]) => `output '${name}' is ${fault}`);
}

let faults = 0;
for (const model of models) {
  for (let seed = 0; seed < Number(seeds); ++seed) {
    for (const fault of run(model, seed)) {
      console.log(`${path.basename(model)}, seed ${seed}: ${fault}`);
      ++faults;
    }
  }
}
console.log(`${models.length} models, ${faults} faults`);
process.exit(faults ? 1 : 0);
