//===- LayoutTransmit.h - Layouts of a whole graph --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every tensor of a function is (Feature, Weight, NTensor or Tensor) and
// what its axes mean, inferred from the operators that know: convolutions and
// matrix products. It does not choose storage orders: all layouts that it gives
// are row-major.
//
//   %0 = inlay.conv %x, %w          %x and %0 are NCHW, %w is OIHW
//   %1 = inlay.reshape %0           hides what %0 is from %1, and keeps it NCHW
//   %2 = inlay.matmul %1, %b        %1, %b and %2 are NTensors
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_LAYOUTTRANSMIT_H
#define INLAY_ANALYSIS_LAYOUTTRANSMIT_H

#include "inlay/IR/LayoutTransfer.h"
#include "inlay/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace inlay {

struct TransmitOptions {
  /// By LayoutClass. A value whose rank is outside of its class's bounds is a
  /// Tensor, and has no layout outside of Tensor's.
  std::array<RankBounds, 4> ranks = Target().ranks;

  const RankBounds &getBounds(LayoutClass layoutClass) const {
    return ranks[size_t(layoutClass)];
  }
};

/// Linear in the graph, without recursion, and independent of the order in
/// which independent operations stand. Encodings that types have are not read.
class LayoutTransmit {
public:
  explicit LayoutTransmit(mlir::func::FuncOp function,
                          const TransmitOptions &options = {});

  /// Null for values that are not ranked or whose rank no class takes.
  LayoutAttr getLayout(mlir::Value value) const {
    return layouts.lookup(value);
  }

private:
  llvm::DenseMap<mlir::Value, LayoutAttr> layouts;
};

} // namespace inlay

#endif // INLAY_ANALYSIS_LAYOUTTRANSMIT_H
