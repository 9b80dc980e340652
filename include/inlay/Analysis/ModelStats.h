//===- ModelStats.h - What a model consists of, in numbers ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_MODELSTATS_H
#define INLAY_ANALYSIS_MODELSTATS_H

#include "inlay/Analysis/OpTypeNamer.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

/// An input or output of a graph.
struct PortInfo {
  std::string name;
  /// ONNX's name of the element type, or the words of an opaque type.
  std::string type;
  /// A number, a symbol, or "?" for each dimension; nothing when the rank is
  /// unknown.
  std::optional<std::vector<std::string>> dims;
  /// Whether the input has a value that the caller may leave as it is.
  bool hasDefault = false;
};

/// A node that Inlay does not model.
struct OpaqueNode {
  std::string opType;
  std::string name;
};

struct ModelStats {
  /// Operators, those of subgraphs included, constants not.
  uint64_t numNodes = 0;
  /// Groups, which do not count as nodes: their operators do.
  uint64_t numGroups = 0;
  std::map<std::string, uint64_t> nodesByKind;

  uint64_t numTransposes = 0;
  /// Bytes of the tensors that transposes of static shape write.
  uint64_t transposeBytes = 0;
  /// Transposes whose size is unknown.
  uint64_t numUnsizedTransposes = 0;

  uint64_t numConstants = 0;
  /// Elements and bytes of the constants; the elements are not looked at.
  uint64_t numParameters = 0;
  uint64_t weightBytes = 0;

  /// The most bytes of inputs and intermediate tensors that are alive at once
  /// when nodes run in order and each tensor lives from its definition to its
  /// last use; nothing when a size is unknown.
  std::optional<uint64_t> peakActivationBytes;

  std::vector<PortInfo> inputs;
  std::vector<PortInfo> outputs;
  std::vector<OpaqueNode> opaqueNodes;
};

llvm::Expected<ModelStats> computeModelStats(mlir::ModuleOp module,
                                             OpTypeNamer getOpType);

/// The peak alone; see ModelStats.
std::optional<uint64_t> computePeakActivationBytes(mlir::Block &block);

/// What is alive at each operation of the block, up to the first of unknown
/// size.
using LiveBytesByOp = llvm::DenseMap<mlir::Operation *, uint64_t>;
LiveBytesByOp computeLiveBytes(mlir::Block &block);

} // namespace inlay

#endif // INLAY_ANALYSIS_MODELSTATS_H
