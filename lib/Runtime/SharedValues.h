//===- SharedValues.h - What two graphs call by one name --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_RUNTIME_SHAREDVALUES_H
#define INLAY_LIB_RUNTIME_SHAREDVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>
#include <vector>

namespace inlay {

/// A value that two graphs have under one name.
struct SharedValue {
  std::string name;
  mlir::Value a, b;
};

/// What operations of both graphs compute once, by the names that its nodes
/// gave it, in the order of `a`; constants left out. A name that occurs twice
/// in one of them names nothing. Outputs correspond by their own names.
std::vector<SharedValue> findSharedValues(mlir::func::FuncOp a,
                                          mlir::func::FuncOp b);

} // namespace inlay

#endif // INLAY_LIB_RUNTIME_SHAREDVALUES_H
