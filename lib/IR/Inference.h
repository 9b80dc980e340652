//===- Inference.h - Type inference shared by operators ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_INFERENCE_H
#define INLAY_LIB_IR_INFERENCE_H

#include "inlay/IR/TypeInference.h"
#include "inlay/Tensor/ElementType.h"

namespace inlay {

/// The first result has the shape and element type of the first operand.
mlir::LogicalResult inferSameType(mlir::Operation *op,
                                  TypeInference &inference);
/// The first result has the shape of the first operand and the given element
/// type.
mlir::LogicalResult inferSameShape(mlir::Operation *op,
                                   TypeInference &inference,
                                   ElementType element);

/// The first result is the broadcast of all operands, whose element types
/// agree; it has that element type, or the given one.
mlir::LogicalResult inferBroadcastType(mlir::Operation *op,
                                       TypeInference &inference);
mlir::LogicalResult inferBroadcastType(mlir::Operation *op,
                                       TypeInference &inference,
                                       ElementType element);

/// Reports a parameter that is given twice: as an attribute and as an operand.
mlir::LogicalResult checkGivenOnce(TypeInference &inference,
                                   llvm::StringRef parameter, bool attribute,
                                   mlir::Value operand);
/// Reports a parameter that is not given exactly once.
mlir::LogicalResult checkRequired(TypeInference &inference,
                                  llvm::StringRef parameter, bool attribute,
                                  mlir::Value operand);

// The checks below report what is known to be wrong: an absent value, an
// unknown rank or extent passes. `name` is what the message calls the value.

/// Reports a value that is not of rank `rank`.
mlir::LogicalResult checkRank(TypeInference &inference, llvm::StringRef name,
                              mlir::Value value, int64_t rank);
/// Reports a value of fewer than `rank` dimensions.
mlir::LogicalResult checkMinRank(TypeInference &inference, llvm::StringRef name,
                                 mlir::Value value, int64_t rank);
/// Reports a value that is not of the shape `shape`.
mlir::LogicalResult checkShape(TypeInference &inference, llvm::StringRef name,
                               mlir::Value value,
                               llvm::ArrayRef<int64_t> shape);
/// Reports a value that does not have exactly one element.
mlir::LogicalResult checkOneElement(TypeInference &inference,
                                    llvm::StringRef name, mlir::Value value);
/// Reports a value that does not broadcast to the shape of `target`, or only by
/// stretching `target` as well.
mlir::LogicalResult checkBroadcastsTo(TypeInference &inference,
                                      llvm::StringRef name, mlir::Value value,
                                      mlir::Value target);

/// The element type of an attribute that holds ONNX's number of one; reports a
/// number that names none.
mlir::FailureOr<ElementType> checkElementType(TypeInference &inference,
                                              llvm::StringRef attribute,
                                              int64_t code);

/// Whether two extents can be the same: equal, or one of them unknown.
inline bool areCompatibleExtents(int64_t a, int64_t b) {
  return a == b || mlir::ShapedType::isDynamic(a) ||
         mlir::ShapedType::isDynamic(b);
}
/// Whether `from` can broadcast to `to` without stretching `to`.
bool mayBroadcastTo(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// "2x?x4"; "scalar" for rank 0. For messages.
std::string formatExtents(llvm::ArrayRef<int64_t> shape);

} // namespace inlay

#endif // INLAY_LIB_IR_INFERENCE_H
