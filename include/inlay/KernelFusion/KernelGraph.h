//===- KernelGraph.h - Operators that kernels are made of -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the rules of kernels need to know of a block, and nothing else: classes
// of operators, how elements of operands and results correspond, and bytes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_KERNELFUSION_KERNELGRAPH_H
#define INLAY_KERNELFUSION_KERNELGRAPH_H

#include "inlay/Analysis/OpGraph.h"
#include "inlay/IR/FusionClass.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inlay {

/// How the elements of an operand and those of the results correspond.
enum class ElementLink : uint8_t {
  /// One to one, at the same place.
  Same,
  /// An element is used at several places.
  Broadcast,
  /// One to one, at other places: Transpose, DepthToSpace.
  Moved,
  /// A result element is an element of this operand or of another one, and not
  /// all of them need occur: Slice, Concat, Pad.
  Part,
  /// A result element depends on many of them.
  Many,
  /// It must be known before the operator starts: axes, extents, pads.
  Parameter,
};

/// Of a root: it is used and escapes where a view of it does.
struct KernelValue : GraphValue {
  /// The value whose elements these are: itself unless it is a view.
  unsigned root = 0;
  /// Values of one shape have one number.
  unsigned shape = 0;
};

struct KernelOperand {
  unsigned value = ~0u;
  ElementLink link = ElementLink::Same;
  /// Of Broadcast: the dimensions of the result that its elements are spread
  /// along, unless these have one element.
  uint64_t spread = 0;
  /// It is a body of If, Loop or Scan that reads it: the operator waits for it,
  /// and what it moves counts in the body.
  bool isCaptured = false;
  /// What the operator reads of it at most: a Slice reads what it takes.
  uint64_t bytes = ~uint64_t(0);
};

struct KernelNode : GraphNode {
  FusionClass kind = FusionClass::Opaque;
  /// What the operator reads, what views between it and the root take as
  /// parameters and what its regions capture included.
  llvm::SmallVector<KernelOperand, 3> operands;
  /// Of Reduce: the dimensions of its first operand that are combined, unless
  /// they have one element.
  uint64_t reduced = 0;
  /// Of Reduce: how many elements it combines; 0 when that is unknown.
  uint64_t rowLength = 0;
  /// The composite operator that it is a part of; none when it is none.
  unsigned expansion = ~0u;

  bool isAnchor() const {
    return kind == FusionClass::Contraction || kind == FusionClass::Window;
  }
};

/// Nodes are the operators that compute or move something, their predecessors
/// ascending; constants are values, and a view is a value with the elements of
/// another one, its root.
class KernelGraph : public OpGraph<KernelNode, KernelValue> {
public:
  using Operand = KernelOperand;

  const Value &getRoot(unsigned value) const {
    return values[values[value].root];
  }
  /// Roots.
  auto getReads(unsigned node) const {
    return llvm::map_range(
        nodes[node].operands,
        [this](const Operand &operand) { return values[operand.value].root; });
  }

  /// Calls `read` with the root of every operand of the node and the bytes that
  /// are read of it.
  template <typename Fn> void visitReads(unsigned node, Fn read) const {
    for (const Operand &operand : nodes[node].operands) {
      const Value &root = getRoot(operand.value);
      read(root.root, std::min(operand.bytes, root.bytes));
    }
  }

  // For those who make graphs: values before the nodes that use them.
  unsigned addValue(unsigned shape, uint64_t bytes, bool isConstant = false,
                    mlir::Value ref = {});
  unsigned addView(unsigned of, unsigned shape, mlir::Value ref = {});
  /// Adds a node behind all others. Results are added by `addResult`.
  unsigned addNode(FusionClass kind, llvm::ArrayRef<Operand> operands,
                   mlir::Operation *ref = nullptr);
  unsigned addResult(unsigned node, unsigned shape, uint64_t bytes,
                     mlir::Value ref = {});
  void setEscapes(unsigned value) { values[values[value].root].escapes = true; }
  void setReduced(unsigned node, uint64_t dims, uint64_t rowLength = 0) {
    nodes[node].reduced = dims;
    nodes[node].rowLength = rowLength;
  }
  void setExpansion(unsigned node, unsigned expansion) {
    nodes[node].expansion = expansion;
  }
};

/// The attribute of basic operators and of the `inlay.expanded` that they are
/// for: the number of the composite operator.
inline constexpr llvm::StringLiteral expansionAttr = "inlay.expansion";

/// The graph of `block`, whose values have `sizer` bytes. Of a composite
/// operator that was expanded the basic ones are nodes, unless it is among
/// `whole`.
KernelGraph buildKernelGraph(mlir::Block &block, ValueSizer sizer,
                             const llvm::DenseSet<unsigned> &whole = {});

} // namespace inlay

#endif // INLAY_KERNELFUSION_KERNELGRAPH_H
