//===- Expansions.h - What expansions have in common ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_EXPANSIONS_H
#define INLAY_LIB_IR_EXPANSIONS_H

#include "inlay/IR/Expansion.h"

namespace inlay {

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void registerActivationExpansions(mlir::MLIRContext &context);
void registerArithmeticExpansions(mlir::MLIRContext &context);
void registerAttentionExpansions(mlir::MLIRContext &context);
void registerConvTransposeExpansion(mlir::MLIRContext &context);
void registerEinsumExpansion(mlir::MLIRContext &context);
void registerFeatureNormalizationExpansions(mlir::MLIRContext &context);
void registerAxisNormalizationExpansions(mlir::MLIRContext &context);
void registerLossExpansions(mlir::MLIRContext &context);
void registerMovementExpansions(mlir::MLIRContext &context);
void registerPlaceExpansions(mlir::MLIRContext &context);
void registerQuantizeExpansions(mlir::MLIRContext &context);
void registerQuantizedProductExpansions(mlir::MLIRContext &context);
void registerRecurrentExpansions(mlir::MLIRContext &context);
void registerReduceExpansions(mlir::MLIRContext &context);
void registerResizeExpansion(mlir::MLIRContext &context);
void registerSliceExpansions(mlir::MLIRContext &context);
void registerSoftmaxExpansions(mlir::MLIRContext &context);

/// Makes `function` the expansion of OpT; `kind` is what a kernel of it is,
/// where it is one and OpT itself is opaque.
template <typename OpT,
          mlir::LogicalResult (*function)(OpT op, Expansion &expansion),
          FusionClass kind = FusionClass::Opaque>
void attachExpansion(mlir::MLIRContext &context) {
  struct Model : ExpandOpInterface::ExternalModel<Model, OpT> {
    mlir::LogicalResult expand(mlir::Operation *op,
                               Expansion &expansion) const {
      return function(llvm::cast<OpT>(op), expansion);
    }
    FusionClass getExpandedClass(mlir::Operation *) const { return kind; }
  };
  OpT::template attachInterface<Model>(context);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A reduction over `axes`, the value itself where there are none.
template <typename OpT>
mlir::Value reduce(Expansion &expansion, mlir::Value value,
                   llvm::ArrayRef<int64_t> axes, bool keepDims = true) {
  if (axes.empty())
    return value;
  return expansion.create<OpT>(value, mlir::Value(), expansion.getInts(axes),
                               expansion.getI64(keepDims), mlir::IntegerAttr());
}

/// A reduction of everything to a scalar.
template <typename OpT>
mlir::Value reduceAll(Expansion &expansion, mlir::Value value) {
  return expansion.create<OpT>(value, mlir::Value(), mlir::DenseI64ArrayAttr(),
                               expansion.getI64(0), mlir::IntegerAttr());
}

mlir::Value createUnsqueeze(Expansion &expansion, mlir::Value value,
                            llvm::ArrayRef<int64_t> axes);
mlir::Value createSqueeze(Expansion &expansion, mlir::Value value,
                          llvm::ArrayRef<int64_t> axes);

/// A vector along dimension `axis` of tensors of rank `rank`.
mlir::Value alignToAxis(Expansion &expansion, mlir::Value vector, int64_t axis,
                        int64_t rank);

/// `value` in a shape of as many elements; null where more of it is unknown
/// than follows from the others, or a zero would be read as another extent.
mlir::Value createReshape(Expansion &expansion, mlir::Value value,
                          llvm::ArrayRef<int64_t> shape);
/// `value` in the shape that `like` has, known or not. Null as above.
mlir::Value reshapeLike(Expansion &expansion, mlir::Value value,
                        mlir::Value like);

mlir::Value createTranspose(Expansion &expansion, mlir::Value value,
                            llvm::ArrayRef<int64_t> perm);

/// Elements `begin` to `end` along an axis.
mlir::Value createSlice(Expansion &expansion, mlir::Value value, int64_t axis,
                        int64_t begin, int64_t end);

/// 0, 1, ... count - 1, which whoever makes code of it counts.
mlir::Value createCount(Expansion &expansion, int64_t count);

/// begin, begin + 1, ... end - 1.
inline llvm::SmallVector<int64_t> getRange(int64_t begin, int64_t end) {
  return llvm::to_vector(llvm::seq(begin, end));
}

/// Whether the elements are floats.
bool isFloatTensor(mlir::Value value);

/// The shape, where all of it is known.
MaybeShape getStaticShape(mlir::Value value);

} // namespace inlay

#endif // INLAY_LIB_IR_EXPANSIONS_H
