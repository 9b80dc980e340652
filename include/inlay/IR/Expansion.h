//===- Expansion.h - Composite operators as basic ones ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_EXPANSION_H
#define INLAY_IR_EXPANSION_H

#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

namespace inlay {

/// What a composite operator builds its basic operators with, in front of
/// itself. Their types are inferred. The value of a result bears the name that
/// the result has; the other operators bear the node's origin behind one of
/// their own, "NODE/exp".
class Expansion {
public:
  /// `isRequested`: somebody wants this very operator expanded, also one that
  /// is basic nearly everywhere.
  explicit Expansion(mlir::Operation *op, bool isRequested = false);
  Expansion(const Expansion &) = delete;

  mlir::Operation *getOperation() const { return op; }
  bool isRequested() const { return requested; }

  /// An operator from its operands and attributes, in the order of its
  /// definition. One with a single result is meant.
  template <typename OpT, typename... Args> mlir::Value create(Args &&...args) {
    mlir::OperationState state(op->getLoc(), OpT::getOperationName());
    mlir::Type unknown = UnknownType::get(op->getContext());
    OpT::build(builder, state, mlir::TypeRange(unknown),
               std::forward<Args>(args)...);
    return add(builder.create(state));
  }

  mlir::Value createConstant(const HostTensor &tensor);
  mlir::Value createConstant(mlir::TypedAttr value);
  /// A scalar, rounded to the element type.
  mlir::Value createScalar(mlir::Type element, double value);
  /// A scalar of the element type that `like` has.
  mlir::Value createScalarLike(mlir::Value like, double value);
  mlir::Value createInts(llvm::ArrayRef<int64_t> values);
  /// The value itself where it has that element type.
  mlir::Value createCast(mlir::Value value, mlir::Type element);

  /// The type to compute in over several roundings: f32 for narrower floats,
  /// else the widest element type of the values.
  mlir::Type getComputeType(mlir::ValueRange values) const;
  /// The value in the type to compute in.
  mlir::Value widen(mlir::Value value);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::IntegerAttr getI64(int64_t value) {
    return builder.getI64IntegerAttr(value);
  }
  mlir::DenseI64ArrayAttr getInts(llvm::ArrayRef<int64_t> values) {
    return builder.getDenseI64ArrayAttr(values);
  }

  /// Sets what stands for a result of the operator, converted to its element
  /// type. Results that nobody uses need not be set. Without a value there is
  /// no expansion.
  void set(mlir::Value result, mlir::Value value);

  /// What stands for each result; null where it was not set.
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }
  /// Every operation built, constants too, in order.
  llvm::ArrayRef<mlir::Operation *> getOperations() const { return created; }

  /// Removes what was built.
  void discard();
  /// Whether every result with uses was set.
  bool isComplete() const;
  /// Gives every operation its location.
  void setLocations();

private:
  mlir::Value add(mlir::Operation *operation);
  mlir::Location getStepLoc(mlir::Operation *step, llvm::StringRef output);

  mlir::Operation *op;
  bool requested;
  bool isValid = true;
  mlir::OpBuilder builder;
  llvm::SmallVector<mlir::Operation *> created;
  llvm::SmallVector<mlir::Value, 1> results;
  /// How often a name of a step was given.
  llvm::StringMap<unsigned> names;
};

/// Of a composite operator: the model's opset lacks it, so that several nodes
/// will be written for it. inlay-expand leaves this to those who make kernels.
inline constexpr llvm::StringLiteral lackingAttr = "inlay.lacking";

/// Whether the operator may be a composite one; `expand` has the last word.
bool isComposite(mlir::Operation *op);

/// Builds what the operator consists of, in front of it. Failure, which leaves
/// nothing behind, where it is none or a type that this depends on is unknown.
mlir::LogicalResult expand(Expansion &expansion);

/// Puts what the operator expands to in its place.
void replaceByExpansion(Expansion &expansion);

/// Tells the composite operators what they expand to.
void registerExpansions(mlir::MLIRContext &context);

} // namespace inlay

#endif // INLAY_IR_EXPANSION_H
