//===- Reshapes.h - Shapes of the same elements -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of Reshape, Flatten, Squeeze and Unsqueeze, which inference
// and evaluation share. Extents may be unknown (ShapedType::kDynamic).
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_RESHAPES_H
#define INLAY_IR_RESHAPES_H

#include "inlay/IR/TypeInference.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// The shape that the entries of Reshape's `shape` ask for, as far as it is
/// known.
llvm::Expected<llvm::SmallVector<int64_t>>
inferReshape(const MaybeShape &input, llvm::ArrayRef<int64_t> entries,
             bool allowZero);

llvm::Expected<llvm::SmallVector<int64_t>>
inferFlatten(llvm::ArrayRef<int64_t> shape, int64_t axis);

/// The dimensions that Squeeze removes: `axes`, or for none all that are one.
llvm::Expected<llvm::SmallBitVector>
getSqueezedDims(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> axes);
llvm::Expected<llvm::SmallVector<int64_t>>
inferSqueeze(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> axes);

/// Which dimensions of the result of Unsqueeze are inserted ones.
llvm::Expected<llvm::SmallBitVector>
getInsertedDims(int64_t inputRank, llvm::ArrayRef<int64_t> axes);
llvm::Expected<llvm::SmallVector<int64_t>>
inferUnsqueeze(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> axes);

} // namespace inlay

#endif // INLAY_IR_RESHAPES_H
