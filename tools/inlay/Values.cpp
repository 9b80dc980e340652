//===- Values.cpp - Values of options -------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace inlay;

static bool parseExtent(llvm::StringRef text, int64_t &extent) {
  return !text.getAsInteger(10, extent) && extent >= 0;
}

llvm::Expected<DimValue> inlay::parseDim(llvm::StringRef text) {
  auto [name, number] = text.rsplit('=');
  DimValue value{name.str(), 0};
  value.isOpen = number.consume_front("1..");
  if (name.empty() || !parseExtent(number, value.extent))
    return usageError("--dim is '" + text +
                      "', expected NAME=N or, for libraries, NAME=1..N with a "
                      "number N");
  return value;
}

llvm::Expected<ShapeValue> inlay::parseShape(llvm::StringRef text) {
  auto fail = [&] {
    return usageError("--shape is '" + text +
                      "', expected INPUT:N,N,... with numbers");
  };
  if (!text.contains(':'))
    return fail();
  auto [name, list] = text.rsplit(':');
  ShapeValue value{name.str(), {}};
  llvm::SmallVector<llvm::StringRef> numbers;
  if (!list.empty())
    list.split(numbers, ',');
  for (llvm::StringRef number : numbers)
    if (!parseExtent(number.trim(), value.extents.emplace_back()))
      return fail();
  if (name.empty())
    return fail();
  return value;
}

llvm::Expected<uint64_t> inlay::parseBytes(llvm::StringRef option,
                                           llvm::StringRef text) {
  uint64_t number = 0;
  llvm::StringRef unit = text;
  bool isNumber = !unit.consumeInteger(10, number);
  uint64_t factor = llvm::StringSwitch<uint64_t>(unit.trim().lower())
                        .Cases("", "b", 1)
                        .Case("kb", 1000)
                        .Case("mb", 1000 * 1000)
                        .Case("gb", 1000 * 1000 * 1000)
                        .Case("kib", uint64_t(1) << 10)
                        .Case("mib", uint64_t(1) << 20)
                        .Case("gib", uint64_t(1) << 30)
                        .Default(0);
  std::optional<uint64_t> bytes = checkedMul(number, factor);
  if (!isNumber || factor == 0 || !bytes)
    return usageError(option + " is '" + text +
                      "', expected bytes such as 65536, 64kB or 4MiB");
  return *bytes;
}

llvm::Expected<unsigned> inlay::parseThreads(llvm::StringRef option,
                                             llvm::StringRef text) {
  unsigned threads = 0;
  if (text.getAsInteger(10, threads) || threads == 0 || threads > 256)
    return usageError(option + " is '" + text + "', expected 1 to 256");
  return threads;
}

llvm::Expected<double> inlay::parseTolerance(llvm::StringRef option,
                                             llvm::StringRef text) {
  double value;
  if (text.getAsDouble(value) || !std::isfinite(value) || value < 0)
    return usageError(option + " is '" + text +
                      "', expected a number that is not negative");
  return value;
}

llvm::Error inlay::checkWord(llvm::StringRef option, llvm::StringRef word,
                             llvm::StringRef kind,
                             llvm::ArrayRef<llvm::StringRef> known) {
  if (llvm::is_contained(known, word))
    return llvm::Error::success();
  // More edits, or as many as there are letters, are another word.
  unsigned best = std::min<size_t>(3, word.size());
  llvm::StringRef nearest;
  for (llvm::StringRef other : known) {
    unsigned distance = word.edit_distance_insensitive(other, true, best);
    if (distance >= best)
      continue;
    best = distance;
    nearest = other;
  }
  std::string hint =
      nearest.empty() ? "" : (", did you mean '" + nearest + "'?").str();
  return usageError(option + ": there is no " + kind + " '" + word + "'" +
                    hint);
}
