//===- residuals.js - Which group a residual sum is in --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// looseNodes(proto, report): the nodes of a residual network that a report of
// `inlay compile` does not have where they belong. An Add and the Relu behind
// it belong to the group of exactly one of the Convs that feed it, any other
// Relu to the group of its Conv.
//
//===----------------------------------------------------------------------===//

'use strict';

function looseNodes({ graph }, { groups }) {
  const groupOf = new Map(groups.flatMap(({ name, ops }) => ops.map(({ node }) => [node, name])));
  const producers = new Map(graph.node.flatMap(node => node.output.map(output => [output, node])));
  const areTogether = (a, b) => groupOf.has(a.name) && groupOf.get(a.name) === groupOf.get(b.name);
  const isLoose = node => {
    const sources = node.input.map(input => producers.get(input)).filter(Boolean);
    const convs = sources.filter(({ opType }) => opType === 'Conv');
    if (node.opType === 'Add' && convs.length) return convs.filter(conv => areTogether(conv, node)).length !== 1;
    if (node.opType === 'Relu') return !areTogether(sources[0], node);
    return false;
  };
  return graph.node.filter(isLoose).map(({ name }) => name);
}

module.exports = { looseNodes };
