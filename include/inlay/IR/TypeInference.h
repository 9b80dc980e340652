//===- TypeInference.h - Result types from operands -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_TYPEINFERENCE_H
#define INLAY_IR_TYPEINFERENCE_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace inlay {

/// A shape as far as it is known: nothing, or a rank with extents of which some
/// may be ShapedType::kDynamic.
using MaybeShape = std::optional<llvm::SmallVector<int64_t>>;
/// Integers of which some may be ShapedType::kDynamic (unknown).
using MaybeInts = std::optional<llvm::SmallVector<int64_t>>;

/// The element type of a tensor, or null.
mlir::Type getElementType(mlir::Value value);
mlir::Type getElementType(mlir::Type type);
/// The logical shape of a ranked tensor, or nothing.
MaybeShape getShape(mlir::Value value);
/// The rank of a ranked tensor, or nothing.
std::optional<int64_t> getRank(mlir::Value value);

/// tensor<shape x element>, tensor<*x element> without a shape, or
/// !inlay.unknown without an element type.
mlir::Type getTensorType(mlir::MLIRContext *context, mlir::Type element,
                         const MaybeShape &shape);

/// The most specific type that both describe, or null when they contradict.
/// Encodings: the one of `a` is kept.
mlir::Type meetTypes(mlir::Type a, mlir::Type b);
/// The most specific type that covers both.
mlir::Type joinTypes(mlir::Type a, mlir::Type b);

/// `axis` counted from the front, or nothing when it is not in [-rank, rank).
std::optional<int64_t> normalizeAxis(int64_t axis, int64_t rank);

/// The elements of a small integer tensor as far as they follow from constants
/// and shapes, kDynamic for the others: what a Reshape's computed target is.
/// Looks through Shape, Gather, Slice, Concat, Squeeze, Unsqueeze, Cast,
/// arithmetic, to a bounded depth.
MaybeInts getKnownInts(mlir::Value value);

/// The inference of one operation's result types. Passed to inferTypes.
class TypeInference {
public:
  TypeInference(mlir::Operation *op, bool reportErrors);

  mlir::Operation *getOperation() const { return op; }

  /// Reports `message` at the operation (unless asked to be silent) and
  /// returns failure.
  mlir::LogicalResult error(const llvm::Twine &message);

  /// Sets the type of a result. `result` is one of the operation's results.
  void set(mlir::Value result, mlir::Type type);
  void set(mlir::Value result, mlir::Type element, const MaybeShape &shape);

  /// A parameter that is an attribute or, failing that, an operand; nothing
  /// when neither is known.
  MaybeInts getInts(std::optional<llvm::ArrayRef<int64_t>> attribute,
                    mlir::Value operand) const;

  /// normalizeAxis, reporting an axis out of range.
  mlir::FailureOr<int64_t> getAxis(int64_t axis, int64_t rank);
  /// Like getAxis for a list; also reports duplicates.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  getAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);

  /// The numpy broadcast of the operands' shapes, nothing while one is
  /// unranked; reports shapes that do not broadcast.
  mlir::FailureOr<MaybeShape> broadcast(llvm::ArrayRef<MaybeShape> shapes);
  mlir::FailureOr<MaybeShape> broadcast(mlir::ValueRange values);

  /// The element type of the first value that has one; reports values whose
  /// element types differ.
  mlir::FailureOr<mlir::Type> getSameElementType(mlir::ValueRange values);

  /// What has been set; unset results are !inlay.unknown.
  llvm::ArrayRef<mlir::Type> getTypes() const { return types; }

private:
  mlir::Operation *op;
  bool reportErrors;
  llvm::SmallVector<mlir::Type, 1> types;
};

/// Infers the result types of `op` and sets each to the meet with `declared`
/// (or with the type the result has, when that is empty). A declared type that
/// contradicts is joined. Operations without the interface stay as they are.
mlir::LogicalResult refineResultTypes(mlir::Operation *op,
                                      mlir::TypeRange declared = {});

/// Verifies that the result types of `op` are compatible with the inferred
/// ones.
mlir::LogicalResult verifyInferredTypes(mlir::Operation *op);

} // namespace inlay

#endif // INLAY_IR_TYPEINFERENCE_H
