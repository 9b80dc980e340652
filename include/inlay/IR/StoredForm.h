//===- StoredForm.h - The storage orders one operation works in -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of an operation's operands and results keep their logical shapes;
// how each is stored is the encoding. A form is the storage orders of all of
// them. An operation says which forms ONNX's operator can express with other
// attributes (admitsForm), and builds itself over the physical tensors
// (buildStored). Everything else is row-major, or wrapped in inlay.in_layout.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_STOREDFORM_H
#define INLAY_IR_STOREDFORM_H

#include "inlay/Layout/Layout.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace inlay {

/// The storage order of a tensor type's encoding; empty when it is row-major.
llvm::ArrayRef<Atom> getStorageOrder(mlir::Type type);
/// The type of the stored tensor: one dimension per atom, no encoding.
mlir::Type getPhysicalType(mlir::Type type);

/// Orders are empty where they are row-major. A dimension may be one atom
/// (whole) or several (factored).
struct StoredForm {
  llvm::SmallVector<AtomSequence, 3> operands;
  llvm::SmallVector<AtomSequence, 1> results;

  /// The form that the types of the operation say.
  static StoredForm of(mlir::Operation *op);

  bool isRowMajor() const;
  /// Whether some dimension of some tensor is factored.
  bool isFactored() const;
  /// Whether some dimension of some tensor is blocked, so that there may be
  /// padding among the elements.
  bool isBlocked() const;
  /// The same where nothing is known of padding.
  StoredForm withoutPadding() const;

  bool operator==(const StoredForm &) const = default;
};

/// The dimensions that an operator wants a tensor to have: atoms of the tensor,
/// or nothing for a dimension of one element that is put in.
using AtomView = llvm::SmallVector<std::optional<Atom>, 4>;

/// Whether a physical tensor of shape `from` can be given the shape `to` when
/// both are runs of the same axes: unknown extents may keep it from being
/// expressed. Dimensions of one element make no difference.
bool canView(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Replaces one operation by its equal over physical tensors. Row-major
/// tensors are their own physical tensors.
///
///   // ReduceSum
///   stored.setResults(stored.create(
///       stored.getOperands(),
///       {stored.getAttr("axes", stored.getInts(positions))}));
class StoredOpBuilder {
public:
  /// `operands` are the physical values of the operation's operands.
  StoredOpBuilder(mlir::OpBuilder &builder, mlir::Operation *op,
                  mlir::ValueRange operands);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Operation *getOperation() const { return op; }
  /// The form that the types say, without what they say of padding.
  const StoredForm &getForm() const { return form; }

  llvm::ArrayRef<mlir::Value> getOperands() const { return operands; }
  /// The physical value that stands for `operand` of the operation; null for
  /// an absent optional one.
  mlir::Value lookup(mlir::Value operand) const;

  /// The order of an operand or result, written out also when it is row-major.
  AtomSequence getOperandOrder(unsigned index) const;
  AtomSequence getResultOrder(unsigned index) const;
  mlir::Attribute getI64(int64_t value) {
    return builder.getI64IntegerAttr(value);
  }
  mlir::Attribute getInts(llvm::ArrayRef<int64_t> values) {
    return builder.getDenseI64ArrayAttr(values);
  }

  mlir::NamedAttribute getAttr(llvm::StringRef name, mlir::Attribute value) {
    return builder.getNamedAttr(name, value);
  }

  /// An operand with the dimensions that `view` wants, of which it is a view.
  mlir::Value viewOperand(unsigned index,
                          llvm::ArrayRef<std::optional<Atom>> view);
  mlir::Value viewOperand(unsigned index, llvm::ArrayRef<Atom> order) {
    return viewOperand(index, AtomView(order.begin(), order.end()));
  }
  /// An operand that broadcasts (numpy's rules) against a tensor of `type`
  /// stored in `order`, with its dimensions where that has them.
  mlir::Value alignOperand(unsigned index, mlir::Type type,
                           llvm::ArrayRef<Atom> order);

  /// `value` as `shape`, elements in the same order. Null when an unknown
  /// extent keeps it from being expressed.
  mlir::Value createView(mlir::Value value, llvm::ArrayRef<int64_t> shape);

  /// The same operator with other operands and attributes. Result types follow
  /// from inference.
  mlir::Operation *create(mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::NamedAttribute> changed = {});

  /// Says what result `index` has become. It is viewed in the physical shape
  /// that the form says.
  void setResult(unsigned index, mlir::Value value);
  /// setResult for all results of `created`.
  void setResults(mlir::Operation *created);

  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

private:
  mlir::OpBuilder &builder;
  mlir::Operation *op;
  StoredForm form;
  llvm::SmallVector<mlir::Value> operands, results;
};

/// The forms of operations whose operands broadcast to the result: any order,
/// and the same operator on aligned operands.
bool admitsElementwise(mlir::Operation *op, const StoredForm &form);
llvm::LogicalResult buildElementwise(StoredOpBuilder &stored);

/// The forms of operations over N x C x spatial that stay so: channels (and
/// batches) in other orders of their factors, the same for all tensors, and
/// spatial dimensions in other places.
bool admitsRenamed(mlir::Operation *op, const StoredForm &form);
llvm::LogicalResult buildRenamed(StoredOpBuilder &stored);

} // namespace inlay

#endif // INLAY_IR_STOREDFORM_H
