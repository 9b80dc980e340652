//===- LastUses.cpp - Where the values of a block die ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/LastUses.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

using namespace inlay;
using namespace mlir;

using Numbers = llvm::DenseMap<Operation *, size_t>;

static size_t findLastUse(Value value, size_t definition, Block &block,
                          const Numbers &numbers) {
  size_t last = definition;
  for (Operation *user : value.getUsers())
    last = std::max(last, numbers.lookup(block.findAncestorOpInBlock(*user)));
  return last;
}

LastUses::LastUses(Block &block) {
  Numbers numbers;
  for (Operation &op : block)
    numbers.try_emplace(&op, numbers.size());
  std::vector<std::pair<Value, size_t>> lasts;
  for (Value argument : block.getArguments())
    lasts.emplace_back(argument, findLastUse(argument, 0, block, numbers));
  for (auto [i, op] : llvm::enumerate(block))
    for (Value result : op.getResults())
      lasts.emplace_back(result, findLastUse(result, i, block, numbers));

  // Sort by counting, so that the order within one operation is that of
  // definition.
  ends.assign(numbers.size() + 1, 0);
  for (auto [value, last] : lasts)
    ++ends[last + 1];
  for (size_t i = 1; i < ends.size(); ++i)
    ends[i] += ends[i - 1];
  values.resize(lasts.size());
  std::vector<size_t> next(ends.begin(), ends.end() - 1);
  for (auto [value, last] : lasts)
    values[next[last]++] = value;
}
