//===- Reader.cpp - Values as functions of an index -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "Elements.h"
#include "GridSampling.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/IR/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

std::optional<unsigned> Reader::add(Node node) {
  if (Operation *op = node.value.getDefiningOp();
      op && node.kind != Node::Given && node.kind != Node::Load)
    node.order = body.getPosition(op) + 1;
  unsigned number = nodes.size();
  byValue[node.value].push_back(number);
  nodes.push_back(std::move(node));
  return number;
}

unsigned Reader::define(Value value, const LoopIndex &index) {
  ++numDefined;
  return *add({value, index, Node::Given, {}, {}, {}});
}

/// One result from elements at the same place, with code.
static bool isElement(OpResult result) {
  Operation *op = result.getOwner();
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::Elementwise &&
         isa<ElementOpInterface>(op) && result.getResultNumber() == 0 &&
         op->getNumOperands() != 0;
}

/// A range of integers, or of floats whose places are computed in double.
static bool isCounted(OpResult result) {
  Type element = getElementTypeOrSelf(result.getType());
  return isa<RangeOp>(result.getOwner()) && !element.isInteger(1) &&
         (isa<IntegerType>(element) || element.isF32() || element.isF64());
}

/// Goes back through what only moves elements.
std::optional<unsigned> Reader::find(Value value, LoopIndex index) {
  while (true) {
    value = body.resolve(value);
    if (!hasCodeType(value))
      return std::nullopt;
    bool isGiven = false;
    for (unsigned number : byValue.lookup(value)) {
      if (nodes[number].index == index)
        return number;
      isGiven |= nodes[number].kind == Node::Given;
    }
    // It is not where the template is.
    if (isGiven)
      return std::nullopt;
    if (body.isRead(value) || isNumber(value)) {
      Linear offset = space.recombine(getOffset(index, getExtents(value)));
      return add({value, std::move(index), Node::Load, offset, {}, {}});
    }
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return std::nullopt;
    if (isElement(result))
      return add({value, std::move(index), Node::Element, {}, {}, {}});
    if (isCounted(result))
      return add({value, std::move(index), Node::Count, {}, {}, {}});
    if (auto resize = dyn_cast<ResizeOp>(result.getOwner());
        resize && resize.getMode() == "linear") {
      std::optional<SmallVector<ResampledDim>> dims = getResampledDims(resize);
      if (!dims || !isa<FloatType>(getElementTypeOrSelf(value.getType())))
        return std::nullopt;
      Node node{value, std::move(index), Node::Blend, {}, {}, {}};
      node.blended.assign(dims->begin(), dims->end());
      return add(std::move(node));
    }
    if (auto sample = dyn_cast<GridSampleOp>(result.getOwner())) {
      // Where it is read is known only when the kernel runs.
      Value input = body.resolve(sample.getX());
      if (!GridSampling::get(sample) || !body.isRead(input))
        return std::nullopt;
      LoopIndex channel(index.size());
      llvm::copy(ArrayRef(index).take_front(2), channel.begin());
      Linear offset = getOffset(channel, getExtents(input));
      return add({value, std::move(index), Node::Sample, offset, {}, {}});
    }
    auto pieces = getPieces(result, index, space);
    if (!pieces || pieces->empty())
      return std::nullopt;
    if (pieces->size() > 1 || !pieces->front().value)
      return add({value, std::move(index), Node::Choice, {}, {}, *pieces});
    value = pieces->front().value;
    index = std::move(pieces->front().index);
  }
}

/// The elements around a place between them, the last dimension's pairs beside
/// one another.
static std::vector<LoopIndex> getCorners(const LoopIndex &index,
                                         ArrayRef<ResampledDim> dims,
                                         LoopSpace &space) {
  std::vector<LoopIndex> corners = {index};
  for (auto [dim, sampling] : dims) {
    std::vector<LoopIndex> both;
    for (const LoopIndex &corner : corners)
      for (auto pick : {Sampling::Pick::Lower, Sampling::Pick::Upper}) {
        Sampling own = sampling;
        own.pick = pick;
        both.push_back(corner);
        both.back()[dim] = space.sample(own, corner[dim]);
      }
    corners = std::move(both);
  }
  return corners;
}

bool Reader::addOperands(unsigned number) {
  SmallVector<unsigned, 2> operands;
  auto addOperand = [&](Value value, const LoopIndex &index) {
    std::optional<unsigned> operand = find(value, index);
    operands.push_back(operand.value_or(zero));
    return operand.has_value();
  };
  if (nodes[number].kind == Node::Choice) {
    SmallVector<IndexPiece, 1> pieces = nodes[number].pieces;
    for (const IndexPiece &piece : pieces)
      if (!piece.value)
        operands.push_back(zero);
      else if (!addOperand(piece.value, piece.index))
        return false;
  }
  if (nodes[number].kind == Node::Blend) {
    std::vector<LoopIndex> corners =
        getCorners(nodes[number].index, nodes[number].blended, space);
    Value input = nodes[number].value.getDefiningOp()->getOperand(0);
    for (const LoopIndex &corner : corners)
      if (!addOperand(input, corner))
        return false;
  }
  if (nodes[number].kind == Node::Count) {
    auto range = nodes[number].value.getDefiningOp<RangeOp>();
    for (Value operand : {range.getStart(), range.getDelta()})
      if (!hasCodeType(operand) ||
          !addOperand(operand, LoopIndex(getExtents(operand).size())))
        return false;
  }
  if (nodes[number].kind == Node::Sample) {
    Value grid = nodes[number].value.getDefiningOp<GridSampleOp>().getGrid();
    // One point of a plane, whatever the channel.
    LoopIndex point = nodes[number].index;
    point.erase(point.begin() + 1);
    point.emplace_back();
    for (int64_t i = 0; i < getExtents(grid).back(); ++i) {
      point.back() = Linear::number(i);
      if (!addOperand(grid, point))
        return false;
    }
  }
  if (nodes[number].kind == Node::Element) {
    LoopIndex index = nodes[number].index;
    for (OpOperand &operand :
         nodes[number].value.getDefiningOp()->getOpOperands()) {
      if (!hasCodeType(operand.get()))
        return false;
      std::optional<LoopIndex> own = getOperandIndex(operand, index, space);
      if (!own || !addOperand(operand.get(), *own))
        return false;
    }
  }
  nodes[number].operands = std::move(operands);
  return true;
}

/// The integer of a constant that has only one.
static std::optional<int64_t> getOnlyInteger(Value value) {
  if (!isNumber(value))
    return std::nullopt;
  auto tensor = getHostTensor(value.getDefiningOp<ConstantOp>().getValue());
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  return tensor->getInt(0);
}

/// What says where to read must not be computed here; what is read is checked
/// before the kernel runs, a number has to be right now.
bool Reader::areIndicesRead() const {
  return llvm::all_of(
      space.getVariables(), [&](const LoopSpace::Variable &variable) {
        if (variable.kind != LoopSpace::Kind::Loaded)
          return true;
        Value tensor = body.resolve(variable.tensor);
        if (!hasCodeType(tensor) ||
            !isa<IntegerType>(getElementTypeOrSelf(tensor.getType())))
          return false;
        std::optional<int64_t> only = getOnlyInteger(tensor);
        return only ? *only >= -variable.number && *only < variable.number
                    : body.isRead(tensor);
      });
}

std::optional<unsigned> Reader::want(Value value, const LoopIndex &index) {
  std::optional<unsigned> wanted = find(value, index);
  if (!wanted)
    return std::nullopt;
  for (; numComplete < nodes.size(); ++numComplete)
    if (!addOperands(numComplete))
      return std::nullopt;
  if (!areIndicesRead())
    return std::nullopt;
  return wanted;
}

//===----------------------------------------------------------------------===//
// What is known of it
//===----------------------------------------------------------------------===//

bool Reader::varies(const Node &node, unsigned loop) const {
  return llvm::any_of(node.index, [&](const Linear &place) {
    return space.dependsOn(place, loop);
  });
}

bool Reader::allowsVectors(unsigned loop) const {
  return llvm::all_of(nodes, [&](const Node &node) {
    bool isSteady = llvm::all_of(node.pieces, [&](const IndexPiece &piece) {
      return llvm::none_of(piece.bounds, [&](const IndexPiece::Bound &bound) {
        return space.dependsOn(bound.value, loop);
      });
    });
    bool isBlended = llvm::any_of(node.blended, [&](const auto &own) {
      return space.dependsOn(node.index[own.dim], loop);
    });
    bool isCounted =
        node.kind == Node::Count && space.isUneven(node.index[0], loop);
    bool isSampled = node.kind == Node::Sample && varies(node, loop);
    return isSteady && !isBlended && !isCounted && !isSampled &&
           !space.isUneven(node.offset, loop);
  });
}

bool Reader::computes(Value value) const {
  return llvm::any_of(byValue.lookup(value), [&](unsigned number) {
    return nodes[number].kind == Node::Element;
  });
}

SmallVector<Operation *> Reader::getComputing() const {
  SmallVector<Operation *> ops;
  for (const Node &node : nodes)
    if (node.kind == Node::Element)
      ops.push_back(node.value.getDefiningOp());
  return ops;
}

bool Reader::readsConstants() const {
  return llvm::all_of(nodes, [](const Node &node) {
    bool isConstant = node.value.getDefiningOp<ConstantOp>();
    return node.kind != Node::Sample && (node.kind != Node::Load || isConstant);
  });
}

const Linear *Reader::getOnlyLoad() const {
  bool isOnly = nodes.size() == 1 && nodes.front().kind == Node::Load &&
                !isNumber(nodes.front().value);
  return isOnly ? &nodes.front().offset : nullptr;
}

SmallVector<const Linear *> Reader::getForms() const {
  SmallVector<const Linear *> forms;
  for (const Node &node : nodes) {
    if (node.kind == Node::Load || node.kind == Node::Sample)
      forms.push_back(&node.offset);
    if (node.kind == Node::Count)
      forms.push_back(&node.index[0]);
    for (const IndexPiece &piece : node.pieces)
      for (const IndexPiece::Bound &bound : piece.bounds)
        forms.push_back(&bound.value);
    for (const ResampledDim &own : node.blended)
      forms.push_back(&node.index[own.dim]);
  }
  return forms;
}

void Reader::dropLoop(unsigned loop) {
  for (Node &node : nodes) {
    node.offset.drop(loop);
    for (Linear &place : node.index)
      place.drop(loop);
    for (IndexPiece &piece : node.pieces)
      for (IndexPiece::Bound &bound : piece.bounds)
        bound.value.drop(loop);
  }
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

Reader::Scope Reader::getScope() const {
  Scope scope;
  scope.variables.resize(space.getVariables().size());
  scope.elements.resize(nodes.size());
  return scope;
}

Value Reader::emit(KernelBuilder &builder, const Scope &scope,
                   const Linear &value) const {
  Value sum;
  if (value.constant != 0 || value.terms.empty())
    sum = builder.number(value.constant);
  for (auto [id, factor] : value.terms) {
    Value term = builder.mul(scope.variables[id], factor);
    sum = sum ? builder.add(sum, term) : term;
  }
  return sum;
}

Value Reader::emitWide(KernelBuilder &builder, const Scope &scope,
                       const Linear &value, unsigned width) const {
  Value first = builder.spread(emit(builder, scope, value), width);
  int64_t step = width == 1 ? 0 : space.getStep(value, scope.lane);
  if (step == 0)
    return first;
  SmallVector<int64_t> steps;
  for (unsigned i = 0; i < width; ++i)
    steps.push_back(i * step);
  auto type = cast<VectorType>(first.getType());
  return builder.add(
      first, builder.create<arith::ConstantOp>(
                 DenseElementsAttr::get(type, ArrayRef<int64_t>(steps))));
}

/// The element of a constant that has only one.
static TypedAttr getOnlyElement(Value value, Type type) {
  if (!isNumber(value))
    return {};
  auto tensor = getHostTensor(value.getDefiningOp<ConstantOp>().getValue());
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return {};
  }
  if (isa<FloatType>(type))
    return FloatAttr::get(type, tensor->getDouble(0));
  APInt bits(64, uint64_t(tensor->getInt(0)));
  return IntegerAttr::get(type, bits.trunc(type.getIntOrFloatBitWidth()));
}

Value Reader::emitVariable(KernelBuilder &builder, const Scope &scope,
                           const LoopSpace::Variable &variable) const {
  using Kind = LoopSpace::Kind;
  Value argument = emit(builder, scope, variable.argument);
  Value number = builder.number(variable.number);
  if (variable.kind == Kind::Quotient)
    return builder.create<arith::DivUIOp>(argument, number);
  if (variable.kind == Kind::Remainder)
    return builder.create<arith::RemUIOp>(argument, number);
  if (variable.kind == Kind::Sampled)
    return variable.sampling->emitPlace(builder, argument);
  if (variable.kind == Kind::Loaded) {
    Value tensor = body.resolve(variable.tensor);
    Type type = getRegisterType(getElementTypeOrSelf(tensor.getType()));
    if (TypedAttr only = getOnlyElement(tensor, type))
      argument = builder.create<arith::ConstantOp>(only);
    else
      argument = builder.load(body.getReadNumber(tensor), argument, 0, 1);
    Type wide = number.getType();
    if (argument.getType() != wide)
      argument = builder.create<arith::ExtSIOp>(wide, argument);
    Value isBelow = builder.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                                  argument, builder.number(0));
    argument = builder.create<arith::SelectOp>(
        isBelow, builder.add(argument, number), argument);
  }
  Value raised = builder.max(argument, builder.number(variable.range.low));
  return builder.min(raised, builder.number(variable.range.high));
}

/// Those that depend on a loop that was not entered have to wait, or belong to
/// somebody else.
void Reader::emitVariables(KernelBuilder &builder, Scope &scope) const {
  scope.variables.resize(space.getVariables().size());
  for (unsigned id = space.getNumLoops(); id < scope.variables.size(); ++id) {
    bool isKnown = llvm::all_of(space[id].argument.terms, [&](auto term) {
      return bool(scope.variables[term.first]);
    });
    if (isKnown && !scope.variables[id])
      scope.variables[id] = emitVariable(builder, scope, space[id]);
  }
}

Value Reader::emitLoad(KernelBuilder &builder, const Scope &scope,
                       const Node &node, unsigned width) const {
  Type element = getElementTypeOrSelf(node.value.getType());
  if (TypedAttr only = getOnlyElement(node.value, getRegisterType(element)))
    return builder.spread(builder.create<arith::ConstantOp>(only), width);
  Value offset = emit(builder, scope, node.offset);
  return builder.load(body.getReadNumber(node.value), offset,
                      width == 1 ? 1 : space.getStep(node.offset, scope.lane),
                      width);
}

Value Reader::emitChoice(KernelBuilder &builder, const Scope &scope,
                         const Node &node, unsigned width) const {
  Type type = getWide(
      getRegisterType(getElementTypeOrSelf(node.value.getType())), width);
  Value chosen;
  for (size_t i = node.pieces.size(); i-- > 0;) {
    unsigned number = node.operands[i];
    Value element = number == zero
                        ? builder.constant(type, 0)
                        : builder.spread(scope.elements[number], width);
    Value holds;
    for (const auto &[value, range] : node.pieces[i].bounds) {
      Value above =
          builder.sub(emit(builder, scope, value), builder.number(range.low));
      Value isWithin =
          builder.create<arith::CmpIOp>(arith::CmpIPredicate::ule, above,
                                        builder.number(range.high - range.low));
      holds = holds ? builder.create<arith::AndIOp>(holds, isWithin) : isWithin;
    }
    chosen = holds && chosen
                 ? builder.create<arith::SelectOp>(holds, element, chosen)
                 : element;
  }
  return chosen;
}

/// The last dimension's pairs are neighbours; each dimension halves what is
/// left.
Value Reader::emitBlend(KernelBuilder &builder, const Scope &scope,
                        const Node &node, unsigned width) const {
  Type type = getWide(
      getRegisterType(getElementTypeOrSelf(node.value.getType())), width);
  SmallVector<Value> parts;
  for (unsigned operand : node.operands)
    parts.push_back(builder.spread(scope.elements[operand], width));
  for (const ResampledDim &own : llvm::reverse(node.blended)) {
    Value place = emit(builder, scope, node.index[own.dim]);
    Value share = own.sampling.emitShare(builder, place);
    if (getElementTypeOrSelf(type).isF64())
      share = builder.create<arith::ExtFOp>(getElementTypeOrSelf(type), share);
    parts = emitBetween(builder, parts, builder.spread(share, width));
  }
  return builder.round(parts.front(),
                       getElementTypeOrSelf(node.value.getType()));
}

/// start + place * delta; floats in double, as the executor does.
Value Reader::emitCount(KernelBuilder &builder, const Scope &scope,
                        const Node &node, unsigned width) const {
  Type element = getRegisterType(getElementTypeOrSelf(node.value.getType()));
  Type type = getWide(element, width);
  Value place = emitWide(builder, scope, node.index[0], width);
  Value start = builder.spread(scope.elements[node.operands[0]], width),
        delta = builder.spread(scope.elements[node.operands[1]], width);
  if (isa<IntegerType>(element)) {
    if (place.getType() != type)
      place = builder.create<arith::TruncIOp>(type, place);
    return builder.add(start, builder.create<arith::MulIOp>(place, delta));
  }
  Type wide = getWide(builder.getBuilder().getF64Type(), width);
  place = builder.create<arith::SIToFPOp>(wide, place);
  if (!element.isF64()) {
    start = builder.create<arith::ExtFOp>(wide, start);
    delta = builder.create<arith::ExtFOp>(wide, delta);
  }
  Value sum = builder.create<arith::AddFOp>(
      start, builder.create<arith::MulFOp>(place, delta));
  return element.isF64() ? sum
                         : Value(builder.create<arith::TruncFOp>(type, sum));
}

Value Reader::emitElement(KernelBuilder &builder, const Scope &scope,
                          const Node &node, unsigned width) const {
  Operation *op = node.value.getDefiningOp();
  SmallVector<Value> operands;
  for (unsigned operand : node.operands)
    operands.push_back(builder.spread(scope.elements[operand], width));
  Value result =
      cast<ElementOpInterface>(op).emitElement(builder.getBuilder(), operands);
  if (!result)
    return {};
  return builder.round(result, getElementTypeOrSelf(node.value.getType()));
}

Value Reader::emitSample(KernelBuilder &builder, const Scope &scope,
                         const Node &node) const {
  auto op = node.value.getDefiningOp<GridSampleOp>();
  SmallVector<Value> coordinates;
  for (unsigned operand : node.operands)
    coordinates.push_back(scope.elements[operand]);
  Value channel = emit(builder, scope, node.offset);
  unsigned input = body.getReadNumber(body.resolve(op.getX()));
  Value sum =
      GridSampling::get(op)->emit(builder, coordinates, [&](Value place) {
        return builder.load(input, builder.add(channel, place), 0, 1);
      });
  Type element = getElementTypeOrSelf(node.value.getType());
  Value result =
      emitCast(Elements(builder.getBuilder(), op, sum), sum.getType(), element);
  return builder.round(result, element);
}

Value Reader::emitNode(KernelBuilder &builder, const Scope &scope,
                       const Node &node, unsigned width) const {
  switch (node.kind) {
  case Node::Load:
    return emitLoad(builder, scope, node, width);
  case Node::Choice:
    return emitChoice(builder, scope, node, width);
  case Node::Blend:
    return emitBlend(builder, scope, node, width);
  case Node::Count:
    return emitCount(builder, scope, node, width);
  case Node::Sample:
    return emitSample(builder, scope, node);
  default:
    return emitElement(builder, scope, node, width);
  }
}

bool Reader::emit(KernelBuilder &builder, Scope &scope,
                  ArrayRef<unsigned> inner) const {
  emitVariables(builder, scope);
  SmallVector<std::pair<unsigned, unsigned>> order;
  for (auto [number, node] : llvm::enumerate(nodes))
    order.push_back({node.order, number});
  llvm::sort(order);
  for (auto [position, number] : order) {
    const Node &node = nodes[number];
    auto changesWith = [&](unsigned loop) { return varies(node, loop); };
    if (node.kind == Node::Given || scope.elements[number] ||
        llvm::any_of(inner, changesWith))
      continue;
    scope.elements[number] = emitNode(
        builder, scope, node, changesWith(scope.lane) ? scope.width : 1);
    if (!scope.elements[number])
      return false;
  }
  return true;
}
