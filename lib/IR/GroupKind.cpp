//===- GroupKind.cpp - What a group is ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Kernels.h"

using namespace inlay;

GroupKind inlay::getKind(GroupOp op) {
  if (op.getKernelAttr())
    return GroupKind::Kernel;
  return op.getCluster() ? GroupKind::Cluster : GroupKind::Pipeline;
}

std::optional<llvm::StringRef> inlay::getKindName(GroupOp op) {
  if (op.getCluster())
    return clusterName;
  if (KernelAttr kernel = op.getKernelAttr())
    return getName(kernel.getNest().kind);
  return std::nullopt;
}

bool inlay::isKindName(llvm::StringRef name) {
  return name == clusterName || parseKernelClass(name);
}

void inlay::setKind(GroupOp op, llvm::StringRef name) {
  if (name == clusterName)
    op.setCluster(true);
  else
    setKernel(op);
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
