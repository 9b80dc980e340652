//===- Evaluation.cpp - Evaluating an operator on host tensors ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Evaluation.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/TypeInference.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace inlay;
using namespace mlir;

Evaluation::Evaluation(Operation *op, ArrayRef<HostTensor> operands,
                       RegionRunner regionRunner)
    : op(op), operands(operands), results(op->getNumResults()),
      regionRunner(regionRunner) {
  assert(operands.size() == op->getNumOperands());
}

const HostTensor *Evaluation::lookup(Value operand) const {
  if (!operand)
    return nullptr;
  for (OpOperand &use : op->getOpOperands())
    if (use.get() == operand)
      return &operands[use.getOperandNumber()];
  return nullptr;
}

const HostTensor &Evaluation::operator[](Value operand) const {
  const HostTensor *tensor = lookup(operand);
  assert(tensor && "not an operand");
  return *tensor;
}

SmallVector<HostTensor> Evaluation::getAll(ValueRange values) const {
  SmallVector<HostTensor> tensors;
  for (Value value : values)
    tensors.push_back((*this)[value]);
  return tensors;
}

std::optional<SmallVector<int64_t>>
Evaluation::getInts(std::optional<ArrayRef<int64_t>> attribute,
                    Value operand) const {
  if (attribute)
    return SmallVector<int64_t>(*attribute);
  if (const HostTensor *tensor = lookup(operand))
    return tensor->getInts();
  return std::nullopt;
}

std::optional<SmallVector<double>>
Evaluation::getDoubles(std::optional<ArrayRef<float>> attribute,
                       Value operand) const {
  if (attribute)
    return SmallVector<double>(attribute->begin(), attribute->end());
  const HostTensor *tensor = lookup(operand);
  if (!tensor)
    return std::nullopt;
  SmallVector<double> values;
  for (int64_t i = 0, e = tensor->getNumElements(); i != e; ++i)
    values.push_back(tensor->getDouble(i));
  return values;
}

llvm::Expected<int64_t> Evaluation::getAxis(int64_t axis, int64_t rank) {
  if (std::optional<int64_t> normal = normalizeAxis(axis, rank))
    return *normal;
  return modelError("axis " + llvm::Twine(axis) + " is out of range for rank " +
                    llvm::Twine(rank));
}

llvm::Expected<SmallVector<int64_t>> Evaluation::getAxes(ArrayRef<int64_t> axes,
                                                         int64_t rank) {
  SmallVector<int64_t> normal;
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : axes) {
    auto one = getAxis(axis, rank);
    if (!one)
      return one.takeError();
    if (seen.test(*one))
      return modelError("axis " + llvm::Twine(axis) + " is given twice");
    seen.set(*one);
    normal.push_back(*one);
  }
  return normal;
}

llvm::Error Evaluation::set(Value result, llvm::Expected<HostTensor> tensor) {
  if (!tensor)
    return tensor.takeError();
  assert(result.getDefiningOp() == op && "not a result");
  results[cast<OpResult>(result).getResultNumber()] = std::move(*tensor);
  return llvm::Error::success();
}

llvm::Error Evaluation::runRegion(Region &region,
                                  ArrayRef<HostTensor> arguments,
                                  SmallVectorImpl<HostTensor> &results) {
  if (!regionRunner)
    return unsupportedError("subgraphs are not evaluated here");
  return regionRunner(region, arguments, results);
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static std::optional<ElementType> getFloatElementType(FloatType type) {
  if (type.isF32())
    return ElementType::Float;
  if (type.isF64())
    return ElementType::Double;
  if (type.isF16())
    return ElementType::Float16;
  if (type.isBF16())
    return ElementType::BFloat16;
  if (type.isFloat8E4M3FN())
    return ElementType::Float8E4M3FN;
  if (type.isFloat8E4M3FNUZ())
    return ElementType::Float8E4M3FNUZ;
  if (type.isFloat8E5M2())
    return ElementType::Float8E5M2;
  if (type.isFloat8E5M2FNUZ())
    return ElementType::Float8E5M2FNUZ;
  return std::nullopt;
}

static std::optional<ElementType> getIntegerElementType(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return ElementType::Bool;
  case 2:
    return isUnsigned ? ElementType::UInt2 : ElementType::Int2;
  case 4:
    return isUnsigned ? ElementType::UInt4 : ElementType::Int4;
  case 8:
    return isUnsigned ? ElementType::UInt8 : ElementType::Int8;
  case 16:
    return isUnsigned ? ElementType::UInt16 : ElementType::Int16;
  case 32:
    return isUnsigned ? ElementType::UInt32 : ElementType::Int32;
  case 64:
    return isUnsigned ? ElementType::UInt64 : ElementType::Int64;
  default:
    return std::nullopt;
  }
}

std::optional<ElementType> inlay::getOnnxElementType(Type element) {
  if (auto type = dyn_cast_if_present<FloatType>(element))
    return getFloatElementType(type);
  if (auto type = dyn_cast_if_present<IntegerType>(element))
    return getIntegerElementType(type);
  if (isa_and_present<StringType>(element))
    return ElementType::String;
  if (auto type = dyn_cast_if_present<CarriedType>(element))
    return parseElementType(type.getName());
  auto complex = dyn_cast_if_present<ComplexType>(element);
  if (complex && complex.getElementType().isF32())
    return ElementType::Complex64;
  if (complex && complex.getElementType().isF64())
    return ElementType::Complex128;
  return std::nullopt;
}

Type inlay::getMlirElementType(MLIRContext *context, ElementType type) {
  Builder builder(context);
  if (isUnsignedInteger(type))
    return builder.getIntegerType(getBitWidth(type), /*isSigned=*/false);
  if (isSignedInteger(type))
    return builder.getIntegerType(getBitWidth(type));
  switch (type) {
  case ElementType::Bool:
    return builder.getI1Type();
  case ElementType::Float:
    return builder.getF32Type();
  case ElementType::Double:
    return builder.getF64Type();
  case ElementType::Float16:
    return builder.getF16Type();
  case ElementType::BFloat16:
    return builder.getBF16Type();
  case ElementType::Float8E4M3FN:
    return builder.getFloat8E4M3FNType();
  case ElementType::Float8E4M3FNUZ:
    return builder.getFloat8E4M3FNUZType();
  case ElementType::Float8E5M2:
    return builder.getFloat8E5M2Type();
  case ElementType::Float8E5M2FNUZ:
    return builder.getFloat8E5M2FNUZType();
  case ElementType::Complex64:
    return ComplexType::get(builder.getF32Type());
  case ElementType::Complex128:
    return ComplexType::get(builder.getF64Type());
  case ElementType::String:
    return StringType::get(context);
  default:
    return CarriedType::get(context, getName(type));
  }
}
