//===- NativeChecker.h - Machine code beside the executor -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_CODEGEN_NATIVECHECKER_H
#define INLAY_UNITTESTS_CODEGEN_NATIVECHECKER_H

#include "inlay/Codegen/KernelCode.h"
#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay::testing {

struct NativeCounts {
  /// Steps of the graph, composite operators as several, and those that have
  /// code.
  unsigned steps = 0, native = 0;
  /// Those that have code by Winograd's products, too.
  unsigned winograd = 0;
  /// How each that has code is computed: its template, and in words what that
  /// computes at once.
  std::vector<std::string> plans = {};
};

/// Runs the graph in the executor and every step that has code natively, on the
/// same operands: in one part and in several, between pages that must not be
/// touched, into memory that is not zero. A message where an element differs by
/// more than `tolerance`, of itself or of 1 where it is smaller (as f32 has it;
/// narrower floats are wider apart), or sums of products differ between vector
/// units; the bits of NaN do not matter. A convolution that Winograd's products
/// compute is tried by tiles of both sizes, too. A kernel that writes to
/// anything but its results and a little memory of its own is wrong, too.
std::string checkNative(mlir::ModuleOp module,
                        llvm::ArrayRef<HostTensor> inputs, NativeCounts &counts,
                        double tolerance = 0);

/// Runs the graph as a program, with its arena and threads: on one thread
/// twice, on two and on four the bits of its outputs are the same, and what the
/// executor computes but for `tolerance` of the largest element. A message
/// where they are not.
std::string checkProgram(mlir::ModuleOp module,
                         llvm::ArrayRef<HostTensor> inputs, double tolerance,
                         WinogradUse winograd = WinogradUse::Auto);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_CODEGEN_NATIVECHECKER_H
