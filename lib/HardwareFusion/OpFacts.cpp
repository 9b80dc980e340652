//===- OpFacts.cpp - What target files may ask about operators ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/OpFacts.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool inlay::isConstantValue(Value value) {
  while (auto relayout = value.getDefiningOp<RelayoutOp>())
    value = relayout.getInput();
  return value.getDefiningOp<ConstantOp>();
}

bool inlay::exchangesOperands(Operation *op) {
  auto facts = dyn_cast<TargetFactsOpInterface>(op);
  return facts && facts.exchangesOperands();
}

SmallVector<unsigned, 2> inlay::getDataOperands(Operation *op) {
  SmallVector<unsigned, 2> operands;
  if (exchangesOperands(op))
    for (OpOperand &operand : op->getOpOperands())
      if (!isConstantValue(operand.get()))
        operands.push_back(operand.getOperandNumber());
  if (operands.empty() && op->getNumOperands() != 0)
    operands.push_back(0);
  return operands;
}

/// The dimension that holds the channels of a feature, if it has any.
static std::optional<unsigned> getChannelDim(RankedTensorType type) {
  if (auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding()))
    if (size_t at = layout.getLayout().getAxes().find('C');
        at != StringRef::npos)
      return at;
  return type.getRank() >= 2 ? std::optional(1u) : std::nullopt;
}

static bool isPerChannel(RankedTensorType data, RankedTensorType side) {
  std::optional<unsigned> channel = getChannelDim(data);
  int64_t offset = data.getRank() - side.getRank();
  if (!channel || offset < 0 || int64_t(*channel) < offset)
    return false;
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    bool isChannel = dim + offset == int64_t(*channel);
    int64_t expected = isChannel ? data.getDimSize(*channel) : 1;
    if (side.getDimSize(dim) != expected || ShapedType::isDynamic(expected))
      return false;
  }
  return true;
}

SideShape inlay::getSideShape(Value data, Value side) {
  auto dataType = dyn_cast<RankedTensorType>(data.getType());
  auto sideType = dyn_cast<RankedTensorType>(side.getType());
  if (!sideType)
    return SideShape::Other;
  if (sideType.hasStaticShape() && sideType.getNumElements() == 1)
    return SideShape::Scalar;
  if (!dataType)
    return SideShape::Other;
  if (data == side ||
      (dataType.hasStaticShape() && dataType.getShape() == sideType.getShape()))
    return SideShape::Same;
  return isPerChannel(dataType, sideType) ? SideShape::Channel
                                          : SideShape::Other;
}

//===----------------------------------------------------------------------===//
// Attributes, parts and obstacles
//===----------------------------------------------------------------------===//

AttributeFact inlay::getAttributeFact(Operation *op, StringRef attribute) {
  auto facts = dyn_cast<TargetFactsOpInterface>(op);
  return facts ? facts.getFact(attribute) : AttributeFact();
}

bool inlay::hasPart(Operation *op, OpPart part) {
  auto facts = dyn_cast<TargetFactsOpInterface>(op);
  if (!facts)
    return false;
  switch (part) {
  case OpPart::Pads: {
    AttributeFact pads = facts.getWindowPads();
    return pads.isUnknown ||
           llvm::any_of(pads.numbers, [](double pad) { return pad != 0; });
  }
  case OpPart::Bias:
    return facts.hasBias();
  }
  return false;
}

bool inlay::changesElementType(Operation *op) {
  if (op->getNumOperands() == 0)
    return false;
  auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
  return llvm::any_of(op->getResultTypes(), [&](Type other) {
    auto result = dyn_cast<ShapedType>(other);
    return !type || !result || result.getElementType() != type.getElementType();
  });
}

std::string inlay::findObstacle(Operation *op) {
  auto facts = dyn_cast<TargetFactsOpInterface>(op);
  if (facts && facts.takesParameters())
    for (unsigned i = 1; i < op->getNumOperands(); ++i)
      if (!isConstantValue(op->getOperand(i)))
        return llvm::formatv("operand {0} must be constant, found one that is "
                             "computed at run time",
                             i);
  if (std::string text = facts ? facts.findObstacle() : ""; !text.empty())
    return text;
  if (!facts || !facts.yieldsData())
    for (OpResult result : op->getResults().drop_front(
             std::min<unsigned>(op->getNumResults(), 1)))
      if (!result.use_empty())
        return llvm::formatv("only its first result may be used, found a use "
                             "of result {0}",
                             result.getResultNumber());
  return "";
}
