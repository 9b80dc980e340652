//===- WindowPlan.h - How windows are computed ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pools, and convolutions whose results each come from one channel: which loops
// there are over results and over the taps of a window, along which of them
// vectors lie, and how weights are read.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINDOWPLAN_H
#define INLAY_LIB_CODEGEN_WINDOWPLAN_H

#include "Epilogue.h"
#include "WindowDims.h"

namespace inlay {

struct Window {
  mlir::Operation *op;
  mlir::Value input, weight, bias;
  llvm::SmallVector<WindowDim> dims;
  /// Results per channel of the input.
  int64_t multiplier = 1;
  bool isAverage = false, countsPads = false;

  mlir::Value getResult() const { return op->getResult(0); }
  int64_t getNumChannels() const { return getExtents(getResult())[1]; }
  int64_t getNumTaps() const;

  /// The only window of a body; nothing where there are none or several.
  static std::optional<Window> match(const KernelBody &body);
};

class WindowPlan;
using WindowPlans = std::vector<std::unique_ptr<WindowPlan>>;

/// The loops: over results first, then over taps. Where another tensor begins,
/// as behind a Concat, loops over results are cut, and each piece is a plan.
class WindowPlan {
public:
  /// All pieces, whose outermost loop is the same; none where there is no way.
  /// `packsWeights`: the code finds them tap by tap, channels side by side.
  static WindowPlans make(const KernelBody &body, const Window &window,
                          bool packsWeights);

  LoopSpace space;
  /// Elements of a tap: the input's and the weight's; and of the bias.
  Reader taps;
  unsigned element = 0, weight = 0, bias = 0;
  Epilogue epilogue;
  /// Where the windows begin.
  llvm::SmallVector<Linear> starts;
  /// Where a result is, by dimension, and its channel.
  LoopIndex places;
  Linear channel;
  /// Loops over results, outermost first, and over taps.
  llvm::SmallVector<unsigned> loops, tapLoops;
  /// The loop of the last spatial dimension, and that of vectors.
  unsigned last = ~0u, lane = ~0u;
  bool packsWeights = false;

  /// The part of a loop over results that belongs to this piece.
  LoopRange getRange(unsigned loop) const { return space[loop].range; }
  /// Turns of the outermost loop of all pieces.
  int64_t getExtent() const {
    return loops.empty() ? 1 : space.getExtent(loops.front());
  }

  WindowPlan(const KernelBody &body, const LoopPlan &plan,
             llvm::ArrayRef<LoopRange> ranges)
      : space(plan, ranges), taps(body, space), epilogue(body, space) {}

private:
  static WindowPlans search(const KernelBody &body, const Window &window,
                            bool packsWeights, uint64_t maxPieces);
  bool build(const Window &window);
  void findLoops(const LoopPlan &plan, size_t numDims);
  void mergeLoops(bool isOnly);
  void chooseLane();
  llvm::SmallVector<const Linear *> getElements() const;
  llvm::SmallVector<const Linear *> getForms() const;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINDOWPLAN_H
