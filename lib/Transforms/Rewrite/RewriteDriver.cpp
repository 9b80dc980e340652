//===- RewriteDriver.cpp - Applying equations until none applies ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Sweep over the operations in program order and try the rewrites of each.
// 2. After one was applied, erase the root and what only it used, from users to
//    producers, and try what was made before anything else.
// 3. Sweep again while something changes: a value that has lost its other users
//    may have become part of a left side.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/DerivedNames.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Transforms/Rewrite/MatchLog.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

/// Sweeps and applications at one place that no sensible table needs: equations
/// that undo each other must not run for ever.
static constexpr unsigned maxSweeps = 16;
static constexpr unsigned maxChain = 256;
/// Origins that one operation bears: those of a chain of any length would make
/// each step of it as long as the chain.
static constexpr unsigned maxOrigins = 64;

//===----------------------------------------------------------------------===//
// What rewrites use
//===----------------------------------------------------------------------===//

bool RewriteContext::hasStage(StringRef opType) const {
  if (!target.dataFlow)
    return false;
  return llvm::any_of(target.dataFlow->stages, [&](const Stage &stage) {
    return llvm::any_of(stage.ops,
                        [&](const StageOp &op) { return op.op == opType; });
  });
}

Location RewriteContext::merge(ArrayRef<Operation *> ops) {
  SmallVector<Location> locs;
  for (Operation *op : ops)
    for (OriginAttr origin : getOrigins(op->getLoc()))
      if (locs.size() < maxOrigins) {
        kept.insert(origin);
        locs.push_back(getOriginLoc(origin));
      }
  return mergeLocs(builder.getContext(), locs);
}

Location RewriteContext::mergeInner(ArrayRef<Operation *> ops,
                                    StringRef suffix) {
  Location all = merge(ops);
  OriginAttr first = getFirstOrigin(all);
  if (!first)
    return all;
  std::string name = first.getName().str();
  if (!name.empty())
    name = deriveName(name, suffix);
  auto own = OriginAttr::get(builder.getContext(), builder.getStringAttr(name),
                             first.getOpType(), builder.getStrArrayAttr({""}),
                             DictionaryAttr());
  return mergeLocs(builder.getContext(), {getOriginLoc(own), all});
}

void RewriteContext::replace(Operation *root, ValueRange values) {
  for (auto [result, value] : llvm::zip_equal(root->getResults(), values)) {
    assert((value || result.use_empty()) && "a result in use needs a value");
    if (!value)
      continue;
    // What was declared of the result is still what its users know.
    if (Operation *op = value.getDefiningOp(); op && created.contains(op))
      value.setType(result.getType());
    result.replaceAllUsesWith(value);
  }
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace {
/// Tells which operations stand for which: a chain ends in those that are
/// there.
class ChainRecorder {
public:
  void begin(RewriteStep step) {
    current = chains.size();
    chains.emplace_back().steps.push_back(step);
  }
  /// The operation is one that the current application made.
  void addMade(Operation *op);
  /// The operation is one that it changed.
  void addChanged(Operation *op);
  /// The operation is erased by the current application.
  void addReplaced(Operation *op);

  std::vector<RewriteChain> take();

private:
  void join(size_t other);

  std::vector<RewriteChain> chains;
  size_t current = 0;
  /// The chain that each operation belongs to.
  llvm::DenseMap<Operation *, size_t> owners;
};
} // namespace

/// What another chain made goes on in the current one. The steps
/// of the current one, few so far, come behind.
void ChainRecorder::join(size_t other) {
  RewriteChain &from = chains[other], &to = chains[current];
  from.steps.append(to.steps);
  std::swap(to.steps, from.steps);
  to.numReplaced += from.numReplaced;
  for (Operation *op : from.made) {
    to.made.push_back(op);
    owners[op] = current;
  }
  from = RewriteChain();
}

void ChainRecorder::addMade(Operation *op) {
  if (isa<ConstantOp>(op))
    return;
  owners[op] = current;
  chains[current].made.push_back(op);
}

void ChainRecorder::addChanged(Operation *op) {
  auto it = owners.find(op);
  if (it != owners.end())
    return join(it->second);
  ++chains[current].numReplaced;
  addMade(op);
}

void ChainRecorder::addReplaced(Operation *op) {
  if (isa<ConstantOp>(op))
    return;
  auto it = owners.find(op);
  if (it == owners.end()) {
    ++chains[current].numReplaced;
    return;
  }
  if (it->second != current)
    join(it->second);
  owners.erase(op);
  llvm::erase(chains[current].made, op);
}

std::vector<RewriteChain> ChainRecorder::take() {
  llvm::erase_if(chains,
                 [](const RewriteChain &chain) { return chain.steps.empty(); });
  return std::move(chains);
}

namespace inlay {
class RewriteDriver : OpBuilder::Listener {
public:
  RewriteDriver(func::FuncOp function, const RewriteOptions &options,
                const Target &target, RemovedNodes &removed,
                RewriteListener listener, const RewriteLimits &limits);

  RewriteResult run();

private:
  bool sweep();
  bool visit(Operation *op);
  const Rewrite *applyOne(Operation *op, ArrayRef<const Rewrite *> rewrites);
  void recordChain(RewritePlace place, Operation *root);
  void eraseDead(ArrayRef<Operation *> candidates, StringRef reason);

  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (previous.isSet())
      return;
    created.insert(op);
    made.push_back(op);
    context.created.insert(op);
  }

  func::FuncOp function;
  RemovedNodes &removed;
  RewriteListener listener;
  const RewriteLimits &limits;
  /// Null where nobody wants to know.
  const MatchLog *log;
  RewriteContext context;
  /// The rewrites that are on, by root.
  llvm::DenseMap<OperationName, SmallVector<const Rewrite *, 4>> byRoot;
  /// Operations that were made and have not been tried.
  llvm::SetVector<Operation *> created;
  /// Those of the application at hand, in order.
  SmallVector<Operation *> made;
  RewriteResult result;
  ChainRecorder chains;
};
} // namespace inlay

RewriteDriver::RewriteDriver(func::FuncOp function,
                             const RewriteOptions &options,
                             const Target &target, RemovedNodes &removed,
                             RewriteListener listener,
                             const RewriteLimits &limits)
    : function(function), removed(removed), listener(listener), limits(limits),
      log(MatchLog::get(function.getContext())),
      context(function.getContext(), target) {
  context.builder.setListener(this);
  result.counts.resize(getRewrites().size());
  for (auto [rewrite, isOn] : llvm::zip_equal(getRewrites(), options.isOn)) {
    if (!isOn)
      continue;
    for (StringRef root : llvm::split(rewrite.root, ' '))
      byRoot[OperationName(root, function.getContext())].push_back(&rewrite);
  }
}

/// Every operation that may be rewritten, each before those that use it.
static llvm::SmallVector<Operation *, 0> getProgramOrder(Region &region) {
  llvm::SmallVector<Operation *, 0> order;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    order.push_back(op);
    return isa<GroupOp, InLayoutOp>(op) ? WalkResult::skip()
                                        : WalkResult::advance();
  });
  return order;
}

/// Erases the candidates that nobody uses and, behind them, every producer that
/// lost its last user.
void RewriteDriver::eraseDead(ArrayRef<Operation *> candidates,
                              StringRef reason) {
  llvm::SetVector<Operation *> work(candidates.rbegin(), candidates.rend());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    // Operations inside of another one may still be visited.
    if (!op->use_empty() || !isMemoryEffectFree(op) || op->getNumRegions() != 0)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        work.insert(producer);
    for (OriginAttr origin : getOrigins(op->getLoc()))
      if (!context.kept.contains(origin))
        removed.add(origin, reason);
    created.remove(op);
    chains.addReplaced(op);
    op->erase();
  }
}

const Rewrite *RewriteDriver::applyOne(Operation *op,
                                       ArrayRef<const Rewrite *> rewrites) {
  for (const Rewrite *rewrite : rewrites) {
    if (limits.except.contains({rewrite, op->getLoc()}))
      continue;
    context.kept.clear();
    context.created.clear();
    made.clear();
    context.builder.setInsertionPoint(op);
    context.clearReason();
    if (rewrite->apply(op, context))
      return rewrite;
    if (log)
      log->hear(*rewrite, op, context.getReason());
  }
  return nullptr;
}

void RewriteDriver::recordChain(RewritePlace place, Operation *root) {
  bool isLacking = limits.isLacking && llvm::any_of(made, limits.isLacking);
  chains.begin({place, isLacking});
  // A root that was changed in place stands for what it was.
  if (!root->use_empty())
    chains.addChanged(root);
  for (Operation *op : made)
    chains.addMade(op);
}

bool RewriteDriver::visit(Operation *op) {
  auto rewrites = byRoot.find(op->getName());
  if (rewrites == byRoot.end() || op->use_empty())
    return false;
  // A root that is changed in place lets go of what it used.
  SmallVector<Operation *> candidates = {op};
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      candidates.push_back(producer);
  Location place = op->getLoc();
  const Rewrite *rewrite = applyOne(op, rewrites->second);
  if (!rewrite)
    return false;
  ++result.counts[rewrite - getRewrites().data()];
  if (listener)
    listener(*rewrite, op);
  recordChain({rewrite, place}, op);
  if (!op->use_empty())
    created.insert(op);
  eraseDead(candidates, ("rewritten by " + rewrite->name).str());
  return true;
}

bool RewriteDriver::sweep() {
  bool isChanged = false;
  for (Operation *op : getProgramOrder(function.getBody())) {
    if (isCancelled())
      return false;
    created.clear();
    bool isApplied = visit(op);
    isChanged |= isApplied;
    for (unsigned i = 0; i != maxChain && !created.empty(); ++i)
      visit(created.pop_back_val());
  }
  return isChanged;
}

/// The function's result types are those of the values it returns.
static void updateFunctionType(func::FuncOp function) {
  Operation *end = function.getBody().front().getTerminator();
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.getArgumentTypes(),
                                             end->getOperandTypes()));
}

RewriteResult RewriteDriver::run() {
  for (unsigned i = 0; i != maxSweeps && !byRoot.empty(); ++i)
    if (!sweep())
      break;
  if (result.getTotal() != 0)
    updateFunctionType(function);
  result.chains = chains.take();
  return std::move(result);
}

RewriteResult inlay::rewriteModel(func::FuncOp function,
                                  const RewriteOptions &options,
                                  const Target &target, RemovedNodes &removed,
                                  RewriteListener listener,
                                  const RewriteLimits &limits) {
  return RewriteDriver(function, options, target, removed, listener, limits)
      .run();
}
