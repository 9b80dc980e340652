//===- DFG.h - The operators of a block as plain nodes ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DFG stands between the IR and the pipeline of a target: nodes with
// predecessors and successors. Fusion decides on it alone, so that it can be
// tested with plain numbers. A tuple is nothing of its own here: an operator
// with any number of operands.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_DFG_H
#define INLAY_HARDWAREFUSION_DFG_H

#include "inlay/Analysis/OpGraph.h"
#include "inlay/Analysis/OpTypeNamer.h"
#include "inlay/HardwareFusion/FusionResult.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>

namespace inlay {

/// One way for a pipeline to execute an operator.
struct StageForm {
  /// The stages that it occupies, in the order in which data passes them: the
  /// operator's own and those of its parts.
  llvm::SmallVector<unsigned, 3> stages;
  /// The operands that data may flow in through, ascending.
  llvm::SmallVector<unsigned, 2> data;

  bool operator==(const StageForm &) const = default;
};

/// How groups may take an operator in.
enum class FusionRole : uint8_t {
  /// By a stage; there is at least one form.
  Mapped,
  /// On the way, when an operator of the group needs it.
  Collectable,
  /// Not at all; there is a reason.
  Outside,
};

struct FusionNode : GraphNode {
  std::string opType;
  /// Values, in the order of the operands. An operator with regions uses what
  /// they capture too, behind its operands.
  llvm::SmallVector<unsigned, 4> operands;
  FusionRole role = FusionRole::Outside;
  std::vector<StageForm> forms;
};

class DFG : public OpGraph<FusionNode, GraphValue> {
public:
  using Role = FusionRole;

  class Creator;

  llvm::ArrayRef<unsigned> getReads(unsigned node) const {
    return nodes[node].operands;
  }
  /// Why groups take the node in by no stage; null when they do.
  const FusionReason *getReason(unsigned node) const;
  /// What messages call a node.
  std::string getName(unsigned node) const;

  // For those who make graphs: values before the nodes that use them.
  unsigned addValue(uint64_t bytes, bool isConstant = false,
                    mlir::Value ref = {});
  /// Adds a node behind all others, with new results of those sizes.
  unsigned addNode(llvm::StringRef opType, llvm::ArrayRef<unsigned> operands,
                   llvm::ArrayRef<uint64_t> resultBytes,
                   mlir::Operation *ref = nullptr);
  void setEscapes(unsigned value) { values[value].escapes = true; }
  void setForms(unsigned node, std::vector<StageForm> forms);
  void setCollectable(unsigned node, FusionReason reason);
  void setOutside(unsigned node, FusionReason reason);

private:
  std::map<unsigned, FusionReason> reasons;
};

/// Whether nothing is left of an operator when tensors are stored as their
/// types say: its result lies in memory as its operand does.
bool isStoredAlike(mlir::Operation *op);

/// Makes the graph of a block's own operators; regions belong to the operator
/// that has them. Nodes are in post-order from the block's outputs, operands
/// left to right, whatever the order of the block; those that no output needs
/// follow in the order of the block. Constants are values, not nodes, and so is
/// a constant in another storage order. What is stored alike is one value.
class DFG::Creator {
public:
  Creator(mlir::Block &block, OpTypeNamer namer, ValueSizer sizer)
      : block(block), namer(namer), sizer(sizer) {}

  DFG create();

private:
  void addNode(mlir::Operation *op);
  unsigned getValue(mlir::Value value);
  bool isNode(mlir::Operation *op) const;
  mlir::Value getRoot(mlir::Value value) const;

  mlir::Block &block;
  OpTypeNamer namer;
  ValueSizer sizer;
  DFG graph;
  llvm::DenseMap<mlir::Value, unsigned> valueIds;
};

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_DFG_H
