//===- PlanRules.h - What plans of products have to be ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules that measurements of a Neoverse V1 gave, and for x86-64 what
// registers have room for, said once more and apart from the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_CODEGEN_PLANRULES_H
#define INLAY_UNITTESTS_CODEGEN_PLANRULES_H

#include "ModelProducts.h"
#include <optional>

namespace inlay::testing {

/// Vectors of a machine. `byLane`: one is multiplied by a lane of another;
/// `loadsCount`: loads take time beside products.
struct RuleMachine {
  int64_t lanes, registers;
  bool byLane, loadsCount = false;
  /// Whether loops have two turns of a sum where a block leaves five registers.
  bool hasPairsOfTurns = false;
};

/// What a kernel says of itself.
struct PlanFacts {
  enum Kind : uint8_t { Product, Tiles, Window } kind = Product;
  /// Products of rows, columns and terms.
  int64_t count = 1, rows = 0, columns = 0, terms = 0;
  /// The block of registers, and rows it is taken from at a time; of a window
  /// neighbours and channels.
  int64_t blockRows = 0, blockColumns = 0, line = 0;
  bool isPacked = false, isInPlace = false;
  /// Parts of a sum.
  int64_t parts = 1;
  /// Of tiles: results along a side, tiles at once; of a window channels that
  /// are walked over the picture, 0 for all.
  int64_t outputs = 0, atOnce = 0;

  /// Nothing where the words are other ones.
  static std::optional<PlanFacts> read(llvm::StringRef templateName,
                                       llvm::StringRef plan);
};

/// Sums of vectors that a block has, and registers that it needs.
int64_t countSums(const PlanFacts &facts, const RuleMachine &machine);
int64_t countRegisters(const PlanFacts &facts, const RuleMachine &machine);

/// Why a plan may be another one than the rules give.
enum class Deviation : uint8_t {
  None,
  /// Rows come in lines, as of pictures that are copied: blocks of a line are
  /// of one size, not those of all rows.
  Lines,
  /// Twelve rows of more than 3,750 terms have no room in the 256 KiB of a
  /// kernel beside what it copies: eight have, of up to 5,000.
  LongSums,
  /// Another width of blocks takes fewer cycles, as the last columns fill it
  /// better.
  Width,
  /// Sums over taps, as the model of cycles says: small pictures.
  Taps,
  /// Tiles of 4 x 4 for pictures of at most 5 x 5, or of 2 x 2 for larger ones,
  /// as the model of cycles says.
  OtherTiles,
  /// Fewer channels than a block has.
  FewChannels,
  /// Fewer than four windows of a line end at no border.
  NarrowPictures,
  /// Windows are copied for the taps of one line at a time, as columns are more
  /// than 1 MB: sums are in as many parts as windows have lines.
  Slices,
  /// All channels are walked at each place, where those of a line of windows do
  /// not stay in the first cache.
  AllChannels,
};
llvm::StringRef getName(Deviation deviation);

/// The rule that a plan keeps or the deviations that it has; a message where
/// neither explains it.
struct Verdict {
  llvm::SmallVector<Deviation, 2> deviations;
  std::string error;
};
Verdict judge(const ModelProduct &product, const PlanFacts &facts,
              const RuleMachine &machine);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_CODEGEN_PLANRULES_H
