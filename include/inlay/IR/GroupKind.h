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

/// What `kernel` of a cluster says in the place of a class.
inline constexpr llvm::StringLiteral clusterName = "cluster";

GroupKind getKind(GroupOp op);

/// The class of a kernel by its name; nothing for what no kernel is of.
std::optional<FusionClass> parseKernelClass(llvm::StringRef name);

} // namespace inlay

#endif // INLAY_IR_GROUPKIND_H
