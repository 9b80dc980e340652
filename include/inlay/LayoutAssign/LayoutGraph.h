//===- LayoutGraph.h - The layout problem of a function ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the LayoutProblem of a function. Every operation that can work in
// several storage orders is a variable, its states being the forms that it
// admits; every tensor that can be stored in several is a net. Which orders
// come into question follows from where an order is demanded (inputs, outputs,
// key operators, and everything that is row-major whatever happens) and from
// where the axes of operators carry it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUTASSIGN_LAYOUTGRAPH_H
#define INLAY_LAYOUTASSIGN_LAYOUTGRAPH_H

#include "inlay/Analysis/OpTypeNamer.h"
#include "inlay/Analysis/Patterns/FindPatterns.h"
#include "inlay/Layout/Layout.h"
#include "inlay/LayoutAssign/LayoutProblem.h"
#include "inlay/LayoutAssign/Solution.h"
#include "inlay/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace inlay {

/// Storage orders, each once. Number 0 is row-major, of any rank.
class OrderTable {
public:
  using Id = uint32_t;
  static constexpr Id rowMajor = 0;

  OrderTable() { insert({}); }

  Id insert(llvm::ArrayRef<Atom> order);
  llvm::ArrayRef<Atom> operator[](Id id) const { return orders[id]; }

private:
  std::vector<AtomSequence> orders;
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<Id, 1>> byHash;
};

struct LayoutGraphOptions {
  Objective objective = Objective::Bytes;
  /// Storage orders asked for inputs and outputs, by name.
  llvm::StringMap<AtomSequence> ioOrders;
  /// What the target has whole, as it was found before every use had a
  /// transpose of its own.
  std::vector<OpPattern> patterns;
  /// The most orders considered for one tensor, and forms for one operation.
  unsigned maxOrders = 8;
  unsigned maxForms = 24;
  /// Questions to operators that raising these limits may cost, until nothing
  /// is left out or a problem holds no more: an amount of work, never of time.
  /// As many as the first limits cost are allowed beyond; 0: no limit is
  /// raised.
  uint64_t maxExtraWork = 0;

  /// The order asked for an input or output; empty when it is row-major.
  llvm::ArrayRef<Atom> getIoOrder(llvm::StringRef name) const {
    auto it = ioOrders.find(name);
    return it == ioOrders.end() ? llvm::ArrayRef<Atom>()
                                : llvm::ArrayRef<Atom>(it->second);
  }
};

/// One tensor that can be stored in more than one way.
struct LayoutTensor {
  mlir::Value value;
  /// One order per label; label 0 is row-major.
  llvm::SmallVector<OrderTable::Id, 2> orders;
  uint64_t bytes = 0;
  /// What a copy into each label moves: more where padding is moved with it.
  llvm::SmallVector<uint64_t, 2> copyBytes;
  std::optional<NetId> net;
  /// Between operators of a pattern that the target has whole: no copies.
  bool isInsidePattern = false;
};

/// Where a variable touches a tensor: an operand (a use) or a value that it
/// defines.
struct LayoutNodePort {
  /// Null for a value that is defined.
  mlir::OpOperand *use = nullptr;
  mlir::Value value;
  /// Index into the tensors, or none where the value has one order only.
  std::optional<unsigned> tensor;
  /// An operand that only says a type, as the second one of CastLike.
  bool ignoresOrder = false;
};

/// The storage orders of all ports of a node, in one of its states.
struct LayoutNodeForm {
  llvm::SmallVector<OrderTable::Id, 3> orders;
  llvm::SmallVector<LabelId, 3> labels;
};

/// An operation, or values that have to be stored alike (an If's result and
/// what its branches yield; a value that a loop carries), or a tensor and its
/// slices along a dimension (of a Scan).
struct LayoutNode {
  mlir::Operation *op = nullptr;
  /// Which of the operation's tied values this is; none: the operation itself.
  std::optional<unsigned> tie;
  /// Of a tensor and its slices: the dimension, and the port of the tensor.
  std::optional<int64_t> slicedAxis;
  unsigned wholePort = 0;
  llvm::SmallVector<LayoutNodePort, 3> ports;
  /// State 0 is the one closest to what the model says: row-major, or what the
  /// target demands.
  llvm::SmallVector<LayoutNodeForm, 1> forms;
  /// The target demands its layout.
  bool isKey = false;
  std::optional<VarId> var;
};

class LayoutGraph {
public:
  LayoutGraph(mlir::func::FuncOp func, const Target &target,
              OpTypeNamer getOpType, const LayoutGraphOptions &options);

  const LayoutProblem &getProblem() const { return problem; }
  const OrderTable &getOrders() const { return orders; }
  llvm::ArrayRef<LayoutTensor> getTensors() const { return tensors; }
  llvm::ArrayRef<LayoutNode> getNodes() const { return nodes; }
  const Target &getTarget() const { return target; }
  mlir::func::FuncOp getFunction() const { return func; }
  /// Extents assumed for unknown dimensions, by symbol; see AssumedShapes.
  const std::map<std::string, int64_t> &getAssumptions() const {
    return assumptions;
  }

  /// The nets of tensors for which orders may have been left out: beyond the
  /// limits, or not one move apart from those before, here or where they would
  /// have come from. None where all orders in question were considered.
  const llvm::BitVector &getOpenNets() const { return openNets; }

  /// The variables that may have states which the problem does not know of.
  const llvm::BitVector &getOpenVariables() const { return openVariables; }

  /// What the forms cost that operators have in the model, as far as they may
  /// have them.
  uint64_t getFormCostAsGiven() const { return formCostAsGiven; }
  /// What a transpose of the model costs beyond the bytes that it moves.
  uint64_t getSurcharge(mlir::Operation *transpose) const {
    return surchargeOfTranspose.lookup(transpose);
  }

  /// Whether it belongs to a pattern that the target has whole.
  bool isInPattern(mlir::Operation *op) const { return inPattern.contains(op); }
  /// Whether it belongs to one whose operators would say differently where
  /// dimensions of one element stand, and have views between them.
  bool isInSpelledPattern(mlir::Operation *op) const {
    return inSpelledPattern.contains(op);
  }

  /// The node of an operation; null for one that is row-major whatever else.
  const LayoutNode *lookup(mlir::Operation *op) const;
  const LayoutTensor *lookup(mlir::Value value) const;
  const LayoutTensor &getTensorOfNet(NetId net) const {
    return tensors[tensorOfNet[net]];
  }
  /// The operand that a use of the problem stands for.
  mlir::OpOperand *getOperand(UseId use) const { return useOperands[use]; }
  std::optional<UseId> getUse(mlir::OpOperand &operand) const;

  /// The form of a node when variables have these states.
  const LayoutNodeForm &getForm(const LayoutNode &node,
                                llvm::ArrayRef<StateId> states) const;

private:
  friend class LayoutGraphBuilder;

  mlir::func::FuncOp func;
  const Target &target;
  std::map<std::string, int64_t> assumptions;
  LayoutProblem problem;
  OrderTable orders;
  std::vector<LayoutTensor> tensors;
  std::vector<LayoutNode> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOfOp;
  llvm::DenseMap<mlir::Value, unsigned> tensorOfValue;
  std::vector<unsigned> tensorOfNet;
  llvm::BitVector openNets;
  llvm::BitVector openVariables;
  uint64_t formCostAsGiven = 0;
  llvm::DenseMap<mlir::Operation *, uint64_t> surchargeOfTranspose;
  llvm::DenseSet<mlir::Operation *> inPattern;
  llvm::DenseSet<mlir::Operation *> inSpelledPattern;
  std::vector<mlir::OpOperand *> useOperands;
  llvm::DenseMap<mlir::OpOperand *, UseId> useOfOperand;
};

/// What relayouts move and how many there are, whatever the target prices
/// besides.
Cost countMoves(const LayoutGraph &graph, llvm::ArrayRef<Relayout> relayouts);

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_LAYOUTGRAPH_H
