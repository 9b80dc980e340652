//===- GroupCounter.cpp - Inputs and outputs of a growing group -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupCounter.h"

using namespace inlay;

void GroupCounter::reset(llvm::ArrayRef<unsigned> nodes) {
  members.clear();
  inputs.clear();
  usersOutside.clear();
  numOutputs = 0;
  for (unsigned node : nodes)
    add(node);
}

void GroupCounter::read(unsigned operand) {
  auto own = usersOutside.find(operand);
  if (own == usersOutside.end())
    inputs.insert(operand);
  else if (--own->second == 0 && !graph.getValue(operand).escapes)
    --numOutputs;
}

void GroupCounter::write(unsigned result) {
  inputs.erase(result);
  const DFG::Value &value = graph.getValue(result);
  unsigned outside = llvm::count_if(
      value.users, [&](unsigned user) { return !members.contains(user); });
  usersOutside[result] = outside;
  // What nobody uses is no output.
  if (outside != 0 || value.escapes)
    ++numOutputs;
}

void GroupCounter::add(unsigned node) {
  members.insert(node);
  llvm::SmallDenseSet<unsigned, 8> seen;
  for (unsigned operand : graph[node].operands)
    if (!graph.getValue(operand).isConstant && seen.insert(operand).second)
      read(operand);
  for (unsigned result : graph[node].results)
    write(result);
}
