//===- GraphPicture.h - A picture of a model's graph ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_GRAPHPICTURE_H
#define INLAY_LIB_PIPELINE_GRAPHPICTURE_H

#include "inlay/Analysis/ModelCosts.h"
#include "inlay/Drawing/Picture.h"
#include "inlay/IR/InlayDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace inlay {

/// A picture and what its parts were.
struct GraphPicture {
  Picture picture;
  llvm::DenseMap<mlir::Operation *, unsigned> nodes;
  llvm::DenseMap<mlir::Value, unsigned> tensors;
  /// Nodes by where they come from.
  llvm::DenseMap<OriginAttr, unsigned> byOrigin;
  /// Operators that the graph has; a picture holds `maxPictureNodes`.
  uint64_t numOps = 0;
  bool isLeftOut() const;
};

/// Beyond this many operators a picture shows parts of the graph, closed.
inline constexpr uint64_t maxPictureNodes = 20'000;

GraphPicture makePicture(mlir::func::FuncOp graph);

/// What each node costs, and at these rates takes.
void addCosts(GraphPicture &picture, const ModelCosts &costs,
              const MachineRates &rates);

/// Which nodes of `before` each node of `after` comes from.
void linkPictures(const GraphPicture &before, GraphPicture &after);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_GRAPHPICTURE_H
