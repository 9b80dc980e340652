//===- GraphBuilder.cpp - The kernel graph of a block ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/NeedOrder.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/FusionFacts.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/KernelFusion/KernelGraph.h"
#include <map>

using namespace inlay;
using namespace mlir;

using Operand = KernelGraph::Operand;

/// `Operand::spread` of an operand of which it is not known along which
/// dimensions it is repeated. A reduction's result may be used in the row again
/// where it is repeated along exactly the dimensions that were reduced; a
/// tensor of at most `maxRank` dimensions never reduces all 64 of this one, so
/// that it never counts as such a use.
static constexpr uint64_t anySpread = ~uint64_t(0);
static constexpr int64_t maxRank = 63;

/// Constants that cost nothing to read: they stay in registers. If they
/// counted, two operators with the same bounds would be one kernel for their
/// sake, and one of them computed wherever a window reads.
static constexpr uint64_t maxFreeBytes = 64;

namespace {
/// Extents as numbers: what is known as it is, unknown ones negative, equal
/// only when they are the same for certain.
using Extents = SmallVector<int64_t, 4>;

class GraphBuilder {
public:
  GraphBuilder(Block &block, ValueSizer sizer,
               const llvm::DenseSet<unsigned> &whole)
      : block(block), sizer(sizer), whole(whole) {}

  KernelGraph run();

private:
  struct Described {
    FusionClass kind = FusionClass::Opaque;
    SmallVector<Operand, 3> operands;
    uint64_t reduced = 0, rowLength = 0;
  };

  // Values.
  unsigned getValue(Value value);
  unsigned getShapeNumber(Value value);
  const Extents &getExtents(Value value);
  void nameInputs();
  void inferExtents(Operation *op, const AxisMap &map);
  int64_t findExtent(Operation *op, const AxisMap &map, const DimAxes &axes);

  // Operators.
  bool isSkipped(Operation *op) const;
  void addOperation(Operation *op);
  void addAlias(Operation *op);
  void addExpanded(ExpandedOp op);
  Described describe(Operation *op, const AxisMap &map);
  ElementLink getLink(Operation *op, const AxisMap &map, FusionClass kind,
                      unsigned index);
  uint64_t getSpread(Operation *op, const AxisMap &map, unsigned index);
  uint64_t getWrittenBytes(Operation *op) const;
  void addParameters(SmallVectorImpl<Operand> &operands);
  void addCaptures(Operation *op, SmallVectorImpl<Operand> &operands);

  Block &block;
  ValueSizer sizer;
  const llvm::DenseSet<unsigned> &whole;
  KernelGraph graph;
  llvm::DenseMap<Value, unsigned> ids;
  llvm::DenseMap<Value, Extents> extents;
  std::map<Extents, unsigned> shapes;
  std::map<std::string, int64_t> symbols;
  unsigned numShapes = 0;
  int64_t nextUnknown = -1;
  /// Of views, what they and the views before them take as parameters.
  llvm::DenseMap<unsigned, SmallVector<unsigned, 1>> parameters;
};
} // namespace

static std::optional<unsigned> getExpansion(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(expansionAttr);
  if (!number)
    return std::nullopt;
  return unsigned(number.getInt());
}

static FusionClass getKind(Operation *op) {
  FusionClass kind = getFusionClass(op);
  // What is wrapped has its own axes.
  bool isAnchor =
      kind == FusionClass::Contraction || kind == FusionClass::Window;
  return op->getNumRegions() != 0 && !isAnchor ? FusionClass::Opaque : kind;
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Dimensions of inputs that the model calls the same are the same.
void GraphBuilder::nameInputs() {
  auto function = dyn_cast<func::FuncOp>(block.getParentOp());
  if (!function)
    return;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    Extents &own = extents[argument];
    own.assign(type.getShape().begin(), type.getShape().end());
    SmallVector<StringRef> names =
        getInputDims(function, argument.getArgNumber());
    for (auto [extent, name] : llvm::zip(own, names)) {
      if (!ShapedType::isDynamic(extent))
        continue;
      if (name.empty()) {
        extent = nextUnknown--;
        continue;
      }
      auto [it, isNew] = symbols.try_emplace(name.str(), nextUnknown);
      nextUnknown -= isNew;
      extent = it->second;
    }
  }
}

const Extents &GraphBuilder::getExtents(Value value) {
  auto [it, isNew] = extents.try_emplace(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!isNew || !type)
    return it->second;
  for (int64_t extent : type.getShape())
    it->second.push_back(ShapedType::isDynamic(extent) ? nextUnknown--
                                                       : extent);
  return it->second;
}

unsigned GraphBuilder::getShapeNumber(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return numShapes++;
  auto [it, isNew] = shapes.try_emplace(getExtents(value), numShapes);
  numShapes += isNew;
  return it->second;
}

/// The extent of the operands' dimensions along `axes`, if it is one.
int64_t GraphBuilder::findExtent(Operation *op, const AxisMap &map,
                                 const DimAxes &axes) {
  bool isKept =
      axes.size() == 1 && map.getAxes()[axes[0]].kind == AxisKind::Parallel;
  std::optional<int64_t> found;
  for (auto [i, dims] : llvm::enumerate(map.getOperands())) {
    if (!dims || !isKept)
      continue;
    const Extents &own = getExtents(op->getOperand(i));
    for (auto [dim, extent] : llvm::zip(*dims, own)) {
      if (dim != axes)
        continue;
      if (found && *found != extent)
        return nextUnknown--;
      found = extent;
    }
  }
  return found ? *found : nextUnknown--;
}

void GraphBuilder::inferExtents(Operation *op, const AxisMap &map) {
  if (map.isOpaque())
    return;
  for (auto [result, dims] : llvm::zip(op->getResults(), map.getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !dims || type.hasStaticShape() ||
        int64_t(dims->size()) != type.getRank())
      continue;
    Extents own;
    for (auto [extent, axes] : llvm::zip(type.getShape(), *dims))
      own.push_back(ShapedType::isDynamic(extent) ? findExtent(op, map, axes)
                                                  : extent);
    extents[result] = std::move(own);
  }
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

/// Whether one operand's elements are the result's, at other places.
static bool isPermutation(const AxisMap &map) {
  const TensorAxes *from = nullptr;
  for (const std::optional<TensorAxes> &dims : map.getOperands()) {
    if (dims && from)
      return false;
    if (dims)
      from = &*dims;
  }
  if (!from || map.getResults().size() != 1 || !map.getResults()[0])
    return false;
  auto collect = [](const TensorAxes &dims) {
    SmallVector<unsigned> axes;
    for (const DimAxes &dim : dims)
      llvm::append_range(axes, dim);
    llvm::sort(axes);
    return axes;
  };
  SmallVector<unsigned> axes = collect(*from);
  return axes == collect(*map.getResults()[0]) &&
         llvm::all_of(axes, [&](unsigned axis) {
           return map.getAxes()[axis].kind == AxisKind::Parallel;
         });
}

/// The dimensions of the result along which the operand is repeated.
uint64_t GraphBuilder::getSpread(Operation *op, const AxisMap &map,
                                 unsigned index) {
  if (!map.getResults()[0] || !map.getOperands()[index])
    return anySpread;
  const TensorAxes &to = *map.getResults()[0];
  const TensorAxes &from = *map.getOperands()[index];
  Extents own = getExtents(op->getOperand(index));
  Extents whole = getExtents(op->getResult(0));
  if (to.size() != whole.size() || from.size() != own.size() ||
      int64_t(to.size()) > maxRank)
    return anySpread;
  uint64_t spread = 0;
  for (auto [i, axes] : llvm::enumerate(to)) {
    if (whole[i] == 1)
      continue;
    auto it = axes.empty() ? from.end() : llvm::find(from, axes);
    if (it == from.end() || own[it - from.begin()] == 1)
      spread |= uint64_t(1) << i;
    else if (own[it - from.begin()] != whole[i])
      return anySpread;
  }
  return spread;
}

ElementLink GraphBuilder::getLink(Operation *op, const AxisMap &map,
                                  FusionClass kind, unsigned index) {
  if (kind == FusionClass::Opaque || kind == FusionClass::Contraction ||
      kind == FusionClass::Window)
    return ElementLink::Many;
  if (index >= map.getOperands().size() || !map.getOperands()[index])
    return ElementLink::Parameter;
  switch (kind) {
  case FusionClass::Reduce:
    return ElementLink::Many;
  case FusionClass::Broadcast:
    return ElementLink::Broadcast;
  case FusionClass::Transform:
    return isPermutation(map) ? ElementLink::Moved : ElementLink::Part;
  default:
    return getShapeNumber(op->getOperand(index)) ==
                   getShapeNumber(op->getResult(0))
               ? ElementLink::Same
               : ElementLink::Broadcast;
  }
}

/// The dimensions of operand 0 that the result does not have.
static uint64_t getReduced(const AxisMap &map, const Extents &extents) {
  uint64_t reduced = 0;
  for (auto [i, axes] : llvm::enumerate(*map.getOperands()[0])) {
    bool isKept = extents[i] == 1;
    for (const DimAxes &dim : *map.getResults()[0])
      isKept |= !axes.empty() && dim == axes;
    if (!isKept)
      reduced |= uint64_t(1) << i;
  }
  return reduced;
}

/// Whether it is computed along which dimensions a reduction goes: those that
/// the result keeps may be among them.
static bool mayReduceAny(const AxisMap &map) {
  return llvm::any_of(*map.getResults()[0], [&](const DimAxes &axes) {
    return llvm::any_of(axes, [&](unsigned axis) {
      return map.getAxes()[axis].kind == AxisKind::Window;
    });
  });
}

uint64_t GraphBuilder::getWrittenBytes(Operation *op) const {
  uint64_t bytes = 0;
  for (Value result : op->getResults())
    bytes += sizer(result);
  return bytes;
}

GraphBuilder::Described GraphBuilder::describe(Operation *op,
                                               const AxisMap &map) {
  Described described;
  described.kind = getKind(op);
  bool isAnchor = described.kind == FusionClass::Contraction ||
                  described.kind == FusionClass::Window;
  auto isKnown = [](Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return ranked && ranked.getRank() <= maxRank;
  };
  bool knowsAxes = !map.isOpaque() && op->getNumResults() != 0 &&
                   map.getResults().size() == op->getNumResults() &&
                   map.getResults()[0] &&
                   llvm::all_of(op->getResultTypes(), isKnown);
  bool isReduce = described.kind == FusionClass::Reduce;
  if (isReduce && (!knowsAxes || !map.getOperands()[0] || mayReduceAny(map) ||
                   !isKnown(op->getOperand(0).getType())))
    knowsAxes = false;
  if (!isAnchor && !knowsAxes)
    described.kind = FusionClass::Opaque;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    Operand own;
    own.value = getValue(operand.get());
    own.link = getLink(op, map, described.kind, index);
    if (own.link == ElementLink::Broadcast)
      own.spread = getSpread(op, map, index);
    if (isMoved(operand))
      own.bytes = getWrittenBytes(op);
    described.operands.push_back(own);
  }
  if (described.kind == FusionClass::Reduce) {
    const Extents &own = getExtents(op->getOperand(0));
    described.reduced = getReduced(map, own);
    described.rowLength = 1;
    for (auto [i, extent] : llvm::enumerate(own))
      if (described.reduced >> i & 1)
        described.rowLength *= std::max<int64_t>(extent, 0);
  }
  return described;
}

//===----------------------------------------------------------------------===//
// Values and operators
//===----------------------------------------------------------------------===//

unsigned GraphBuilder::getValue(Value value) {
  auto [it, isNew] = ids.try_emplace(value);
  if (isNew) {
    bool isConstant = bool(getConstantValue(value));
    uint64_t bytes = sizer(value);
    if (isConstant && bytes <= maxFreeBytes)
      bytes = 0;
    unsigned id =
        graph.addValue(getShapeNumber(value), bytes, isConstant, value);
    // Looking up the shape may have moved the entry.
    ids[value] = id;
    return id;
  }
  return it->second;
}

/// What is superfluous: the basic operators of a composite one that is a node,
/// and composite ones that are not.
bool GraphBuilder::isSkipped(Operation *op) const {
  if (isa<ConstantOp>(op))
    return true;
  if (std::optional<unsigned> expansion = getExpansion(op))
    return !isa<ExpandedOp>(op) && whole.contains(*expansion);
  auto standsAside = [&](Operation *user) {
    auto expanded = dyn_cast<ExpandedOp>(user);
    std::optional<unsigned> expansion =
        expanded ? getExpansion(expanded) : std::nullopt;
    return expansion && !whole.contains(*expansion) &&
           llvm::any_of(expanded.getComposite(), [&](Value value) {
             return value.getDefiningOp() == op;
           });
  };
  return !op->use_empty() && llvm::all_of(op->getUsers(), standsAside);
}

void GraphBuilder::addExpanded(ExpandedOp op) {
  std::optional<unsigned> expansion = getExpansion(op);
  bool isWhole = !expansion || whole.contains(*expansion);
  auto sources = isWhole ? op.getComposite() : op.getBasic();
  for (auto [result, source] : llvm::zip_equal(op.getOutputs(), sources)) {
    unsigned id = getValue(source);
    ids[result] = id;
    extents[result] = Extents(getExtents(source));
  }
}

void GraphBuilder::addAlias(Operation *op) {
  unsigned of = getValue(op->getOperand(0));
  Value result = op->getResult(0);
  unsigned shape = getShapeNumber(result);
  SmallVector<unsigned, 1> own;
  if (auto it = parameters.find(of); it != parameters.end())
    own = it->second;
  for (Value parameter : llvm::drop_begin(op->getOperands()))
    own.push_back(getValue(parameter));
  unsigned id = shape == graph.getValue(of).shape && own.empty()
                    ? of
                    : graph.addView(of, shape, result);
  ids[result] = id;
  if (!own.empty())
    parameters[id] = std::move(own);
}

void GraphBuilder::addParameters(SmallVectorImpl<Operand> &operands) {
  for (unsigned i = 0, e = operands.size(); i < e; ++i)
    if (auto it = parameters.find(operands[i].value); it != parameters.end())
      for (unsigned value : it->second)
        operands.push_back({value, ElementLink::Parameter});
}

void GraphBuilder::addCaptures(Operation *op,
                               SmallVectorImpl<Operand> &operands) {
  SmallVector<Value> used = getUsedValues(op);
  for (Value value : ArrayRef(used).drop_front(op->getNumOperands()))
    operands.push_back({.value = getValue(value),
                        .link = ElementLink::Many,
                        .isCaptured = !isFinished(op)});
}

void GraphBuilder::addOperation(Operation *op) {
  if (isSkipped(op))
    return;
  AxisMap map = AxisMap::opaque();
  if (auto mapped = dyn_cast<AxisMapOpInterface>(op))
    map = mapped.getAxisMap();
  inferExtents(op, map);
  if (auto expanded = dyn_cast<ExpandedOp>(op))
    return addExpanded(expanded);
  if (getKind(op) == FusionClass::View && op->getNumResults() == 1 &&
      op->getNumOperands() != 0)
    return addAlias(op);
  Described described = describe(op, map);
  addParameters(described.operands);
  addCaptures(op, described.operands);
  unsigned node = graph.addNode(described.kind, described.operands, op);
  graph.setReduced(node, described.reduced, described.rowLength);
  if (std::optional<unsigned> expansion = getExpansion(op))
    graph.setExpansion(node, *expansion);
  for (Value result : op->getResults())
    ids[result] =
        graph.addResult(node, getShapeNumber(result), sizer(result), result);
}

KernelGraph GraphBuilder::run() {
  nameInputs();
  for (Operation *op : findNeedOrder(block))
    addOperation(op);
  for (Value value : block.getTerminator()->getOperands())
    graph.setEscapes(getValue(value));
  return std::move(graph);
}

KernelGraph inlay::buildKernelGraph(Block &block, ValueSizer sizer,
                                    const llvm::DenseSet<unsigned> &whole) {
  return GraphBuilder(block, sizer, whole).run();
}
