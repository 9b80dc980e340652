//===- WindowWeights.h - Weights of windows side by side --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINDOWWEIGHTS_H
#define INLAY_LIB_CODEGEN_WINDOWWEIGHTS_H

#include "WindowPlan.h"

namespace inlay {

/// Packs weights tap by tap, channels side by side.
class WindowWeights {
public:
  WindowWeights(const KernelBody &body, const Window &window)
      : window(window), shape(getShape(window)),
        space(LoopPlan::get(shape), LoopPlan::get(shape).getPieces().front()),
        reader(body, space) {}

  bool plan();
  bool readsConstants() const { return reader.readsConstants(); }
  bool emit(KernelBuilder &builder) const;

private:
  static llvm::SmallVector<int64_t> getShape(const Window &window);

  const Window &window;
  llvm::SmallVector<int64_t> shape;
  LoopSpace space;
  Reader reader;
  unsigned element = 0;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINDOWWEIGHTS_H
