//===- DeltaDebugging.cpp - The least that still shows something ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/DeltaDebugging.h"
#include "inlay/Support/Cancellation.h"
#include <algorithm>

using namespace inlay;

using Items = std::vector<unsigned>;
using ShowsFunction = llvm::function_ref<bool(llvm::ArrayRef<unsigned>)>;

/// Part number `index` of `count` parts of about the same size.
static llvm::ArrayRef<unsigned> getPart(const Items &items, size_t index,
                                        size_t count) {
  size_t begin = items.size() * index / count;
  size_t end = items.size() * (index + 1) / count;
  return llvm::ArrayRef(items).slice(begin, end - begin);
}

static Items getRest(const Items &items, llvm::ArrayRef<unsigned> part) {
  Items rest(items.data(), part.data());
  rest.insert(rest.end(), part.end(), items.data() + items.size());
  return rest;
}

/// A part that shows it, or what is left without one; false where neither does.
static bool takeLess(Items &items, size_t &count, ShowsFunction shows) {
  for (size_t i = 0; i < count && !isCancelled(); ++i) {
    llvm::ArrayRef<unsigned> part = getPart(items, i, count);
    if (!shows(part))
      continue;
    items = part.vec();
    count = 2;
    return true;
  }
  // With two parts, the rest of one is the other.
  for (size_t i = 0; i < count && count > 2 && !isCancelled(); ++i) {
    Items rest = getRest(items, getPart(items, i, count));
    if (!shows(rest))
      continue;
    items = std::move(rest);
    count = std::max<size_t>(count - 1, 2);
    return true;
  }
  return false;
}

std::vector<unsigned> inlay::findLeast(Items items, ShowsFunction shows) {
  size_t count = 2;
  while (items.size() > 1 && !isCancelled()) {
    count = std::min(count, items.size());
    if (takeLess(items, count, shows))
      continue;
    if (count == items.size())
      break;
    count *= 2;
  }
  return items;
}
