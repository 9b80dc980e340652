//===- ModelProducts.h - Products that models have --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distinct convolutions and products of matrices of 29 real models, in
// Inputs/products.txt, a line each:
//
//   conv DATA WEIGHTS [pads=…] [strides=…] [dilations=…] [group=N] [nchw|front]
//   matmul A B
//   gemm A B [transA] [transB]
//
// Convolutions have their channels side by side, as the target `cpu` stores
// them, unless they are marked `nchw`; before those that are marked `front`
// something else is computed in the same kernel.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_CODEGEN_MODELPRODUCTS_H
#define INLAY_UNITTESTS_CODEGEN_MODELPRODUCTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace inlay::testing {

struct ModelProduct {
  using Extents = llvm::SmallVector<int64_t>;

  /// The line.
  std::string text;
  bool isConv = false, isGemm = false, isNchw = false, hasFront = false,
       transA = false, transB = false;
  Extents a, b, pads, strides, dilations;
  int64_t group = 1;

  unsigned getNumSpatial() const { return a.size() - 2; }
  bool isDepthwise() const { return group != 1; }
  /// In ONNX's order.
  Extents getResult() const;
  /// Products of two elements that it takes.
  int64_t countProducts() const;
  /// Whether Winograd's products can compute it.
  bool allowsTiles() const;
  /// A function of one step that computes it.
  std::string getFunction() const;
};

std::vector<ModelProduct> readModelProducts();

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_CODEGEN_MODELPRODUCTS_H
