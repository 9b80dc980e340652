//===- LoopIndex.h - Places in tensors as loops count them ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an element is read or written is known before any code is made: sums of
// multiples of loop counters. What no such sum says (a quotient by a number
// that does not fit a loop, a place that a tensor holds) is a variable of its
// own. A loop that would say it if it were two, or if it were cut somewhere, is
// asked for.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_LOOPINDEX_H
#define INLAY_LIB_CODEGEN_LOOPINDEX_H

#include "Sampling.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace inlay {

using Extents = llvm::SmallVector<int64_t>;

/// A sum of multiples of variables.
struct Linear {
  /// By variable; no factor is zero.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> terms;
  int64_t constant = 0;

  static Linear number(int64_t value) { return {{}, value}; }
  static Linear variable(unsigned id, int64_t factor = 1) {
    return factor == 0 ? Linear() : Linear{{{id, factor}}, 0};
  }

  bool operator==(const Linear &) const = default;
  bool isNumber() const { return terms.empty(); }
  int64_t getFactor(unsigned id) const;
  void drop(unsigned id);
};

Linear operator+(const Linear &a, const Linear &b);
Linear operator*(const Linear &a, int64_t factor);
inline Linear operator-(const Linear &a, const Linear &b) { return a + b * -1; }

/// One per dimension of a tensor.
using LoopIndex = llvm::SmallVector<Linear, 4>;

/// `low` to `high`, both included.
struct LoopRange {
  int64_t low, high;
};

/// The place of an element in a dense row-major tensor.
Linear getOffset(const LoopIndex &index, llvm::ArrayRef<int64_t> shape);

/// How the dimensions of a space become loops: each is a product of loops,
/// outermost first, and each loop is cut at some counts.
struct LoopPlan {
  struct Loop {
    int64_t extent;
    Extents cuts;
  };
  llvm::SmallVector<llvm::SmallVector<Loop, 1>> dims;

  static LoopPlan get(llvm::ArrayRef<int64_t> shape);
  size_t getNumLoops() const;
  /// All of each loop.
  llvm::SmallVector<LoopRange> getRanges() const;
  /// How many combinations of pieces of loops there are.
  uint64_t getNumPieces() const;
  /// Each of these: of every loop one piece of its range.
  std::vector<llvm::SmallVector<LoopRange>> getPieces() const;
};

/// The variables of code, loops first.
class LoopSpace {
public:
  enum class Kind : uint8_t {
    Loop,
    Quotient,
    Remainder,
    Clamped,
    Loaded,
    Sampled
  };
  struct Variable {
    Kind kind;
    LoopRange range;
    /// What it is computed of.
    Linear argument;
    int64_t number = 0;
    mlir::Value tensor;
    std::optional<Sampling> sampling = {};
  };

  /// Loops of `plan`, each of them in the given piece of its range.
  LoopSpace(const LoopPlan &plan, llvm::ArrayRef<LoopRange> pieces);
  /// All of each loop.
  explicit LoopSpace(const LoopPlan &plan)
      : LoopSpace(plan, plan.getRanges()) {}

  llvm::ArrayRef<Variable> getVariables() const { return variables; }
  const Variable &operator[](unsigned id) const { return variables[id]; }
  unsigned getNumLoops() const { return numLoops; }
  /// Where in each dimension of the space the loops are.
  LoopIndex getIndex() const;

  LoopRange getRange(const Linear &value) const;
  /// Whether a value changes with a variable.
  bool dependsOn(const Linear &value, unsigned id) const;
  /// Vectors along a loop begin at multiples of `width`.
  void align(unsigned loop, int64_t width) { aligned = {loop, width}; }
  /// Whether elements of a vector along a loop are not the same step apart.
  bool isUneven(const Linear &value, unsigned loop) const;
  /// How far apart they are.
  int64_t getStep(const Linear &value, unsigned loop) const;
  /// How far apart neighbours along a loop mostly are, divided or not.
  int64_t getStride(const Linear &value, unsigned loop) const;

  /// Rounded down; values are not negative.
  Linear divide(const Linear &value, int64_t by);
  Linear getRemainder(const Linear &value, int64_t by);
  Linear clamp(const Linear &value, LoopRange range);
  /// The same where `value` is in `range`, and anything in it elsewhere: for
  /// what is read and thrown away. Only blocks are clamped, where it is made of
  /// them, and vectors inside of them are still possible.
  Linear keepWithin(const Linear &value, LoopRange range);
  /// A quotient and its rest put together again.
  Linear recombine(Linear value) const;
  /// What an integer tensor holds at `offset`, from the end where negative, of
  /// `extent` places.
  Linear load(mlir::Value tensor, const Linear &offset, int64_t extent);

  /// Where a resized tensor is read.
  Linear sample(const Sampling &sampling, const Linear &place);

  /// Whether `value` is in `range`: never, always, or sometimes. Where it
  /// changes with one loop, asks for that to be cut.
  enum class Truth : uint8_t { Never, Sometimes, Always };
  Truth isWithin(const Linear &value, LoopRange range);
  /// Asks the same in fewer variables, where a range begins and ends with
  /// blocks: only which block it is counts then.
  void simplifyBound(Linear &value, LoopRange &range) const;

  /// What was asked for, as a better plan; nothing where nothing was.
  std::optional<LoopPlan> getBetterPlan(uint64_t maxPieces) const;
  /// A plan with a loop over blocks, of `least` counts or more, between the
  /// cuts that were asked for.
  std::optional<LoopPlan> getPlanOfBlocks(int64_t least) const;

  /// Turns that a loop has when it is not cut.
  int64_t getExtent(unsigned loop) const { return extents[loop]; }
  /// Turns of the piece of it.
  int64_t getCount(unsigned loop) const {
    return variables[loop].range.high - variables[loop].range.low + 1;
  }
  /// Whether it turns more than once when it is not cut.
  bool isLoop(unsigned loop) const { return extents[loop] != 1; }
  /// Whether a value that changes with `outer` does so as if that were the
  /// upper part of `inner`.
  bool canMerge(const Linear &value, unsigned outer, unsigned inner) const {
    return value.getFactor(outer) == value.getFactor(inner) * extents[inner];
  }
  /// Makes a loop part of one inside of it that is not cut, where `forms` and
  /// what variables are computed of allow it.
  bool merge(unsigned outer, unsigned inner,
             llvm::ArrayRef<const Linear *> forms);

private:
  /// A value as number of a block and place in it.
  struct Blocks {
    Linear number, place;
    int64_t size;

    LoopRange getNumbers(LoopRange range) const {
      return {range.low / size, (range.high + 1) / size - 1};
    }
  };
  std::optional<Blocks> getBlocks(const Linear &value, LoopRange range) const;
  bool dependsIndirectlyOn(const Linear &value, unsigned id) const;
  bool isDividedEvenly(const Variable &variable, unsigned loop) const;
  const std::pair<unsigned, int64_t> *
  findQuotient(const Linear &value,
               const std::pair<unsigned, int64_t> &term) const;
  unsigned add(Variable variable);
  void askForSplit(const Linear &value, int64_t by);
  void askForCut(unsigned loop, int64_t at);

  LoopPlan plan;
  unsigned numLoops = 0;
  Extents extents;
  std::optional<std::pair<unsigned, int64_t>> aligned;
  llvm::SmallVector<Variable> variables;
  /// A loop and how many counts of it become a loop of their own.
  std::optional<std::pair<unsigned, int64_t>> split;
  llvm::SmallVector<std::pair<unsigned, int64_t>> cuts;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_LOOPINDEX_H
