#!/usr/bin/env node
//===- library.js - Models as libraries -----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the models of a folder to libraries, which a program in C runs on
// one thread and on two. It fails when these or `inlay run --native` differ by
// a bit. With --triple the libraries are another machine's, and --launch says
// how its programs run here; an output farther than the tolerance from what the
// executor computes fails then.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { parseFolder, checkFolder } = require('./compiled');
const { randomInputs } = require('./inputs');
const { checkLibrary } = require('./runner');

const usage = `usage: library.js MODELS_DIR --inlay BIN --work DIR --runner PROGRAM [options]

  --only A,B     these models only
  --triple T     compile for this machine
  --tolerance X  largest max|a-b| / max|a| there (default 1e-5)
  --launch CMD   what runs its programs, words apart by spaces`;

function parse() {
  const text = { type: 'string' };
  const values = parseFolder({ runner: text, triple: text, launch: text });
  if (!values.runner) throw new Error('--runner is required');
  return { ...values, tolerance: Number(values.tolerance ?? 1e-5), launch: values.launch?.split(' ') ?? [],
           targets: ['library'] };
}

const checkTarget = (original, folder, target, context) =>
  checkLibrary(original, randomInputs(onnx.readFile(original)), folder, context);

const faultsOf = ({ failure, faults }) => failure ? [failure] : faults;

const printHeader = () => console.log('steps of machine code, bytes of weights, largest error');

function printRow({ name, report, error }) {
  if (!report) return console.log(name);
  console.log(`${name.padEnd(32)} ${String(report.kernel_steps).padStart(5)} ${String(report.packed_bytes).padStart(11)}  ` +
              error.toExponential(1));
}

checkFolder({ usage, parse, checkTarget, faultsOf, printHeader, printRow }).then(code => { process.exitCode = code; });
