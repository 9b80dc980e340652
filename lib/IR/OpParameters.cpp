//===- OpParameters.cpp - Operands that are attributes when known ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// Elements up to which a constant operand becomes an attribute.
static constexpr int64_t maxParameterElements = 1024;

//===----------------------------------------------------------------------===//
// The parameters of each operator
//===----------------------------------------------------------------------===//

#define INLAY_PARAMETERS(OP, ...)                                              \
  ArrayRef<Parameter> OP::getParameters() {                                    \
    static constexpr Parameter parameters[] = {__VA_ARGS__};                   \
    return parameters;                                                         \
  }

INLAY_PARAMETERS(ConstantOfShapeOp, {0, "shape", ParameterKind::Ints})
INLAY_PARAMETERS(CumSumOp, {1, "axis", ParameterKind::Int})
INLAY_PARAMETERS(DropoutOp, {1, "ratio", ParameterKind::Float},
                 {2, "training_mode", ParameterKind::Bool})
INLAY_PARAMETERS(ExpandOp, {1, "shape", ParameterKind::Ints})
INLAY_PARAMETERS(PadOp, {1, "pads", ParameterKind::Ints},
                 {3, "axes", ParameterKind::Ints})
INLAY_PARAMETERS(ReshapeOp, {1, "shape", ParameterKind::Ints})
INLAY_PARAMETERS(ResizeOp, {1, "roi", ParameterKind::Floats},
                 {2, "scales", ParameterKind::Floats},
                 {3, "sizes", ParameterKind::Ints})
INLAY_PARAMETERS(SliceOp, {1, "starts", ParameterKind::Ints},
                 {2, "ends", ParameterKind::Ints},
                 {3, "axes", ParameterKind::Ints},
                 {4, "steps", ParameterKind::Ints})
INLAY_PARAMETERS(SplitOp, {1, "split", ParameterKind::Ints})
INLAY_PARAMETERS(SqueezeOp, {1, "axes", ParameterKind::Ints})
INLAY_PARAMETERS(TileOp, {1, "repeats", ParameterKind::Ints})
INLAY_PARAMETERS(TopKOp, {1, "k", ParameterKind::IntList})
INLAY_PARAMETERS(TriluOp, {1, "k", ParameterKind::Int})
INLAY_PARAMETERS(UnsqueezeOp, {1, "axes", ParameterKind::Ints})

#undef INLAY_PARAMETERS

ArrayRef<Parameter> inlay::getReduceParameters() {
  static constexpr Parameter parameters[] = {{1, "axes", ParameterKind::Ints}};
  return parameters;
}

//===----------------------------------------------------------------------===//
// Between tensors and attributes
//===----------------------------------------------------------------------===//

static bool isOneOf(ElementType type, ArrayRef<ElementType> types) {
  return llvm::is_contained(types, type);
}

Attribute inlay::getParameterAttr(MLIRContext *context, ParameterKind kind,
                                  const HostTensor &tensor) {
  Builder builder(context);
  bool isInt =
      isOneOf(tensor.getType(), {ElementType::Int64, ElementType::Int32});
  bool isFloat = tensor.getType() == ElementType::Float;
  bool isOne = tensor.getNumElements() == 1;
  if (tensor.getNumElements() > maxParameterElements || tensor.getRank() > 1)
    return {};
  switch (kind) {
  case ParameterKind::Ints:
    return isInt ? builder.getDenseI64ArrayAttr(tensor.getInts()) : Attribute();
  case ParameterKind::Floats:
    return isFloat ? builder.getDenseF32ArrayAttr(tensor.getData<float>())
                   : Attribute();
  case ParameterKind::Int:
  case ParameterKind::IntList:
    return isInt && isOne ? builder.getI64IntegerAttr(tensor.getInt(0))
                          : Attribute();
  case ParameterKind::Float:
    return isFloat && isOne
               ? builder.getF32FloatAttr(tensor.getData<float>()[0])
               : Attribute();
  case ParameterKind::Bool:
    return tensor.getType() == ElementType::Bool && isOne
               ? builder.getI64IntegerAttr(tensor.getInt(0))
               : Attribute();
  }
  return {};
}

HostTensor inlay::getParameterTensor(ParameterKind kind, Attribute attribute) {
  if (auto ints = dyn_cast<DenseI64ArrayAttr>(attribute))
    return HostTensor::getInts(ints);
  if (auto floats = dyn_cast<DenseF32ArrayAttr>(attribute))
    return HostTensor::get<float>(ElementType::Float, {floats.size()}, floats);
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return HostTensor::get<float>(ElementType::Float, {},
                                  {float(number.getValueAsDouble())});
  auto integer = dyn_cast<IntegerAttr>(attribute);
  if (!integer)
    return {};
  int64_t value = integer.getInt();
  if (kind == ParameterKind::Bool)
    return HostTensor::get<uint8_t>(ElementType::Bool, {}, {value != 0});
  if (kind == ParameterKind::IntList)
    return HostTensor::getInts({value});
  return HostTensor::get<int64_t>(ElementType::Int64, {}, {value});
}

//===----------------------------------------------------------------------===//
// Absorbing constants
//===----------------------------------------------------------------------===//

/// Where the operand at a place of the definition is among the actual ones, or
/// nothing when it is absent.
static std::optional<unsigned> getPosition(Operation *op, unsigned place) {
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!segments)
    return place < op->getNumOperands() ? std::optional(place) : std::nullopt;
  if (segments[place] == 0)
    return std::nullopt;
  unsigned position = 0;
  for (unsigned i = 0; i < place; ++i)
    position += segments[i];
  return position;
}

static void eraseOperand(Operation *op, unsigned place, unsigned position) {
  op->eraseOperand(position);
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!segments)
    return;
  SmallVector<int32_t> sizes(segments.asArrayRef());
  sizes[place] = 0;
  op->setAttr("operandSegmentSizes",
              DenseI32ArrayAttr::get(op->getContext(), sizes));
}

bool inlay::absorbConstantParameters(Operation *op) {
  auto parameterized = dyn_cast<ParameterOpInterface>(op);
  if (!parameterized)
    return false;
  bool changed = false;
  for (const Parameter &parameter : parameterized.getParameters()) {
    std::optional<unsigned> position = getPosition(op, parameter.operand);
    if (!position)
      continue;
    Attribute value = getConstantValue(op->getOperand(*position));
    if (!value || getByteSize(value) > maxParameterElements * 8)
      continue;
    auto tensor = getHostTensor(value);
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      continue;
    }
    Attribute attribute =
        getParameterAttr(op->getContext(), parameter.kind, *tensor);
    if (!attribute)
      continue;
    op->setAttr(parameter.name, attribute);
    eraseOperand(op, parameter.operand, *position);
    changed = true;
  }
  return changed;
}
