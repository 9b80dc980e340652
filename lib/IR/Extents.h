//===- Extents.h - Arithmetic on extents ------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extents that may be unknown (ShapedType::kDynamic). What depends on an
// unknown one, or does not fit, is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_EXTENTS_H
#define INLAY_LIB_IR_EXTENTS_H

#include "inlay/Support/CheckedMath.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace inlay {

inline bool isUnknown(int64_t extent) {
  return mlir::ShapedType::isDynamic(extent);
}

inline int64_t addExtents(int64_t a, int64_t b) {
  if (isUnknown(a) || isUnknown(b))
    return mlir::ShapedType::kDynamic;
  return checkedAdd(a, b).value_or(mlir::ShapedType::kDynamic);
}

inline int64_t mulExtents(int64_t a, int64_t b) {
  if (isUnknown(a) || isUnknown(b))
    return mlir::ShapedType::kDynamic;
  return checkedMul(a, b).value_or(mlir::ShapedType::kDynamic);
}

/// The product of all extents, 1 for none.
inline int64_t mulExtents(llvm::ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product = mulExtents(product, extent);
  return product;
}

inline bool areAllKnown(llvm::ArrayRef<int64_t> extents) {
  return llvm::none_of(extents, isUnknown);
}

/// Whichever of two compatible extents is known.
inline int64_t meetExtents(int64_t a, int64_t b) {
  return isUnknown(a) ? b : a;
}

} // namespace inlay

#endif // INLAY_LIB_IR_EXTENTS_H
