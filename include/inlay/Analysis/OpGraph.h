//===- OpGraph.h - Operators of a block as plain nodes ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the graphs have in common that groups and kernels are looked for in:
// nodes, the values between them, and what crosses the border of some nodes.
// They are plain numbers, so that those who decide on them can be tested
// without any IR.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_OPGRAPH_H
#define INLAY_ANALYSIS_OPGRAPH_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace inlay {

/// Bytes of a tensor, where shapes are assumed when they are not known.
using ValueSizer = llvm::function_ref<uint64_t(mlir::Value)>;

struct GraphValue {
  /// A node; ~0u for constants and values from outside.
  unsigned producer = ~0u;
  bool isConstant = false;
  /// Whether something that is no node uses it: the block's terminator.
  bool escapes = false;
  uint64_t bytes = 0;
  /// The nodes that use it, ascending, each once.
  llvm::SmallVector<unsigned, 2> users;
  /// Null in graphs that were made by hand.
  mlir::Value ref;

  bool isComputed() const { return producer != ~0u; }
};

struct GraphNode {
  /// Null in graphs that were made by hand.
  mlir::Operation *ref = nullptr;
  llvm::SmallVector<unsigned, 1> results;
  /// Other nodes, each once; `pred` in the order of the operands, `succ`
  /// ascending.
  llvm::SmallVector<unsigned, 2> pred, succ;
};

/// Nodes in an order in which they can run. `getReads` of a graph lists the
/// values that a node uses, some of them several times.
template <typename NodeT, typename ValueT> class OpGraph {
public:
  using Node = NodeT;
  using Value = ValueT;
  static constexpr unsigned none = ~0u;

  unsigned size() const { return nodes.size(); }
  const Node &operator[](unsigned node) const { return nodes[node]; }
  llvm::ArrayRef<Node> getNodes() const { return nodes; }
  llvm::ArrayRef<Value> getValues() const { return values; }
  const Value &getValue(unsigned value) const { return values[value]; }

protected:
  /// A new value that nothing computes.
  Value &addGraphValue(uint64_t bytes, bool isConstant, mlir::Value ref) {
    Value &value = values.emplace_back();
    value.bytes = bytes;
    value.isConstant = isConstant;
    value.ref = ref;
    return value;
  }

  /// Makes the last value a result of the node.
  unsigned setProducer(unsigned node) {
    values.back().producer = node;
    nodes[node].results.push_back(values.size() - 1);
    return values.size() - 1;
  }

  /// Notes that the last node uses a value.
  void addUse(unsigned value) {
    unsigned index = nodes.size() - 1;
    // Nodes come in order: a user that is there already is the last one.
    auto append = [&](llvm::SmallVectorImpl<unsigned> &users) {
      bool isNew = users.empty() || users.back() != index;
      if (isNew)
        users.push_back(index);
      return isNew;
    };
    unsigned producer = values[value].producer;
    if (append(values[value].users) && producer != none &&
        append(nodes[producer].succ))
      nodes[index].pred.push_back(producer);
  }

  std::vector<Node> nodes;
  std::vector<Value> values;
};

/// Whether `nodes`, ascending, have the node among them.
inline bool hasNode(llvm::ArrayRef<unsigned> nodes, unsigned node) {
  return std::binary_search(nodes.begin(), nodes.end(), node);
}

/// Goes around `nodes`, those that are `isInside`: calls `read` with every
/// value that they use from outside, once, and `made` with every result and
/// whether anything outside uses it.
template <typename GraphT, typename IsInside, typename Read, typename Made>
void visitBorder(const GraphT &graph, llvm::ArrayRef<unsigned> nodes,
                 IsInside isInside, Read read, Made made) {
  llvm::SmallDenseSet<unsigned, 16> seen;
  for (unsigned node : nodes) {
    for (unsigned id : graph.getReads(node)) {
      const typename GraphT::Value &value = graph.getValue(id);
      bool isOwn = value.isComputed() && isInside(value.producer);
      if (!isOwn && seen.insert(id).second)
        read(id);
    }
    for (unsigned id : graph[node].results) {
      const typename GraphT::Value &value = graph.getValue(id);
      made(id, value.escapes || !llvm::all_of(value.users, isInside));
    }
  }
}

/// The same of nodes that ascend.
template <typename GraphT, typename Read, typename Made>
void visitBorder(const GraphT &graph, llvm::ArrayRef<unsigned> nodes, Read read,
                 Made made) {
  auto isInside = [nodes](unsigned node) { return hasNode(nodes, node); };
  visitBorder(graph, nodes, isInside, read, made);
}

} // namespace inlay

#endif // INLAY_ANALYSIS_OPGRAPH_H
