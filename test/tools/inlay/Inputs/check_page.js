//===- check_page.js - What is in a page ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node check_page.js PAGE            prints what the page holds
//
// Reads a page as its text is, without a browser, and fails where its policy
// does not allow exactly its own script and style, or where something of the
// model stands outside of its data.
//
//===----------------------------------------------------------------------===//

'use strict';

const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');

const page = fs.readFileSync(process.argv[2], 'utf8');
const all = (pattern) => [...page.matchAll(pattern)].map((match) => match[1]);
const hash = (text) => `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`;

const styles = all(/<style>([^]*?)<\/style>/g);
const scripts = all(/<script>([^]*?)<\/script>/g);
const data = all(/<script type="application\/json" id="data">([^]*?)<\/script>/g);
assert.deepStrictEqual([styles.length, scripts.length, data.length], [1, 1, 1]);
assert.strictEqual((page.match(/<script/gi) || []).length, 2 + (scripts[0].match(/<script/gi) || []).length);

// Nothing but what is here, and nothing from elsewhere.
const [policy] = all(/http-equiv="Content-Security-Policy" content="([^"]*)"/g);
assert.strictEqual(policy, `default-src 'none'; style-src ${hash(styles[0])}; script-src ${hash(scripts[0])}; ` +
  "base-uri 'none'; form-action 'none'");
assert(!/\b(src|href)=(?!"#)/i.test(page.replace(data[0], '').replace(scripts[0], '')));
assert(!/https?:\/\/(?!www\.w3\.org\/2000\/svg)/.test(page.replace(data[0], '')));
// Text is never markup.
assert(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/.test(scripts[0]));
assert(!/[<>&\u0000-\u001f\u007f]/.test(data[0]));

const content = JSON.parse(data[0]);
assert.strictEqual(content.schema, 'inlay.page/1');
for (const name of ['before', 'after']) {
  const { nodes, levels, tensors } = content[name];
  const homes = new Map();
  levels.forEach((level, index) => {
    for (const [node, x, y, width, height] of level.nodes) {
      assert(!homes.has(node), 'a node stands in one place');
      homes.set(node, index);
      assert(x - width / 2 >= -1 && x + width / 2 <= level.width + 1, 'a node is inside of its level');
      assert(y - height / 2 >= -1 && y + height / 2 <= level.height + 1, 'a node is inside of its level');
    }
    for (const [from, to, tensor] of level.edges)
      assert(homes.get(from) === index && homes.get(to) === index && tensors[tensor]);
  });
  assert.strictEqual(homes.size, nodes.length);
  const count = (kind) => nodes.filter((node) => node.kind === kind).length;
  console.log(name, 'nodes', nodes.length, 'levels', levels.length, 'operators', count('operator'),
    'relayouts', count('relayout'), 'sections', count('section'), 'orders',
    [...new Set(tensors.map((tensor) => tensor.order).filter(Boolean))].sort().join());
}
for (const node of content.after.nodes.filter((each) => each.reason))
  console.log('reason', node.op, JSON.stringify(node.reason));
console.log('strategies', (content.strategies || []).map((each) => each.name).join());
console.log('unfused', content.unfused.length, 'profile', content.profile.length);
console.log('bytes', page.length < 4e6 ? 'few' : 'many');
