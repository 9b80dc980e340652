//===- FormKinds.h - What forms of an operator differ in --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_FORMKINDS_H
#define INLAY_IR_FORMKINDS_H

#include "llvm/ADT/StringRef.h"

namespace inlay {

/// What the storage orders of an operator's tensors may decide, whatever its
/// attributes are. Operators of which nothing is known may be anything.
struct FormKinds {
  /// It combines elements along axes, and where these lie matters.
  bool combines = true;
  /// It multiplies matrices, which may be transposed.
  bool multiplies = true;
  /// It may repeat operands along axes.
  bool repeats = true;
};

/// Of an operator by its type in ONNX, "Softmax".
FormKinds getFormKinds(llvm::StringRef onnxType);

} // namespace inlay

#endif // INLAY_IR_FORMKINDS_H
