//===- NodeOrder.h - Producers before consumers -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_NODEORDER_H
#define INLAY_LIB_ONNX_NODEORDER_H

#include "inlay/ONNX/Proto.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace inlay::onnx {

/// Calls `visit` for every graph in the attributes of `node`.
void forEachGraph(const proto::Node &node,
                  llvm::function_ref<void(const proto::Graph &)> visit);

/// The positions of `nodes` in an order in which every node comes after the
/// nodes whose outputs it uses, itself or in its subgraphs; empty when the
/// given order is one. Fails on a cycle, naming nodes of it.
llvm::Expected<std::vector<unsigned>>
orderNodes(llvm::ArrayRef<proto::Node> nodes);

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_NODEORDER_H
