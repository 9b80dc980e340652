//===- Parameters.h - Parameters of operators -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parameter (axes, pads, a shape) is an attribute or, where it is computed at
// run time, an operand. Here is what inference asks about either.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_PARAMETERS_H
#define INLAY_LIB_IR_PARAMETERS_H

#include "inlay/IR/TypeInference.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Entries of a parameter given by an operand of which only the length is
/// known are kept up to this number; no tensor has as many dimensions.
constexpr int64_t maxParameterLength = 256;

/// The number of entries of a parameter, as far as it is known.
std::optional<int64_t>
getLength(std::optional<llvm::ArrayRef<int64_t>> attribute,
          mlir::Value operand);

/// The entries of a parameter. Where only their number is known, that many
/// unknown ones.
MaybeInts getEntries(TypeInference &inference,
                     std::optional<llvm::ArrayRef<int64_t>> attribute,
                     mlir::Value operand);

/// Reports the error of an arithmetic that inference and evaluation share.
template <typename T>
mlir::FailureOr<T> report(TypeInference &inference, llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  return inference.error(llvm::toString(value.takeError()));
}

/// Reports a negative entry; unknown ones pass.
mlir::LogicalResult checkNotNegative(TypeInference &inference,
                                     llvm::StringRef parameter,
                                     llvm::ArrayRef<int64_t> entries);

} // namespace inlay

#endif // INLAY_LIB_IR_PARAMETERS_H
