//===- LayoutGraphBuilder.h - Building layout problems ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_LAYOUTGRAPHBUILDER_H
#define INLAY_LIB_LAYOUTASSIGN_LAYOUTGRAPHBUILDER_H

#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Layout/AxisOrder.h"
#include "inlay/LayoutAssign/LayoutGraph.h"
#include "llvm/ADT/SmallBitVector.h"
#include <deque>
#include <map>

namespace inlay {

/// The axes of the operand or result `value`, as letters: what the operator
/// knows of itself, else those of a feature.
std::string getAxesOf(mlir::Value value, LayoutAttr known);
/// The layouts that `op` knows of itself, one entry per operand and result.
KnownLayouts getKnownLayouts(mlir::Operation *op);

class LayoutGraphBuilder {
public:
  LayoutGraphBuilder(LayoutGraph &graph, OpTypeNamer getOpType,
                     const LayoutGraphOptions &options)
      : graph(graph), getOpType(getOpType), options(options),
        maxOrders(options.maxOrders), maxForms(options.maxForms),
        sizes(graph.func, graph.target) {}

  void build();

private:
  using OrderIds = llvm::SmallVector<OrderTable::Id, 3>;
  /// An operation as far as its forms depend on it: equal ones have equal
  /// forms.
  using OpKey = llvm::SmallVector<const void *, 12>;
  static constexpr unsigned unknownKind = ~0u;
  /// Ports up to which all are asked for what each leads to.
  static constexpr size_t fewPorts = 8;
  /// A kind of operation, a port and an order of it.
  using Question = std::tuple<unsigned, unsigned, OrderTable::Id>;
  /// The same with a port and an order that axes follow of which the first
  /// says nothing.
  using GuidedQuestion =
      std::tuple<unsigned, unsigned, OrderTable::Id, unsigned, OrderTable::Id>;
  struct Answer {
    llvm::SmallVector<OrderIds, 1> forms;
    /// Whether one of them has blocks that may be padded.
    bool isBlocked = false;
  };

  /// An order that a tensor can be stored in, of which its neighbours have not
  /// heard yet.
  struct NewOrder {
    unsigned tensor;
    LabelId label;
  };
  /// What factors of a form depend on.
  struct Priced {
    FormFacts facts;
    CostFactor choice;
  };
  /// Where a node touches a tensor.
  struct Touch {
    unsigned node, port;
  };
  /// An order of a port that led to forms beyond the limits.
  struct Postponed {
    unsigned node, port;
    OrderTable::Id order;
  };

  // What there is.
  void addTensor(mlir::Value value, uint64_t repetitions);
  void addBlock(mlir::Block &block, uint64_t repetitions);
  void addOperation(mlir::Operation *op);
  void addTies(mlir::Operation *op);
  void addSlicings(mlir::Operation *op, unsigned numTies);
  void addFreePorts();
  unsigned addNode(mlir::Operation *op, std::optional<unsigned> tie);
  void addUse(unsigned node, mlir::OpOperand &operand);
  void addDefinition(unsigned node, mlir::Value value);
  void addTouches(unsigned node);

  // The forms it begins with.
  void addFirstForms(unsigned node);
  bool addRuleForms(unsigned node);
  void noteRuleForm(unsigned node, const StoredForm &form);
  void addDemandedOrders();

  // What stays whole.
  void addPatterns();
  bool keepsPattern(unsigned node, llvm::ArrayRef<OrderTable::Id> orders);
  llvm::ArrayRef<unsigned> getFirstCombined(unsigned node);
  bool isSpelledAlike(const LayoutNodePort &port, OrderTable::Id order);
  bool isRowMajor(mlir::Value value, OrderTable::Id order);

  // Which orders come into question.
  void propagate();
  void propagateQueue();
  void widen();
  void joinDemands(unsigned node);
  void askAgain();
  bool raiseLimits();
  void extend(unsigned node, unsigned port, mlir::ArrayRef<Atom> order);
  void extendNode(unsigned node, unsigned port, mlir::ArrayRef<Atom> order);
  void extendSlicing(unsigned node, unsigned port, mlir::ArrayRef<Atom> order);
  void extendOperation(unsigned node, unsigned port,
                       mlir::ArrayRef<Atom> order);
  void extendAlongAxes(unsigned node, unsigned port, OrderTable::Id order);
  void extendUnderRules(unsigned node, unsigned port, OrderTable::Id order);
  std::optional<OrderTable::Id> getOrderBelow(unsigned node,
                                              const StoredForm &rule,
                                              unsigned port,
                                              OrderTable::Id order);
  std::optional<OrderIds> putUnder(unsigned node, const StoredForm &rule,
                                   llvm::ArrayRef<OrderTable::Id> orders);
  using PortOrder = std::pair<unsigned, OrderTable::Id>;
  void addFormsBetween(unsigned node, PortOrder own, PortOrder guide);
  void addFormsUnderRules(unsigned node, PortOrder own, PortOrder guide);
  llvm::ArrayRef<OrderIds> askBetween(unsigned node, PortOrder own,
                                      PortOrder guide);
  llvm::ArrayRef<std::pair<unsigned, unsigned>> getSilentPorts(unsigned node);
  unsigned getKind(unsigned node);
  llvm::ArrayRef<unsigned> getFirstAlike(unsigned node);
  const Answer &ask(unsigned node, unsigned port, OrderTable::Id order);
  bool wasAsked(unsigned node, unsigned port, OrderTable::Id order);
  void extendIndependently(unsigned node, unsigned port, OrderTable::Id order);
  bool canCombine(unsigned node);
  OrderIds getIds(const StoredForm &form);
  bool hasKnownPadding(unsigned node, unsigned port,
                       llvm::ArrayRef<OrderTable::Id> orders);
  std::optional<StoredForm>
  getRuleForm(mlir::Operation *op, const LayoutChoice &choice, Padding padding);
  bool addForm(unsigned node, const StoredForm &form);
  bool hasForm(const LayoutNode &node, llvm::ArrayRef<OrderTable::Id> orders);
  bool addForm(unsigned node, llvm::ArrayRef<OrderTable::Id> orders);
  std::optional<LabelId> findLabel(unsigned tensor, OrderTable::Id order);
  OrderTable::Id getKey(mlir::Type type, OrderTable::Id order);
  bool canStore(mlir::Type type, OrderTable::Id order);
  llvm::SmallBitVector findIndifferent(mlir::Operation *op);
  LabelId addLabel(unsigned tensor, OrderTable::Id order);
  bool canAddLabel(unsigned tensor, OrderTable::Id order);
  bool isOneMoveAway(unsigned tensor, OrderTable::Id order);

  // What was left out.
  bool canHearOfOrders(const LayoutNode &node);
  void markOpen(unsigned tensor);
  void spreadOpen();

  // The problem.
  void buildProblem();
  std::vector<uint64_t> getProducedBytes();
  void addNets();
  void addVariables();
  void connect(const LayoutNode &node, unsigned port);
  void connectFixed();

  // What forms and copies cost.
  void addFastOrders();
  void addCosts();
  void addFormCosts();
  void addAwkwardForms();
  bool isAwkward(unsigned node, const LayoutNodeForm &form);
  void addCostsOfOthers();
  void addPairCosts(const LayoutTensor &tensor);
  void addTransposeCosts();
  uint64_t getTraffic(mlir::Operation *op, uint64_t repetitions);
  Priced price(mlir::Operation *op, llvm::StringRef onnxType,
               const OpLayout *rule,
               llvm::ArrayRef<llvm::ArrayRef<Atom>> orders);
  Priced &getPriced(unsigned node, const LayoutNodeForm &form);
  uint64_t getCost(Priced &priced, uint64_t bytes);
  uint64_t getFormCost(unsigned node, const LayoutNodeForm &form,
                       uint64_t bytes);
  uint64_t getWrappedCost(InLayoutOp op, uint64_t repetitions);
  bool mayMissForms(const LayoutNode &node);
  CostFactor getCopyFactor(mlir::Value value, uint64_t bytes,
                           llvm::ArrayRef<Atom> from, llvm::ArrayRef<Atom> to);
  uint64_t getCopyCost(uint64_t bytes, CostFactor factor);

  const OpLayout *findRule(mlir::Operation *op);
  CostFactor getChoiceFactor(mlir::Operation *op, const OpLayout *rule,
                             llvm::ArrayRef<llvm::ArrayRef<Atom>> orders);

  LayoutGraph &graph;
  OpTypeNamer getOpType;
  const LayoutGraphOptions &options;
  unsigned maxOrders, maxForms;
  /// Questions asked so far, and after how many it ends.
  uint64_t work = 0, maxWork = ~uint64_t(0);
  /// A form was refused for the limits.
  bool isBeyondLimits = false;
  std::vector<Postponed> postponed;
  /// Of each tensor how many of its orders a demand of their own led to.
  llvm::SmallVector<unsigned, 0> numDemanded;
  /// Nodes where two demands together led to forms beyond the limits.
  llvm::SmallVector<unsigned, 0> unjoined;
  /// Tensors that miss an order; see LayoutGraph::getOpenNets.
  llvm::BitVector openTensors;
  AssumedShapes sizes;
  llvm::SmallVector<llvm::SmallVector<Touch, 2>, 0> touches;
  /// Keys of the orders of each tensor, in the order of the labels. Keys are
  /// orders themselves.
  std::vector<llvm::SmallVector<OrderTable::Id, 2>> keys;
  std::deque<NewOrder> queue;
  llvm::DenseMap<std::pair<mlir::OperationName, mlir::Type>, const OpLayout *>
      rules;
  /// Of each node that has rules the forms in which its tensors lie as these
  /// say, unless they cut dimensions.
  llvm::DenseMap<unsigned, llvm::SmallVector<StoredForm, 1>> ruleForms;
  // What was found before. Networks repeat themselves.
  std::map<OpKey, unsigned> kinds;
  std::vector<unsigned> kindOfNode;
  llvm::DenseMap<unsigned, std::vector<unsigned>> firstAlike;
  llvm::DenseMap<Question, Answer> answers;
  llvm::DenseMap<unsigned, std::vector<std::pair<unsigned, unsigned>>>
      silentPorts;
  llvm::DenseMap<GuidedQuestion, llvm::SmallVector<OrderIds, 2>> guidedAnswers;
  /// Combinations of orders that were tried for a node.
  llvm::DenseMap<unsigned, uint64_t> numCombined;
  /// Nodes, ports and orders whose forms were added.
  llvm::DenseSet<Question> asked;
  llvm::DenseMap<std::pair<mlir::Type, OrderTable::Id>, OrderTable::Id>
      keyOfOrder;
  llvm::DenseMap<std::pair<mlir::Type, OrderTable::Id>, bool> storable;
  llvm::DenseMap<std::pair<mlir::OperationName, unsigned>, llvm::SmallBitVector>
      indifferent;
  std::map<std::pair<unsigned, OrderIds>, Priced> pricedForms;
  std::vector<VarId> openVariables;
  /// Operations of patterns that end in what they combine elements along.
  llvm::DenseSet<mlir::Operation *> keepsInnermost;
  /// Convolutions of patterns that plain ONNX has as they are.
  llvm::DenseSet<mlir::Operation *> staysPlain;
  /// Values that are made as in the model.
  llvm::DenseSet<mlir::Value> staysInPlace;
  llvm::DenseMap<unsigned, std::vector<unsigned>> firstCombined;
  /// How often the operations of a block run.
  llvm::DenseMap<mlir::Block *, uint64_t> repetitionsOf;
  /// What nothing can change: row-major.
  VarId fixed = 0;
};

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_LAYOUTGRAPHBUILDER_H
