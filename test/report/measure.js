//===- measure.js - What a page of a model takes beyond compiling it ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');

// What a page may take beyond compiling.
const limits = { seconds: 5, megabytes: 50 };

// Seconds and the most memory of a command. Seconds of the CPU do not depend on
// what else the machine does.
const watch = `
import json, os, sys, time
start = time.monotonic()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "seconds": time.monotonic() - start,
                  "cpu": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1000}))`;

function run(inlay, words) {
  const printed = execFileSync('python3', ['-c', watch, inlay, ...words, '--quiet'], { encoding: 'utf8' });
  const measured = JSON.parse(printed.trim().split('\n').at(-1));
  if (measured.code !== 0) throw new Error(`inlay ${words.join(' ')}: exit code ${measured.code}`);
  return measured;
}

const compile = (inlay, model, target, folder) =>
  run(inlay, ['compile', model, '-t', target, '--verify', 'off', '-o', path.join(folder, 'compiled.onnx')]);
const report = (inlay, model, target, page) => run(inlay, ['report', model, '-t', target, '-o', page]);

/** Of several measurements each number's least: what else the machine does only adds to it. */
const least = (all) => Object.fromEntries(Object.keys(all[0]).map((key) =>
  [key, Math.min(...all.map((each) => each[key]))]));

function getBeyond(compiled, reported) {
  const before = least(compiled), after = least(reported);
  return Object.fromEntries(['seconds', 'cpu', 'megabytes'].map((key) => [key, after[key] - before[key]]));
}

module.exports = { limits, compile, report, least, getBeyond };
