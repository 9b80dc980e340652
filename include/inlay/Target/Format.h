//===- Format.h - Blocked storage orders by name ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A format is a storage order with blocked axes that a target has a name for.
// A digit behind a letter numbers the factors of an axis from the minor end:
//
//   NC1HWC0     data: NC1HWC0, blocks of 16 along C
//   FRACTAL_Z   weight: I1HWO1O0I0, blocks of 16 along I and O
//
// Like all orders it is written once for all ranks.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_FORMAT_H
#define INLAY_TARGET_FORMAT_H

#include "inlay/Target/LetterOrder.h"
#include <map>

namespace inlay {

struct Format {
  /// The size of the blocks of each axis, by its letter.
  using BlockSizes = std::map<char, int64_t>;

  OrderRole role = OrderRole::Data;
  /// "NC1HWC0".
  std::string order;
  BlockSizes blocks;
  /// Sizes that are other ones for elements of a type, by ONNX's name for it.
  std::map<std::string, BlockSizes, std::less<>> blocksOfType;

  int64_t getBlock(char axis, llvm::StringRef elementType) const;

  bool operator==(const Format &) const = default;
};

/// The letters of a format's order, each axis once, in the order of their minor
/// factors: "NHWC" for NC1HWC0.
std::string getFormatAxes(llvm::StringRef order);

/// The storage order of a tensor whose logical axes are `axes` in a format, its
/// elements being of that type; nothing where the format does not suit.
std::optional<AtomSequence> getFormatOrder(const Format &format,
                                           llvm::StringRef axes,
                                           llvm::StringRef elementType);

} // namespace inlay

#endif // INLAY_TARGET_FORMAT_H
