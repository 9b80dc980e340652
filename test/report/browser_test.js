//===- browser_test.js - A page as people use it --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node browser_test.js --inlay BIN --work FOLDER [--screenshots] [--all | MODEL:TARGET...]
//
// Without models, two of test/models and what the tests of the verb make; with
// --all every model there, or of the folder that MODELS names. These pages must
// also take little beyond compiling (measure.js).
//
// What a person does with a page: clicks, keys, searching, filters, both
// themes. It must never complain on its console nor ask the network for
// anything.
//
//===----------------------------------------------------------------------===//

'use strict';

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { Browser } = require('./browser.js');
const measure = require('./measure.js');
const { listModels, prepareModel } = require('../oracle/models.js');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inlay: { type: 'string' }, work: { type: 'string' }, screenshots: { type: 'boolean' }, all: { type: 'boolean' },
  },
});
const root = path.join(__dirname, '..');
fs.mkdirSync(options.work, { recursive: true });

function makePage(model, target) {
  const page = path.join(options.work, `${path.basename(model, '.onnx')}-${target}.html`);
  execFileSync(options.inlay, ['report', model, '-t', target, '-o', page], { stdio: 'pipe' });
  return page;
}

//===----------------------------------------------------------------------===//
// What must hold
//===----------------------------------------------------------------------===//

const selected = 'document.querySelector(".selected") && document.querySelector(".selected").id';
const details = 'document.getElementById("details").textContent';
const drawn = 'document.querySelectorAll(".pane .node").length';

async function checkClicks(page) {
  // Where every operator is in a group, the first one is opened.
  if (!await page.evaluate(`document.querySelector('.node.operator') !== null`)) {
    await page.click('.node.group rect');
    assert(await page.evaluate(`document.querySelector('.frame') !== null`));
  }
  // One that the model has.
  const id = await page.evaluate(`[...document.querySelectorAll('.node.operator')].find((each) =>
    graphs.after.nodes[Number(each.id.split('-')[1])].origins).id`);
  await page.click(`#${id} rect`);
  assert.strictEqual(await page.evaluate(selected), id);
  assert.match(await page.evaluate(details), /(Reads|Constants).*Writes/s);
  assert.match(await page.evaluate(details), /Comes from/);
  // An edge, somewhere on its line.
  const point = await page.evaluate(`(() => {
    const view = document.getElementById('scroller-after').getBoundingClientRect();
    const getMiddle = (path) => path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
    const isSeen = ({ x, y }) => x > view.left && x < view.right - 20 && y > view.top && y < view.bottom - 20;
    const middle = [...document.querySelectorAll('.edge path:not(.reach)')].filter((each) => each.getTotalLength() > 10)
      .map(getMiddle).find(isSeen);
    return { x: middle.x, y: middle.y };
  })()`);
  await page.clickAt(point.x, point.y);
  assert.match(await page.evaluate(details), /Tensor.*order.*From.*To/s);
}

async function checkSearch(page, words, least) {
  await page.press('/', 'Slash', '/');
  assert.strictEqual(await page.evaluate('document.activeElement.id'), 'search');
  await page.type(words);
  await page.press('Enter');
  const count = await page.evaluate('document.querySelectorAll("#found-list li").length');
  assert(count >= least, `${count} nodes for '${words}'`);
  assert(await page.evaluate('document.querySelectorAll(".node.hit").length') > 0);
  assert(await page.evaluate('document.querySelectorAll(".node.dim").length') > 0);
  assert((await page.evaluate(details)).toLowerCase().includes(words.toLowerCase()));
  // What is found nowhere is found nowhere.
  await page.evaluate('document.getElementById("search").value = "no such node"; finder.update()');
  assert.strictEqual(await page.evaluate('document.getElementById("found-title").textContent'), '0 nodes');
  await page.press('Escape');
  assert.strictEqual(await page.evaluate('document.querySelectorAll(".dim").length'), 0);
  assert(await page.evaluate('document.getElementById("found").hidden'));
}

async function checkFilters(page) {
  const choices = await page.evaluate('filters.map(([key]) => key)');
  // Where no extent is known, no bytes are.
  const hasBytes = await page.evaluate('[...graphs.before.nodes, ...graphs.after.nodes].some((node) => node.bytes > 0)');
  assert.strictEqual(choices.includes('bytes'), hasBytes);
  for (const choice of choices.slice(1)) {
    await page.choose('#filter', choice);
    const { count, hits } = await page.evaluate(`({ count: finder.found.length, hits: panes.after.hits.size })`);
    assert.strictEqual(count, hits);
    if (choice === 'relayouts')
      assert.strictEqual(count, await page.evaluate(`data.totals.after.transposes`));
    if (choice === 'bytes') {
      const bytes = await page.evaluate('finder.found.map(({ node }) => graphs.after.nodes[node].bytes)');
      assert(bytes.length <= 20 && bytes.every((each, i) => i === 0 || bytes[i - 1] >= each));
    }
  }
  await page.choose('#filter', '');
}

async function checkKeys(page) {
  await page.evaluate('document.getElementById("scroller-after").focus()');
  await page.press('Home');
  const first = await page.evaluate(selected);
  await page.press('ArrowDown');
  const second = await page.evaluate(selected);
  assert(first && second && first !== second);
  await page.press('ArrowUp');
  assert.strictEqual(await page.evaluate(selected), first);
  assert.strictEqual(await page.evaluate('document.getElementById("scroller-after").getAttribute("aria-activedescendant")'), first);
  // Every node has a name for who does not see it, and every control one, too.
  assert(await page.evaluate('[...document.querySelectorAll(".node")].every((each) => each.getAttribute("aria-label").trim())'));
  assert(await page.evaluate(`[...document.querySelectorAll('button, select, input')].every((each) =>
    each.textContent.trim() || each.getAttribute('aria-label') || each.closest('label'))`));
  // From tab to tab.
  await page.evaluate('document.getElementById("tab-graph").focus()');
  for (const name of ['moves', 'charts', 'nodes', 'graph']) {
    await page.press('ArrowRight');
    assert.strictEqual(await page.evaluate(`document.querySelectorAll('[role="tabpanel"]:not([hidden])').length`), 1);
    assert(!await page.evaluate(`document.getElementById('${name}').hidden`));
  }
}

/** Opening shows what is inside, closing hides it, and nothing else moves. */
async function checkOpening(page) {
  const node = await page.evaluate('graphs.after.nodes.findIndex((each) => each.levels)');
  if (node < 0) return false;
  await page.evaluate('panes.after.setOpen([]); 0');
  await page.evaluate(`panes.goTo('after', ${node})`);
  const inside = `panes.after.placement.items.filter((item) => item.depth === 1).length`;
  assert.strictEqual(await page.evaluate(inside), 0);
  await page.evaluate('document.getElementById("scroller-after").focus()');
  await page.press('Enter');
  assert(await page.evaluate(inside) > 0);
  // What stands beside each other stays so.
  assert.strictEqual(await page.evaluate(countOverlaps), 0);
  await page.click(`#after-${node} .bar`);
  assert.strictEqual(await page.evaluate(inside), 0);
  await page.click('#open-all');
  assert.strictEqual(await page.evaluate(countOverlaps), 0);
  await page.click('#close-all');
  return true;
}

/** Nodes of one level that lie over each other. */
const countOverlaps = `(() => {
  let count = 0;
  const byHome = new Map();
  for (const item of panes.after.placement.items) {
    if (item.node === undefined) continue;
    const home = panes.after.graph.homes.get(item.node);
    for (const other of byHome.get(home) || [])
      if (item.x < other.x + other.width - 1 && other.x < item.x + item.width - 1 &&
          item.y < other.y + other.height - 1 && other.y < item.y + item.height - 1) ++count;
    byHome.set(home, [...(byHome.get(home) || []), item]);
  }
  return count;
})()`;

/** Scrolling one side brings the other to what belongs to it. */
async function checkSideBySide(page) {
  await page.choose('#view', 'both');
  assert.strictEqual(await page.evaluate('document.querySelectorAll(".pane").length'), 2);
  await page.evaluate('panes.before.scroller.scrollTop = panes.before.placement.height * panes.before.scale / 2; 0');
  await page.wheel('#scroller-before', 120);
  const apart = await page.evaluate(`(() => {
    const middle = panes.before.getMiddle((node) => panes.getPartner(panes.before, node) !== undefined);
    const partner = panes.getPartner(panes.before, middle.node);
    const item = panes.after.placement.byNode.get(partner);
    const top = (pane, each) => (each.y + each.height / 2) * pane.scale - pane.scroller.scrollTop;
    return Math.abs(top(panes.before, middle) - top(panes.after, item));
  })()`);
  assert(apart < 60, `${apart} pixels apart`);
  await page.choose('#view', 'after');
}

async function checkTheme(page, isDark) {
  const colour = 'getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)[0]';
  assert.strictEqual(await page.evaluate(colour) < 128, isDark);
  await page.click('#theme');
  assert.strictEqual(await page.evaluate(colour) < 128, !isDark);
  await page.click('#theme');
}

/** Only what is seen is in the document, and drawing it is no long task. */
async function checkScrolling(page) {
  // The best of several times: the machine does other things, too.
  const longest = await page.evaluate(`(async () => {
    let longest = 0;
    const { scroller } = panes.after;
    for (let i = 0; i <= 10; ++i) {
      scroller.scrollTop = (scroller.scrollHeight * i) / 10;
      let best = Infinity;
      for (let round = 0; round < 4; ++round) {
        const start = performance.now();
        panes.after.redraw();
        best = Math.min(best, performance.now() - start);
      }
      longest = Math.max(longest, best);
      await new Promise((done) => requestAnimationFrame(done));
    }
    return longest;
  })()`);
  assert(await page.evaluate(drawn) < 400);
  assert(longest < 100, `${longest} ms to draw what is seen`);
  return longest;
}

async function checkPage(browser, file, scheme, words) {
  const page = await browser.open(file, { scheme });
  await checkTheme(page, scheme === 'dark');
  await checkClicks(page);
  await checkSearch(page, words, 3);
  await checkFilters(page);
  await checkKeys(page);
  const opened = await checkOpening(page);
  await checkSideBySide(page);
  const longest = await checkScrolling(page);
  if (options.screenshots) await page.screenshot(file.replace(/html$/, 'png'));
  assert.deepStrictEqual(page.errors, []);
  assert.deepStrictEqual(page.requests, [`file://${path.resolve(file)}`]);
  await page.close();
  console.log(`${path.basename(file)}: ok${opened ? ', opens and closes' : ''}; longest drawing ${longest.toFixed(1)} ms`);
}

/** Names that are markup stay names. */
async function checkEvil(browser) {
  const folder = path.join(options.work, 'models');
  execFileSync(process.execPath, [path.join(root, 'tools/inlay/Inputs/report_models.js'), folder],
    { env: { ...process.env, NODE_PATH: path.join(root, 'oracle') } });
  const file = makePage(path.join(folder, 'evil.onnx'), 'nhwc');
  const page = await browser.open(file);
  for (const node of await page.evaluate('[...graphs.after.nodes.keys()]'))
    await page.evaluate(`panes.goTo('after', ${node})`);
  for (const name of ['moves', 'charts', 'nodes']) await page.evaluate(`showTab('${name}')`);
  await page.settle();
  assert.strictEqual(await page.evaluate('typeof wasRun'), 'undefined');
  assert.strictEqual(await page.evaluate(`document.querySelectorAll('script, img, b').length`), 2);
  assert(!await page.evaluate(`/[\\u001b\\u0007\\u202e]/.test(document.body.innerText)`));
  assert(await page.evaluate(`document.getElementById('nodes').innerText.includes('<script>')`));
  assert.deepStrictEqual(page.errors, []);
  assert.strictEqual(page.requests.length, 1);
  await page.close();
  // That the test could fail: a page that has such markup is stopped.
  const broken = path.join(options.work, 'broken.html');
  fs.writeFileSync(broken, fs.readFileSync(file, 'utf8').replace('</main>', '</main><script>globalThis.wasRun = 3</script>'));
  const other = await browser.open(broken);
  assert.strictEqual(await other.evaluate('typeof wasRun'), 'undefined');
  assert(other.errors.some((each) => /Content Security Policy/.test(each)));
  await other.close();
  console.log('evil names: ok');
}

/** A graph in many sections opens at once; one that is too large says so. */
async function checkLarge(browser) {
  const folder = path.join(options.work, 'models');
  const long = await browser.open(makePage(path.join(folder, 'chain.onnx'), 'none'));
  assert(await long.evaluate('panes.after.open.size') > 3);
  await checkScrolling(long);
  assert.deepStrictEqual(long.errors, []);
  await long.close();
  const huge = await browser.open(makePage(path.join(folder, 'huge.onnx'), 'none'));
  assert.match(await huge.evaluate('document.getElementById("message").textContent'), /30,000 nodes/);
  assert.deepStrictEqual(huge.errors, []);
  await huge.close();
  console.log('large graphs: ok');
}

/** Weights of models are made; see test/models/README.md. */
function fillWeights(...names) {
  const models = path.join(options.work, 'models');
  execFileSync(process.execPath, [path.join(root, 'models/fill_weights.js'), models, ...names], { stdio: 'pipe' });
  return models;
}

/** A page takes little time and memory, with all of it done by one thread. */
function checkCost(model, target, page) {
  const compiled = measure.compile(options.inlay, model, target, options.work);
  const { cpu, megabytes } = measure.getBeyond([compiled], [measure.report(options.inlay, model, target, page)]);
  const words = `${path.basename(page)}: ${cpu.toFixed(2)} s and ${megabytes.toFixed(1)} MB beyond compiling`;
  assert(cpu <= measure.limits.seconds && megabytes <= measure.limits.megabytes, words);
  console.log(words);
}

async function checkAll(browser) {
  const models = process.env.MODELS || path.join(root, 'models'), folder = path.join(options.work, 'models');
  for (const [i, name] of listModels({ models }).entries()) {
    fs.mkdirSync(folder, { recursive: true });
    const model = await prepareModel(models, name, folder);
    for (const target of ['opu', 'nhwc']) {
      const page = path.join(options.work, `${name}-${target}.html`);
      checkCost(model, target, page);
      await checkPage(browser, page, i % 2 ? 'dark' : 'light', 'o');
    }
    // Weights of all of them would be gigabytes.
    fs.rmSync(folder, { recursive: true });
  }
}

async function checkModels(browser, models) {
  for (const [i, [model, target]] of models.entries())
    await checkPage(browser, makePage(model, target), i % 2 ? 'dark' : 'light', 'o');
}

async function main() {
  const browser = await Browser.start();
  try {
    if (options.all) {
      await checkAll(browser);
      return;
    }
    if (positionals.length) {
      await checkModels(browser, positionals.map((each) => each.split(':')));
      return;
    }
    const models = fillWeights('mobilenet_v3_small', 'mobilevit_s');
    await checkPage(browser, makePage(path.join(models, 'mobilenet_v3_small.onnx'), 'opu'), 'light', 'features.4');
    await checkPage(browser, makePage(path.join(models, 'mobilevit_s.onnx'), 'nhwc'), 'dark', 'MatMul');
    await checkEvil(browser);
    await checkLarge(browser);
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
