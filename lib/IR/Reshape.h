//===- Reshape.h - Giving a tensor another shape ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_RESHAPE_H
#define INLAY_LIB_IR_RESHAPE_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay {

/// The same elements under another shape, which must have as many.
llvm::Expected<HostTensor> reshape(const HostTensor &x,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace inlay

#endif // INLAY_LIB_IR_RESHAPE_H
