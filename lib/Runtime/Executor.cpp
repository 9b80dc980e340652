//===- Executor.cpp - The reference executor ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Executor.h"
#include "DataDependence.h"
#include "Widening.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/LastUses.h"
#include "inlay/IR/Origin.h"
#include "inlay/Runtime/BoundInputs.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

/// Subgraphs in subgraphs that are entered at the most; each takes stack.
static constexpr unsigned maxDepth = 128;

/// Unsupported nodes beyond this many are counted only.
static constexpr size_t maxListed = 100;

//===----------------------------------------------------------------------===//
// Before anything runs
//===----------------------------------------------------------------------===//

static bool isEvaluable(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() || isa<EvaluateOpInterface>(op);
}

llvm::Error inlay::checkEvaluable(func::FuncOp graph) {
  SmallVector<std::string> nodes;
  size_t count = 0;
  graph.getBody().walk([&](Operation *op) {
    if (!isEvaluable(op) && ++count <= maxListed)
      nodes.push_back(describeNode(op));
  });
  if (count == 0)
    return llvm::Error::success();
  std::string list = llvm::join(nodes, "\n  ");
  if (count > maxListed)
    list += "\n  ... and " + std::to_string(count - maxListed) + " more";
  return unsupportedError(Twine(count) +
                          (count == 1 ? " node has" : " nodes have") +
                          " no reference implementation:\n  " + list);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
class Executor {
public:
  Executor(func::FuncOp graph, const ExecuteOptions &options)
      : options(options) {
    if (options.isWide)
      data.emplace(graph);
  }

  /// Runs a block on `arguments`; `results` are the operands of its terminator.
  llvm::Error run(Block &block, ArrayRef<HostTensor> arguments,
                  SmallVectorImpl<HostTensor> &results);

private:
  llvm::Error runOperation(Operation *op);
  llvm::Error evaluate(EvaluateOpInterface op);
  llvm::Error runRegion(Region &region, ArrayRef<HostTensor> arguments,
                        SmallVectorImpl<HostTensor> &results);
  /// A value, in f64 where `isWide` and it is f32.
  llvm::Expected<HostTensor> lookup(Value value, bool isWide) const;
  llvm::Error readOperands(Operation *op, bool isWide,
                           SmallVectorImpl<HostTensor> &tensors) const;
  llvm::Error setResults(Operation *op, bool isWide,
                         MutableArrayRef<HostTensor> tensors);
  const LastUses &getLastUses(Block &block);

  const ExecuteOptions &options;
  /// The values alive. No block runs inside itself, so that one map serves all
  /// depths. Constants are not in it: they are looked at when they are needed.
  DenseMap<Value, HostTensor> values;
  DenseMap<Block *, std::unique_ptr<LastUses>> lastUses;
  /// What is computed in f64, where anything is.
  std::optional<DataDependence> data;
  unsigned depth = 0;
};
} // namespace

const LastUses &Executor::getLastUses(Block &block) {
  std::unique_ptr<LastUses> &entry = lastUses[&block];
  if (!entry)
    entry = std::make_unique<LastUses>(block);
  return *entry;
}

llvm::Expected<HostTensor> Executor::lookup(Value value, bool isWide) const {
  if (Attribute constant = getConstantValue(value)) {
    bool isExact = isWide && getElementType(value).isF32();
    return isExact ? getExactTensor(constant) : getHostTensor(constant);
  }
  auto it = values.find(value);
  if (it == values.end() || !it->second)
    return makeError(ExitCode::Internal,
                     "value '" + getValueName(value) + "' was not computed");
  return isWide ? widen(it->second) : it->second;
}

llvm::Error Executor::readOperands(Operation *op, bool isWide,
                                   SmallVectorImpl<HostTensor> &tensors) const {
  // What is left out is passed on as such.
  bool mayLack = options.isPartial && op->hasTrait<OpTrait::IsTerminator>();
  for (Value operand : op->getOperands()) {
    auto tensor = lookup(operand, isWide);
    if (!tensor && !mayLack)
      return tensor.takeError();
    tensors.push_back(tensor ? std::move(*tensor) : HostTensor());
    llvm::consumeError(tensor.takeError());
  }
  return llvm::Error::success();
}

llvm::Error Executor::runRegion(Region &region, ArrayRef<HostTensor> arguments,
                                SmallVectorImpl<HostTensor> &results) {
  if (!region.hasOneBlock())
    return modelError("subgraph has several blocks");
  if (depth == maxDepth)
    return unsupportedError("subgraphs nest deeper than " + Twine(maxDepth));
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  results.clear();
  return run(region.front(), arguments, results);
}

/// Whether the block is the graph's own or a group's.
static bool runsOnce(Block *block) {
  Operation *parent = block->getParentOp();
  while (isa<GroupOp>(parent))
    parent = parent->getParentOp();
  return isa<func::FuncOp>(parent);
}

llvm::Error Executor::setResults(Operation *op, bool isWide,
                                 MutableArrayRef<HostTensor> tensors) {
  bool isVisited = options.visit && runsOnce(op->getBlock());
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), tensors)) {
    if (result.use_empty() || (options.isPartial && !tensor))
      continue;
    Type type = isWide || (tensor && data && data->contains(result))
                    ? widen(result.getType())
                    : result.getType();
    if (llvm::Error error = checkTensor(tensor, type))
      return addContext("result " + Twine(result.getResultNumber()) + ": ",
                        std::move(error));
    if (isVisited)
      options.visit(result, tensor);
    values[result] = std::move(tensor);
  }
  return llvm::Error::success();
}

llvm::Error Executor::evaluate(EvaluateOpInterface op) {
  bool isWide = data && data->isReadBy(op);
  SmallVector<HostTensor> operands;
  if (llvm::Error error = readOperands(op, isWide, operands))
    return error;
  auto runner = [this](Region &region, ArrayRef<HostTensor> arguments,
                       SmallVectorImpl<HostTensor> &results) {
    return runRegion(region, arguments, results);
  };
  if (isWide) {
    auto results = evaluateWide(op, operands, runner);
    return results ? setResults(op, isWide, *results) : results.takeError();
  }
  Evaluation evaluation(op, operands, runner);
  if (llvm::Error error = op.evaluate(evaluation))
    return error;
  return setResults(op, isWide, evaluation.getResults());
}

llvm::Error Executor::runOperation(Operation *op) {
  if (llvm::Error error = checkCancelled())
    return error;
  if (isa<ConstantOp>(op))
    return llvm::Error::success();
  auto evaluable = dyn_cast<EvaluateOpInterface>(op);
  if (options.isPartial) {
    if (evaluable)
      llvm::consumeError(evaluate(evaluable));
    return llvm::Error::success();
  }
  if (!evaluable)
    return unsupportedError(describeNode(op) +
                            " has no reference implementation");
  if (llvm::Error error = evaluate(evaluable))
    return addContext(describeNode(op) + ": ", std::move(error));
  return llvm::Error::success();
}

llvm::Error Executor::run(Block &block, ArrayRef<HostTensor> arguments,
                          SmallVectorImpl<HostTensor> &results) {
  if (arguments.size() != block.getNumArguments())
    return modelError("subgraph takes " + Twine(block.getNumArguments()) +
                      " values and got " + Twine(arguments.size()));
  for (auto [argument, tensor] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = data ? widen(tensor) : tensor;
  const LastUses &uses = getLastUses(block);
  uint64_t all = depth == 0 ? block.getOperations().size() - 1 : 0;
  for (auto [i, op] : llvm::enumerate(block)) {
    if (llvm::Error error = op.hasTrait<OpTrait::IsTerminator>()
                                ? readOperands(&op, data && depth == 0, results)
                                : runOperation(&op))
      return error;
    for (Value value : uses.getDying(i))
      values.erase(value);
    if (i < all && options.progress)
      options.progress(i + 1, all);
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>>
inlay::execute(ModuleOp module, ArrayRef<HostTensor> inputs,
               const ExecuteOptions &options) {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  if (!options.isPartial)
    if (llvm::Error error = checkEvaluable(*graph))
      return error;
  auto arguments = bindInputs(*graph, inputs);
  if (!arguments)
    return arguments.takeError();
  SmallVector<HostTensor> results;
  Executor executor(*graph, options);
  if (llvm::Error error =
          executor.run(graph->getBody().front(), *arguments, results))
    return error;
  return results;
}
