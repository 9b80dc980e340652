//===- IndexTuples.h - Places given by indices ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What gathers and scatters share: how the dimensions of `data` and `indices`
// relate.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_INDEXTUPLES_H
#define INLAY_LIB_IR_INDEXTUPLES_H

#include "inlay/IR/AxisMaps.h"
#include "inlay/IR/TypeInference.h"

namespace inlay {

/// GatherElements and ScatterElements: reports indices whose rank is not that
/// of `data`, or which exceed it in a dimension other than `axis`.
mlir::LogicalResult checkElementIndices(TypeInference &inference,
                                        mlir::Value data, mlir::Value indices,
                                        int64_t axis);

/// The dimensions of both. `axis` is an axis of its own in each; along the
/// others positions correspond, to a part of `data` where it is larger.
struct ElementAxes {
  TensorAxes data, indices;
};
std::optional<ElementAxes> getElementAxes(AxisMapBuilder &map, mlir::Value data,
                                          mlir::Value indices, int64_t axis);

/// GatherND and ScatterND: the shape of all slices together, `indices` without
/// its last dimension and then the dimensions of `data` that tuples do not
/// index. Nothing while the length of the tuples is not known.
mlir::FailureOr<MaybeShape> inferTupleShape(TypeInference &inference,
                                            mlir::Value data,
                                            mlir::Value indices,
                                            int64_t batchDims);

/// The dimensions of `data`, `indices` and all slices together.
struct TupleAxes {
  TensorAxes data, indices, slices;
  /// The axes that count tuples, behind the batch dimensions.
  llvm::SmallVector<unsigned> tuples;
};
std::optional<TupleAxes> getTupleAxes(AxisMapBuilder &map, mlir::Value data,
                                      mlir::Value indices, int64_t batchDims);

} // namespace inlay

#endif // INLAY_LIB_IR_INDEXTUPLES_H
