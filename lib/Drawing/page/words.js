//===- words.js - Text and numbers on the page ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
'use strict';

/** An element with text, never with markup: names come from models. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function makeSvg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {}))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Controls and marks that turn the direction of text say nothing here. */
function clean(text) {
  return String(text === undefined ? '' : text)
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

function formatScaled(number, units, base) {
  let unit = 0;
  for (; number >= base && unit + 1 < units.length; ++unit) number /= base;
  const digits = unit === 0 || number >= 100 ? 0 : number >= 10 ? 1 : 2;
  return `${number.toFixed(digits)} ${units[unit]}`;
}

function formatBytes(bytes) {
  return bytes === undefined ? 'unknown' : formatScaled(bytes, ['B', 'kB', 'MB', 'GB', 'TB'], 1000);
}

function formatFlops(flops) {
  return formatScaled(flops, ['FLOP', 'kFLOP', 'MFLOP', 'GFLOP', 'TFLOP'], 1000);
}

function formatSeconds(seconds) {
  return seconds >= 1 ? `${seconds.toFixed(2)} s` :
         seconds >= 1e-3 ? `${(seconds * 1e3).toFixed(2)} ms` : `${(seconds * 1e6).toFixed(1)} µs`;
}

function formatCount(count) { return count.toLocaleString('en'); }

function shorten(text, length) {
  text = clean(text);
  if (text.length <= length) return text;
  // The end of a name says more than its beginning.
  return `…${text.slice(text.length - length + 1)}`;
}
