//===- GroupKind.h - What a group is ----------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_GROUPKIND_H
#define INLAY_IR_GROUPKIND_H

#include "inlay/IR/InlayOps.h"
#include <optional>

namespace inlay {

enum class GroupKind : uint8_t {
  /// What one pass through a hardware pipeline executes.
  Pipeline,
  /// Operators of which kernels will be made.
  Cluster,
  /// One generated kernel.
  Kernel,
};

GroupKind getKind(GroupOp op);

/// What files say in the place of a kernel's class: it, or of a cluster that it
/// is one; nothing of a pipeline's group.
std::optional<llvm::StringRef> getKindName(GroupOp op);
inline constexpr llvm::StringLiteral clusterName = "cluster";

/// Whether it is the name of a kernel's class or of a cluster.
bool isKindName(llvm::StringRef name);
/// Makes the group what the name says, a kernel with the loops that it has.
void setKind(GroupOp op, llvm::StringRef name);

/// The class of a kernel by its name; nothing for what no kernel is of.
std::optional<FusionClass> parseKernelClass(llvm::StringRef name);

} // namespace inlay

#endif // INLAY_IR_GROUPKIND_H
