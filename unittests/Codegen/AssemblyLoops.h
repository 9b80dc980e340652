//===- AssemblyLoops.h - The innermost loops of assembly --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what LLVM prints for arm64 (NEON) and x86-64 (AVX, AT&T order), as far
// as it takes to see what loops of products do with vectors.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_CODEGEN_ASSEMBLYLOOPS_H
#define INLAY_UNITTESTS_CODEGEN_ASSEMBLYLOOPS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace inlay::testing {

/// A loop without another one in it that multiplies vectors. Without sums it is
/// no loop over a sum but, say, a transform.
struct ProductLoop {
  /// Fused products, and the registers that they add to and nothing else in the
  /// loop writes: the sums.
  unsigned products = 0, sums = 0;
  /// Lines that load vectors from the stack or store them there, and lines that
  /// add what another line has multiplied to such a sum.
  std::vector<std::string> spills, splits;
  /// Other registers that are loaded from the stack.
  unsigned scalarReloads = 0;
};

/// Those of one function. `isArm`: of arm64, else of x86-64.
std::vector<ProductLoop> findProductLoops(llvm::StringRef assembly, bool isArm);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_CODEGEN_ASSEMBLYLOOPS_H
