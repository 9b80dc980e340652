//===- StorageForms.h - What the forms of operators share -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where dimensions of one element stand in a storage order makes no difference:
// every question here has the same answer wherever they stand.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_STORAGEFORMS_H
#define INLAY_LIB_IR_STORAGEFORMS_H

#include "inlay/IR/StoredForm.h"
#include "mlir/IR/Operation.h"

namespace inlay {

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// `order` of a tensor of `type`, with one atom per dimension where it is
/// row-major.
AtomSequence writeOut(llvm::ArrayRef<Atom> order, mlir::Type type);

/// Whether `atom` of a tensor of `type` has one element.
bool isUnit(mlir::Type type, const Atom &atom);

/// Whether dimension `dim` is stored as one atom.
bool isWhole(llvm::ArrayRef<Atom> order, unsigned dim);

/// The shape of a tensor of (logical) `type` when it is stored in `order`.
llvm::SmallVector<int64_t> getPhysicalShape(mlir::Type type,
                                            llvm::ArrayRef<Atom> order);

/// Whether a tensor of `type` stored in `order` has the dimensions that `view`
/// wants, but for those of one element.
bool isViewOf(mlir::Type type, llvm::ArrayRef<Atom> order,
              llvm::ArrayRef<std::optional<Atom>> view);
bool isViewOf(mlir::Type type, llvm::ArrayRef<Atom> order,
              llvm::ArrayRef<Atom> view);

/// The atoms of an operand that broadcasts against a tensor of `type` stored in
/// `order`, where that has them. Leading dimensions of one element that the
/// operand does not have are left out.
AtomView alignAtoms(mlir::Type operand, llvm::ArrayRef<Atom> operandOrder,
                    mlir::Type type, llvm::ArrayRef<Atom> order);

/// A tensor and how it is stored.
struct StoredTensor {
  mlir::Type type;
  llvm::ArrayRef<Atom> order;
};

/// The order in which all tensors (of one rank) are stored, but for dimensions
/// of one element; nothing where there is none.
std::optional<AtomSequence> mergeOrders(llvm::ArrayRef<StoredTensor> tensors);

/// The position of whole dimension `dim` in an order that is written out; a
/// negative one counts from the end.
int64_t getPosition(llvm::ArrayRef<Atom> order, int64_t dim, int64_t rank);

//===----------------------------------------------------------------------===//
// Forms that several operators have
//===----------------------------------------------------------------------===//

/// Whether operands from number `first` on are row-major.
bool areRowMajorFrom(const StoredForm &form, unsigned first);

/// The order of the first `numOperands` operands and all results, which have
/// one rank; nothing where they have none in common or where the other operands
/// are not row-major.
std::optional<AtomSequence> getCommonOrder(mlir::Operation *op,
                                           const StoredForm &form,
                                           unsigned numOperands = 1);
/// The same where, besides, every dimension is whole: which of them an operator
/// works along is known only at run time.
std::optional<AtomSequence> getWholeOrder(mlir::Operation *op,
                                          const StoredForm &form);
/// The operands for it: the first viewed in `order`, the others as they are.
/// Nothing where a view cannot be expressed.
std::optional<llvm::SmallVector<mlir::Value>>
viewOperands(StoredOpBuilder &stored, llvm::ArrayRef<Atom> order,
             unsigned numOperands = 1);

/// Says that the results of `created`, made of operands viewed in `order`, are
/// the operation's. What only the operation's types know tells which of the
/// dimensions have one element, so that views of them are found.
void setResultsIn(StoredOpBuilder &stored, mlir::Operation *created,
                  llvm::ArrayRef<Atom> order);

/// Operators along one axis, whose tensors are stored alike: attribute `axis`
/// says where it lies.
bool admitsAlongAxis(mlir::Operation *op, const StoredForm &form, int64_t axis,
                     unsigned numOperands = 1);
llvm::LogicalResult buildAlongAxis(StoredOpBuilder &stored, int64_t axis,
                                   unsigned numOperands = 1);

/// Operators whose result is operand 0 element by element; other operands are
/// taken as they are.
bool admitsUnary(mlir::Operation *op, const StoredForm &form);
llvm::LogicalResult buildUnary(StoredOpBuilder &stored);

/// The version of ONNX's operators that the operation's module uses; nothing
/// where it does not say.
std::optional<int64_t> getOpset(mlir::Operation *op);

} // namespace inlay

#endif // INLAY_LIB_IR_STORAGEFORMS_H
