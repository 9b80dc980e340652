//===- FormEnumerator.h - Storage forms to ask an operation for -*- C++ -*-===//
//-*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_IR_FORMENUMERATOR_H
#define INLAY_UNITTESTS_IR_FORMENUMERATOR_H

#include "inlay/IR/StoredForm.h"
#include "mlir/IR/Operation.h"

namespace inlay::testing {

/// Every form along some order of the axes that is not row-major: whole, cut,
/// in blocks of which the last is not full, and with dimensions of one element
/// elsewhere.
std::vector<StoredForm> enumerateForms(mlir::Operation *op);

/// The layout of class Tensor with this order.
Layout getLayout(llvm::ArrayRef<Atom> order);

std::string describe(const StoredForm &form);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_IR_FORMENUMERATOR_H
