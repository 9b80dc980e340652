//===- GroupKind.cpp - What a group is ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/GroupKind.h"

using namespace inlay;

GroupKind inlay::getKind(GroupOp op) {
  std::optional<llvm::StringRef> kernel = op.getKernel();
  if (!kernel)
    return GroupKind::Pipeline;
  return *kernel == clusterName ? GroupKind::Cluster : GroupKind::Kernel;
}

/// A view is in kernels of others, never one itself.
static constexpr FusionClass kernelClasses[] = {
    FusionClass::Elementwise, FusionClass::Broadcast, FusionClass::Reduce,
    FusionClass::Window,      FusionClass::Transform, FusionClass::Contraction,
    FusionClass::Opaque,
};

std::optional<FusionClass> inlay::parseKernelClass(llvm::StringRef name) {
  for (FusionClass kernelClass : kernelClasses)
    if (getName(kernelClass) == name)
      return kernelClass;
  return std::nullopt;
}
