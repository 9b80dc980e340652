//===- Machine.h - Machines that code is made for ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_MACHINE_H
#define INLAY_CODEGEN_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inlay {

/// How many elements of 32 bits are computed at once, and how many such
/// vectors there are.
struct VectorUnit {
  unsigned lanes = 8;
  unsigned registers = 16;
  /// Whether a vector is multiplied by one lane of another as fast as by all of
  /// them; where it is not, loads that repeat an element are better.
  bool multipliesByLane = false;
  /// Sums that products need so as not to wait for one another; 0 where that
  /// decides nothing.
  unsigned sums = 10;
  /// What a load costs beside the products that are computed meanwhile, in
  /// products: of a row that lies anywhere, of one that was put close to
  /// others, and of a vector of columns, which comes from the second cache; 0
  /// where loads cost nothing as long as products are more.
  double rowCost = 0, nearRowCost = 0, columnCost = 0;
  bool countsLoads() const { return columnCost != 0; }
  /// Vectors that are multiplied and added in a cycle, that are stored, and
  /// bytes that come from memory behind the caches.
  double products = 2, stores = 1, streamedBytes = 8;
  /// Bytes that come from the second cache in a cycle.
  double cachedBytes = 64;
  /// How far ahead of a product the columns that it will need are asked for;
  /// 0 where that was not measured.
  unsigned bytesAhead = 0;
  /// How many elements ahead lines of large tensors are asked for that are read
  /// and written once; 0 where that was not measured.
  int64_t elementsAhead = 0;
  /// Blocks of rows that are multiplied by a tile of columns, at most, for the
  /// next tile to be asked for meanwhile; 0 where that was not measured.
  unsigned blocksAhead = 0;
  /// Terms of a sum that rows in place are multiplied by at once, at most, so
  /// that rows and columns of them stay in the second cache; 0 where all are.
  unsigned termsAtOnce = 0;
  /// Turns of a sum that are written one after another, where a block leaves
  /// registers for that.
  unsigned turnsAtOnce = 1;
  /// Whether the larger of two floats, or what is no number, is one
  /// instruction.
  bool keepsNaN = false;
};

struct Machine {
  /// "x86_64-linux-gnu" or "aarch64-linux-gnu".
  std::string triple;
  /// What LLVM calls the CPU, and what it has beyond that or lacks.
  std::string cpu, features;
  VectorUnit unit;
  /// What the CPU must have, as the runtime of libraries names it.
  uint32_t required = 0;

  /// This machine with all that it has.
  static Machine getHost();
  /// A machine that others have, too. `triple` is empty for this machine's;
  /// `cpu` is "generic", the name of a level, or "native": the highest level
  /// that this machine has. Others are an error that lists those there are.
  static llvm::Expected<Machine> get(llvm::StringRef triple,
                                     llvm::StringRef cpu);

  /// Whether this machine runs code of that one.
  bool isRunnable() const;
};

} // namespace inlay

#endif // INLAY_CODEGEN_MACHINE_H
