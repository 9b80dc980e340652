//===- GraphPicture.cpp - A picture of a model's graph --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphPicture.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>

using namespace inlay;
using namespace mlir;

bool GraphPicture::isLeftOut() const { return numOps > maxPictureNodes; }

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

static PictureTensor describeTensor(Value value) {
  PictureTensor tensor;
  tensor.name = getValueName(value).str();
  tensor.bytes = getByteSize(value.getType());
  auto type = dyn_cast<TensorType>(value.getType());
  tensor.type = printType(type ? type.getElementType() : value.getType());
  if (!type)
    return tensor;
  tensor.shape = "*";
  if (!type.hasRank())
    return tensor;
  tensor.shape =
      llvm::join(llvm::map_range(type.getShape(),
                                 [](int64_t extent) {
                                   return ShapedType::isDynamic(extent)
                                              ? std::string("?")
                                              : std::to_string(extent);
                                 }),
                 "\u00d7");
  return tensor;
}

/// Whether all that it does is to store a tensor in another order.
static bool isRelayout(Operation *op) {
  auto storage = dyn_cast<StorageOpInterface>(op);
  return isa<RelayoutOp>(op) || (storage && !storage.admitsRowMajor());
}

static PictureKind getKind(Operation *op) {
  if (auto group = dyn_cast<GroupOp>(op))
    return getKindName(group) ? PictureKind::Kernel : PictureKind::Group;
  if (isRelayout(op))
    return PictureKind::Relayout;
  return !isa<InLayoutOp>(op) && op->getNumRegions() != 0
             ? PictureKind::Control
             : PictureKind::Operator;
}

/// "NHWC, HWOI -> NHWC".
static std::string describeLayouts(InLayoutOp op) {
  std::string text;
  size_t numInputs = op.getInputs().size();
  for (auto [i, layout] :
       llvm::enumerate(op.getLayouts().getAsValueRange<StringAttr>())) {
    text += i == 0 ? "" : i == numInputs ? " \u2192 " : ", ";
    text += layout.empty() ? "row-major" : layout.str();
  }
  return text;
}

static PictureNode describeOperation(Operation *op) {
  PictureNode node;
  node.kind = getKind(op);
  node.name = getFirstOrigin(op->getLoc()) ? getNodeName(op) : "added";
  node.opType = getOnnxOpType(op);
  if (auto group = dyn_cast<GroupOp>(op)) {
    node.opType = group.getName().str();
    node.name =
        getKindName(group)
            ? getKindName(group)->str()
            : llvm::join(group.getStages().getAsValueRange<StringAttr>(), " ");
  } else if (auto inLayout = dyn_cast<InLayoutOp>(op)) {
    node.opType = inLayout.getOpType().str();
    node.layouts = describeLayouts(inLayout);
  }
  return node;
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

namespace {
class PictureBuilder {
public:
  PictureBuilder(func::FuncOp graph, GraphPicture &result)
      : graph(graph), result(result), picture(result.picture) {}

  void build();

private:
  struct OpenBlock {
    Block *block;
    unsigned level;
  };

  unsigned getTensor(Value value);
  unsigned addNode(PictureLevel &level, PictureNode node);
  unsigned openLevel(Block &block, std::string title);
  void openRegions(Operation *op, PictureNode &node);
  void fillLevel(Block &block, PictureLevel &level);
  void addPort(Value value, PictureLevel &level);
  void addOperation(Operation *op, PictureLevel &level);
  void readValue(Value value, unsigned place, PictureNode &node,
                 PictureLevel &level);
  void addOutputs(Block &block, PictureLevel &level);
  std::string getArgumentName(BlockArgument argument);

  func::FuncOp graph;
  GraphPicture &result;
  Picture &picture;
  std::deque<OpenBlock> open;
  /// Of the level that is filled, where each value comes from.
  DenseMap<Value, unsigned> places;
};
} // namespace

unsigned PictureBuilder::getTensor(Value value) {
  auto [it, isNew] = result.tensors.try_emplace(value, picture.tensors.size());
  if (isNew) {
    picture.tensors.push_back(describeTensor(value));
    if (auto argument = dyn_cast<BlockArgument>(value))
      picture.tensors.back().name = getArgumentName(argument);
  }
  return it->second;
}

std::string PictureBuilder::getArgumentName(BlockArgument argument) {
  if (argument.getOwner()->getParentOp() == graph)
    return getInputName(graph, argument.getArgNumber()).str();
  return getValueName(argument).str();
}

/// Returns its place in the level.
unsigned PictureBuilder::addNode(PictureLevel &level, PictureNode node) {
  level.nodes.push_back(picture.nodes.size());
  picture.nodes.push_back(std::move(node));
  return level.nodes.size() - 1;
}

unsigned PictureBuilder::openLevel(Block &block, std::string title) {
  unsigned level = picture.levels.size();
  picture.levels.emplace_back();
  picture.levels.back().title = std::move(title);
  open.push_back({&block, level});
  return level;
}

/// The body of an operator in a layout only says what it computes.
void PictureBuilder::openRegions(Operation *op, PictureNode &node) {
  if (isa<InLayoutOp>(op))
    return;
  for (auto [i, region] : llvm::enumerate(op->getRegions()))
    for (Block &block : region) {
      std::string title = node.opType;
      if (isa<IfOp>(op))
        title += i == 0 ? ": then" : ": else";
      node.levels.push_back(openLevel(block, std::move(title)));
    }
}

/// What a node reads, from a place in the level.
void PictureBuilder::readValue(Value value, unsigned place, PictureNode &node,
                               PictureLevel &level) {
  unsigned tensor = getTensor(value);
  if (isConstant(value)) {
    node.constants.push_back(tensor);
    return;
  }
  node.inputs.push_back(tensor);
  level.edges.push_back({places.lookup(value), place, tensor});
}

/// What comes from outside of the level, in front of who reads it.
void PictureBuilder::addPort(Value value, PictureLevel &level) {
  PictureNode port;
  port.kind = PictureKind::Port;
  port.opType = "from outside";
  port.outputs.push_back(getTensor(value));
  port.name = picture.tensors[port.outputs.front()].name;
  places[value] = addNode(level, std::move(port));
}

void PictureBuilder::addOperation(Operation *op, PictureLevel &level) {
  PictureNode node = describeOperation(op);
  openRegions(op, node);
  SetVector<Value> reads;
  for (Value operand : op->getOperands())
    if (!isa<NoneType>(operand.getType()))
      reads.insert(operand);
  if (!isa<InLayoutOp>(op))
    getUsedValuesDefinedAbove(op->getRegions(), reads);
  for (Value value : reads)
    if (!isConstant(value) && !places.count(value))
      addPort(value, level);
  unsigned place = level.nodes.size();
  for (Value value : reads)
    readValue(value, place, node, level);
  for (Value value : op->getResults()) {
    node.outputs.push_back(getTensor(value));
    places[value] = place;
  }
  unsigned index = picture.nodes.size();
  result.nodes[op] = index;
  for (OriginAttr origin : getOrigins(op->getLoc()))
    result.byOrigin.try_emplace(origin, index);
  addNode(level, std::move(node));
}

/// What leaves a block.
void PictureBuilder::addOutputs(Block &block, PictureLevel &level) {
  if (!block.mightHaveTerminator())
    return;
  Operation *end = block.getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    PictureNode node;
    node.kind = PictureKind::Output;
    node.opType = "output";
    node.name = isa<func::ReturnOp>(end)
                    ? getOutputName(graph, operand.getOperandNumber()).str()
                    : getValueName(operand.get()).str();
    unsigned place = level.nodes.size();
    if (!isConstant(operand.get()) && places.count(operand.get()))
      readValue(operand.get(), place, node, level);
    addNode(level, std::move(node));
  }
}

void PictureBuilder::fillLevel(Block &block, PictureLevel &level) {
  places.clear();
  for (BlockArgument argument : block.getArguments()) {
    PictureNode node;
    node.kind = PictureKind::Input;
    node.opType = "input";
    node.outputs.push_back(getTensor(argument));
    node.name = picture.tensors[node.outputs.front()].name;
    places[argument] = addNode(level, std::move(node));
  }
  for (Operation &op : block.without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>())
      addOperation(&op, level);
  addOutputs(block, level);
}

void PictureBuilder::build() {
  openLevel(graph.front(), "graph");
  while (!open.empty()) {
    OpenBlock next = open.front();
    open.pop_front();
    PictureLevel level = std::move(picture.levels[next.level]);
    fillLevel(*next.block, level);
    picture.levels[next.level] = std::move(level);
  }
}

//===----------------------------------------------------------------------===//
// Graphs that are too large
//===----------------------------------------------------------------------===//

/// The parts that a graph too large for a picture is shown in.
static constexpr uint64_t maxParts = 200;

/// Parts of the graph, in order, each closed for good.
static void makeParts(func::FuncOp graph, GraphPicture &result) {
  Picture &picture = result.picture;
  picture.levels.resize(1);
  PictureLevel &level = picture.levels.front();
  level.title = "graph";
  uint64_t perPart = result.numOps / maxParts + 1, count = 0;
  DenseMap<Operation *, unsigned> partOf;
  DenseSet<std::pair<unsigned, unsigned>> linked;
  for (Operation &op : graph.front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (count++ % perPart == 0) {
      level.nodes.push_back(picture.nodes.size());
      PictureNode part;
      part.kind = PictureKind::Section;
      part.name = "from " + getNodeName(&op);
      picture.nodes.push_back(std::move(part));
    }
    unsigned own = level.nodes.size() - 1;
    PictureNode &part = picture.nodes.back();
    part.opType = std::to_string(++part.numLeftOut) + " nodes";
    partOf[&op] = own;
    for (Value value : op.getOperands()) {
      auto it = partOf.find(value.getDefiningOp());
      if (!value.getDefiningOp() || it == partOf.end() || it->second == own ||
          !linked.insert({it->second, own}).second)
        continue;
      level.edges.push_back(
          {it->second, own, unsigned(picture.tensors.size())});
      picture.tensors.push_back(describeTensor(value));
    }
  }
}

GraphPicture inlay::makePicture(func::FuncOp graph) {
  GraphPicture result;
  graph.walk([&](Operation *op) {
    result.numOps += !op->hasTrait<OpTrait::ConstantLike>() &&
                     !op->getParentOfType<InLayoutOp>();
  });
  if (result.isLeftOut()) {
    makeParts(graph, result);
    return result;
  }
  PictureBuilder(graph, result).build();
  return result;
}

//===----------------------------------------------------------------------===//
// What is known of nodes
//===----------------------------------------------------------------------===//

void inlay::addCosts(GraphPicture &picture, const ModelCosts &costs,
                     const MachineRates &rates) {
  for (const NodeCost &cost : costs.nodes) {
    auto it = picture.nodes.find(cost.op);
    if (it == picture.nodes.end())
      continue;
    PictureNode &node = picture.picture.nodes[it->second];
    node.flops = cost.flops;
    node.bytes = cost.getBytes();
    node.weightBytes = cost.weightBytes;
    node.liveBytes = cost.liveBytes;
    std::optional<TimeEstimate> time = estimateTime(cost, rates);
    if (!time)
      continue;
    node.seconds = time->seconds;
    node.bound = time->bound == Bound::Compute  ? "compute"
                 : time->bound == Bound::Memory ? "memory"
                                                : "";
  }
}

void inlay::linkPictures(const GraphPicture &before, GraphPicture &after) {
  for (const auto &[op, index] : after.nodes) {
    // What a group consists of says where it comes from.
    if (isa<GroupOp>(op))
      continue;
    PictureNode &node = after.picture.nodes[index];
    for (OriginAttr origin : getOrigins(op->getLoc()))
      if (auto it = before.byOrigin.find(origin); it != before.byOrigin.end())
        node.origins.push_back(it->second);
  }
}
