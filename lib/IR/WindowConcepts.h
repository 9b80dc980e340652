//===- WindowConcepts.h - Operators with windows, by definition -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_WINDOWCONCEPTS_H
#define INLAY_LIB_IR_WINDOWCONCEPTS_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

template <typename OpT>
concept HasKernel = requires(OpT op) { op.getKernelShape(); };
/// The kernel is that of the filters where it is not given.
template <typename OpT>
concept HasFilters = HasKernel<OpT> && requires(OpT op) { op.getW(); };
/// The window is all there is.
template <typename OpT>
concept IsGlobal =
    llvm::is_one_of<OpT, GlobalMaxPoolOp, GlobalAveragePoolOp, GlobalLpPoolOp,
                    QLinearGlobalAveragePoolOp>::value;

} // namespace inlay

#endif // INLAY_LIB_IR_WINDOWCONCEPTS_H
