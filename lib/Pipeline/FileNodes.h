//===- FileNodes.h - The nodes that a file of ONNX has ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_FILENODES_H
#define INLAY_LIB_PIPELINE_FILENODES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace inlay {

/// Nodes of the graph and its subgraphs, as another reader of the file counts
/// them. Inlay itself has constants and the nodes of functions in their place.
struct FileNodes {
  uint64_t numNodes = 0;
  /// Of these, nodes that are constants.
  uint64_t numConstants = 0;
  /// Of these, calls of the model's functions.
  uint64_t numCalls = 0;

  /// Why there are others; empty where there are none.
  std::string describe() const;
};

/// Of a model that was read already; nothing for MLIR.
llvm::Expected<std::optional<FileNodes>> countFileNodes(llvm::StringRef path);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_FILENODES_H
