//===- ModelKernels.h - The products that models consist of -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_BENCH_KERNELS_MODELKERNELS_H
#define INLAY_BENCH_KERNELS_MODELKERNELS_H

#include "LoneKernel.h"
#include <map>

namespace inlay::benching {

/// How many rows and columns a product has, and what is summed; `batch`
/// products of this size are one kernel.
struct ProductSizes {
  int64_t batch = 1, rows = 1, columns = 1, sums = 1;

  /// Whether it is one whose speed depends on nothing but arithmetic.
  bool isDense() const { return rows >= 16 && columns >= 32 && sums >= 64; }
};

/// A kernel that one or more steps of one or more models have.
struct ProductKernel {
  std::string name;
  ProductSizes sizes;
  llvm::StringRef templateName;
  double operations;
  unsigned uses = 0;
  LoneKernel kernel;
};

/// The kernels of products of f32, each once.
class ModelKernels {
public:
  /// Adds those of the model in a file.
  llvm::Error add(llvm::StringRef path);

  std::vector<ProductKernel> take() { return std::move(kernels); }

private:
  llvm::Error addStep(StepCode step, const ProductSizes &sizes,
                      llvm::StringRef model);

  std::vector<ProductKernel> kernels;
  /// By code, whose name is always the same.
  std::map<std::string, size_t> numbers;
};

} // namespace inlay::benching

#endif // INLAY_BENCH_KERNELS_MODELKERNELS_H
