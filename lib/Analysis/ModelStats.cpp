//===- ModelStats.cpp - What a model consists of, in numbers --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModelStats.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static std::string describeElement(Type type) {
  if (auto opaque = dyn_cast<OpaqueValueType>(type))
    return opaque.getText().str();
  auto tensor = dyn_cast<TensorType>(type);
  std::optional<ElementType> element;
  if (tensor)
    element = getOnnxElementType(tensor.getElementType());
  return element ? getName(*element).str() : "unknown";
}

static PortInfo describePort(Type type, StringRef name,
                             ArrayRef<StringRef> symbols) {
  PortInfo port;
  port.name = name.str();
  port.type = describeElement(type);
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return port;
  port.dims.emplace();
  for (auto [extent, symbol] : llvm::zip_equal(ranked.getShape(), symbols)) {
    if (!ShapedType::isDynamic(extent))
      port.dims->push_back(std::to_string(extent));
    else
      port.dims->push_back(symbol.empty() ? "?" : symbol.str());
  }
  return port;
}

static void describePorts(func::FuncOp graph, ModelStats &stats) {
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes())) {
    stats.inputs.push_back(
        describePort(type, getInputName(graph, i), getInputDims(graph, i)));
    stats.inputs.back().hasDefault = bool(getInputDefault(graph, i));
  }
  for (auto [i, type] : llvm::enumerate(graph.getResultTypes()))
    stats.outputs.push_back(
        describePort(type, getOutputName(graph, i), getOutputDims(graph, i)));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void countConstant(ConstantOp op, ModelStats &stats) {
  ++stats.numConstants;
  stats.weightBytes =
      llvm::SaturatingAdd(stats.weightBytes, getByteSize(op.getValue()));
  auto type = dyn_cast<RankedTensorType>(op.getType());
  std::optional<int64_t> count;
  if (type && type.hasStaticShape())
    count = getNumElements(type.getShape());
  stats.numParameters =
      llvm::SaturatingAdd(stats.numParameters, uint64_t(count.value_or(0)));
}

static void countTranspose(TransposeOp op, ModelStats &stats) {
  ++stats.numTransposes;
  std::optional<uint64_t> size = getByteSize(op->getResult(0).getType());
  if (size)
    stats.transposeBytes = llvm::SaturatingAdd(stats.transposeBytes, *size);
  else
    ++stats.numUnsizedTransposes;
}

static void countNode(Operation *op, OpTypeNamer getOpType, ModelStats &stats) {
  std::string opType = getOpType(op);
  ++stats.numNodes;
  ++stats.nodesByKind[opType];
  if (auto transpose = dyn_cast<TransposeOp>(op))
    countTranspose(transpose, stats);
  if (isa<OpaqueOp>(op))
    stats.opaqueNodes.push_back({opType, getNodeName(op)});
}

llvm::Expected<ModelStats> inlay::computeModelStats(ModuleOp module,
                                                    OpTypeNamer getOpType) {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  ModelStats stats;
  graph->getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto constant = dyn_cast<ConstantOp>(op))
      countConstant(constant, stats);
    else if (isa<GroupOp>(op))
      ++stats.numGroups; // Its operators are the nodes.
    else if (!op->hasTrait<OpTrait::IsTerminator>())
      countNode(op, getOpType, stats);
    // The body only says what the operator computes.
    return isa<InLayoutOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  stats.peakActivationBytes =
      computePeakActivationBytes(graph->getBody().front());
  describePorts(*graph, stats);
  return stats;
}
