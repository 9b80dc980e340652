//===- browser.js - A page in Chromium ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** Debian's Chromium, driven over a pipe as DevTools drive it. */
class Browser {
  static async start() {
    const browser = new Browser();
    browser.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-report-'));
    const options = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${browser.folder}`,
      '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'];
    // Root has no sandbox.
    if (process.getuid() === 0) options.push('--no-sandbox');
    browser.process = spawn('chromium', [...options, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });
    browser.process.on('error', (error) => browser.fail(error));
    browser.process.on('exit', () => browser.fail(new Error('chromium ended')));
    browser.process.stdio[4].on('data', (bytes) => browser.read(bytes));
    return browser;
  }

  constructor() {
    this.waiting = new Map();
    this.nextId = 1;
    this.rest = '';
    this.listeners = [];
  }

  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  read(bytes) {
    const messages = (this.rest + bytes.toString('utf8')).split('\0');
    this.rest = messages.pop();
    for (const text of messages) this.receive(JSON.parse(text));
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) {
      this.listeners.forEach((listener) => listener(message));
      return;
    }
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  async open(file, { width = 1400, height = 900, scheme = 'light' } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await page.load(`file://${path.resolve(file)}`);
    return page;
  }

  async close() {
    this.process.removeAllListeners('exit');
    const ended = new Promise((resolve) => { this.process.on('exit', resolve); });
    this.send('Browser.close').catch(() => {});
    await Promise.race([ended, new Promise((resolve) => { setTimeout(resolve, 5000); })]);
    try { process.kill(-this.process.pid, 'SIGKILL'); } catch { /* It is gone. */ }
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

class Page {
  constructor(browser, sessionId, targetId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.targetId = targetId;
    /** What the page complained of, and what it asked the network for. */
    this.errors = [];
    this.requests = [];
    browser.listeners.push((message) => message.sessionId === sessionId && this.note(message));
  }

  note({ method, params }) {
    if (method === 'Runtime.exceptionThrown')
      this.errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      this.errors.push(params.args.map((each) => each.value).join(' '));
    else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level))
      this.errors.push(params.entry.text);
    else if (method === 'Network.requestWillBeSent')
      this.requests.push(params.request.url);
    else if (method === 'Page.loadEventFired' && this.onLoad)
      this.onLoad();
  }

  send(method, params) { return this.browser.send(method, params, this.sessionId); }

  async load(url) {
    const loaded = new Promise((resolve) => { this.onLoad = resolve; });
    await this.send('Page.navigate', { url });
    await loaded;
    await this.settle();
  }

  /** Two frames: what was asked for is drawn. */
  settle() {
    return this.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))');
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  async getMiddle(selector) {
    const place = await this.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (!element) return null;
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    if (!place) throw new Error(`there is no ${selector}`);
    return place;
  }

  /** A click with the mouse, in the middle of an element; what is out of sight is scrolled to first. */
  async click(selector) {
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.scrollIntoView({ block: 'nearest', inline: 'nearest' }); 0`);
    await this.settle();
    const { x, y } = await this.getMiddle(selector);
    await this.clickAt(x, y);
  }

  async wheel(selector, deltaY) {
    const { x, y } = await this.getMiddle(selector);
    await this.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY });
    for (let i = 0; i < 4; ++i) await this.settle();
  }

  async clickAt(x, y) {
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    await this.settle();
  }

  async press(key, code = key, text = undefined) {
    const codes = { Enter: 13, Tab: 9, ArrowDown: 40, ArrowUp: 38, ArrowLeft: 37, ArrowRight: 39, Home: 36, End: 35, Escape: 27 };
    const params = { key, code, text, windowsVirtualKeyCode: codes[key] };
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...params });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...params });
    await this.settle();
  }

  async type(text) {
    await this.send('Input.insertText', { text });
    await this.settle();
  }

  async choose(selector, value) {
    await this.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.value = ${JSON.stringify(value)};
      element.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await this.settle();
  }

  async screenshot(file) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  close() { return this.browser.send('Target.closeTarget', { targetId: this.targetId }); }
}

module.exports = { Browser };
