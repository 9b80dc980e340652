#!/usr/bin/env node
//===- reports.js - Reports are what their schemas say --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs every verb with --format json and validates what it prints against
// docs/schemas. A verb without a schema, a field that its schema does not name
// or does not describe, and a schema that nothing is printed for are failures,
// and so is a schema that takes a report with a field more, or with a required
// one less. --update adds fields that are missing; their descriptions are
// written by hand.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const Ajv = require('ajv/dist/2020').default;
const { execute } = require('./pool');
const { samples, inputs, damage } = require('./report_samples');

const usage = `usage: reports.js --inlay BIN --example MODEL --schemas DIR [--update]`;

// [words, report] of each command; one that fails prints a report of its error.
async function printAll({ inlay, example }) {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-reports-')), reports = [];
  try {
    for (const [name, text] of Object.entries(inputs)) fs.writeFileSync(path.join(work, name), text);
    fs.writeFileSync(path.join(work, 'other.onnx'), damage(example));
    for (const words of samples({ example, work })) {
      const { stdout, stderr } = await execute(inlay, [...words, '--format', 'json'], { timeout: 120 });
      try {
        reports.push([words, JSON.parse(stdout)]);
      } catch (error) {
        throw new Error(`inlay ${words.join(' ')}: ${error.message}: ${stderr}`);
      }
    }
  } finally {
    fs.rmSync(work, { recursive: true });
  }
  return reports;
}

//===----------------------------------------------------------------------===//
// Schemas from reports
//===----------------------------------------------------------------------===//

const typeOf = value => value === null ? 'null' : Array.isArray(value) ? 'array'
  : Number.isInteger(value) ? 'integer' : typeof value;

// The schema with what `value` is, too. An object of many names, such as
// operators by kind, has one schema for all of its values.
function widen(schema, value, isTop = false) {
  const own = typeOf(value), known = [schema?.type ?? []].flat();
  const types = new Set([...known, own]);
  if (types.has('integer') && types.has('number')) types.delete('integer');
  const all = [...types].sort(), wide = { ...schema, type: all.length === 1 ? all[0] : all };
  if (own === 'array') for (const item of value) wide.items = widen(wide.items, item);
  if (own !== 'object') return wide;
  if (schema?.additionalProperties) {
    for (const inner of Object.values(value)) wide.additionalProperties = widen(wide.additionalProperties, inner);
    return wide;
  }
  wide.properties = { ...schema?.properties };
  for (const [name, inner] of Object.entries(value)) wide.properties[name] = widen(wide.properties[name], inner);
  const names = Object.keys(value);
  wide.required = schema?.required ? schema.required.filter(name => names.includes(name)) : names;
  wide.additionalProperties = false;
  if (isTop) wide.properties.schema = { const: value.schema };
  return wide;
}

function update(reports, folder) {
  const schemas = new Map();
  for (const [, report] of reports) {
    const file = path.join(folder, fileOf(report));
    const known = schemas.get(file) ?? (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file)) : undefined);
    schemas.set(file, widen(known, report, true));
  }
  fs.mkdirSync(folder, { recursive: true });
  for (const [file, { $schema, title, ...rest }] of schemas)
    fs.writeFileSync(file, JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: title ?? '', ...rest }, null, 2) + '\n');
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

const fileOf = ({ schema }) => `${schema.replace(/^inlay\./, '').replace('/', '-')}.json`;

const nameless = ({ properties }) => Object.entries(properties)
  .filter(([name, own]) => name !== 'schema' && !own.description).map(([name]) => name);

// What a schema has to refuse.
function twins(report, { required }) {
  const name = required.findLast(own => own !== 'schema') ?? 'schema';
  const { [name]: gone, ...less } = report;
  return [[{ ...report, no_such_field: 1 }, 'a field that it does not name'], [less, `no '${name}'`],
          [{ ...report, schema: 'inlay.other/1' }, 'another schema']];
}

function check(reports, folder) {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }), faults = [], used = new Map();
  for (const [words, report] of reports) {
    const name = `inlay ${words.join(' ')}`, file = path.join(folder, fileOf(report));
    if (!fs.existsSync(file)) {
      faults.push(`${name}: no ${file}`);
      continue;
    }
    const schema = used.get(file)?.schema ?? JSON.parse(fs.readFileSync(file));
    const validate = used.get(file)?.validate ?? ajv.compile(schema);
    if (!used.has(file)) {
      for (const field of nameless(schema)) faults.push(`${file}: '${field}' has no description`);
      for (const [twin, why] of twins(report, schema)) if (validate(twin)) faults.push(`${file} takes a report with ${why}`);
    }
    used.set(file, { schema, validate });
    if (!validate(report))
      faults.push(...validate.errors.map(({ instancePath, message, params }) =>
        `${name}: ${instancePath || '/'} ${message} ${JSON.stringify(params)}`));
  }
  for (const name of fs.readdirSync(folder))
    if (!used.has(path.join(folder, name))) faults.push(`${name}: nothing is printed for it`);
  return faults;
}

// Verbs that no report was printed for.
async function missing(reports, inlay) {
  const { stdout } = await execute(inlay, ['help'], {});
  const [, verbs] = /^VERBS:\n((?: .*\n)+)/m.exec(stdout);
  const printed = new Set(reports.map(([, { schema }]) => schema));
  return [...verbs.matchAll(/^  ([a-z]+) /gm)].map(([, verb]) => verb).filter(verb => verb !== 'help' && !printed.has(`inlay.${verb}/1`));
}

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, example: text, schemas: text, update: { type: 'boolean' } } });
  if (!values.inlay || !values.example || !values.schemas) return console.error(usage), 2;
  const reports = await printAll(values);
  if (values.update) update(reports, values.schemas);
  const faults = check(reports, values.schemas);
  for (const verb of await missing(reports, values.inlay)) faults.push(`inlay ${verb}: no sample of its report`);
  for (const fault of faults) console.log(`FAIL ${fault}`);
  console.log(`${reports.length} reports, ${faults.length} faults`);
  return faults.length ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
