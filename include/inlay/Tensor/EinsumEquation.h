//===- EinsumEquation.h - Einsum's notation ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Einsum in numpy's notation: letters of either case, ellipsis, repeated
// indices, an implicit or explicit result. The equation becomes labels, one per
// axis of each operand.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_EINSUMEQUATION_H
#define INLAY_TENSOR_EINSUMEQUATION_H

#include "inlay/Tensor/HostTensor.h"
#include <map>

namespace inlay {

struct EinsumEquation {
  /// A letter, or an axis of the ellipsis: `ellipsisEnd` - i is the i-th from
  /// the right.
  using Label = int;
  static constexpr Label ellipsisEnd = 1 << 16;
  using Labels = llvm::SmallVector<Label, 6>;

  llvm::SmallVector<Labels, 2> operands;
  Labels result;
};

/// `ranks` are those of the operands.
llvm::Expected<EinsumEquation> parseEinsum(llvm::StringRef text,
                                           llvm::ArrayRef<int64_t> ranks);

/// The size of every label: sizes of 1 stretch, unknown ones (`unknownDim` of
/// Window.h) give way.
llvm::Expected<std::map<EinsumEquation::Label, int64_t>>
getLabelSizes(const EinsumEquation &equation,
              llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// The shape of the result, where sizes may be `unknownDim`.
llvm::Expected<HostTensor::Shape>
inferEinsumShape(llvm::StringRef equation,
                 llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

} // namespace inlay

#endif // INLAY_TENSOR_EINSUMEQUATION_H
