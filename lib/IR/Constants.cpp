//===- Constants.cpp - The elements of constants --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Constants.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Packing.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// From attributes to tensors
//===----------------------------------------------------------------------===//

static HostTensor readStrings(DenseStringElementsAttr value) {
  HostTensor tensor(ElementType::String, value.getType().getShape());
  auto out = tensor.getMutableStrings();
  ArrayRef<StringRef> in = value.getRawStringData();
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    out[i] = in[value.isSplat() ? 0 : i].str();
  return tensor;
}

/// Elements that the attribute stores in other bits than a tensor does.
static void readIntegers(DenseElementsAttr value, HostTensor &tensor) {
  bool isSigned = isSignedInteger(tensor.getType());
  int64_t i = 0;
  for (const llvm::APInt &element : value.getValues<llvm::APInt>())
    tensor.setInt(i++, isSigned ? element.getSExtValue()
                                : int64_t(element.getZExtValue()));
}

static llvm::Expected<HostTensor> readDense(DenseElementsAttr value) {
  std::optional<ElementType> type = getOnnxElementType(value.getElementType());
  if (!type)
    return makeError(ExitCode::Internal, "constant of a foreign element type");
  auto tensor = HostTensor::allocate(*type, value.getType().getShape());
  if (!tensor)
    return tensor.takeError();
  if (getBitWidth(*type) < 8 || *type == ElementType::Bool) {
    readIntegers(value, *tensor);
    return tensor;
  }
  ArrayRef<char> raw = value.getRawData();
  MutableArrayRef<char> out = tensor->getMutableBytes();
  for (size_t begin = 0; begin < out.size(); begin += raw.size())
    std::copy(raw.begin(), raw.end(), out.begin() + begin);
  return tensor;
}

llvm::Expected<FileRange> inlay::getFileRange(DataAttr value) {
  auto *dialect = value.getContext()->getLoadedDialect<InlayDialect>();
  auto file = dialect->getDataFiles().lookup(value.getFile().getValue());
  if (!file)
    return file.takeError();
  uint64_t size = (*file)->getSize();
  if (value.getOffset() > size || value.getLength() > size - value.getOffset())
    return modelError("constant lies past the end of '" + (*file)->getPath() +
                      "', which has " + llvm::Twine(size) + " bytes");
  return FileRange{*file, value.getOffset(), value.getLength()};
}

static llvm::Expected<HostTensor> readData(DataAttr value) {
  auto type = cast<ShapedType>(value.getType());
  std::optional<ElementType> element =
      getOnnxElementType(type.getElementType());
  if (!element)
    return makeError(ExitCode::Internal, "constant of a foreign element type");
  auto range = getFileRange(value);
  if (!range)
    return range.takeError();
  return unpackElements(*element, type.getShape(), *range);
}

static llvm::Expected<HostTensor> compute(TypedAttr value) {
  auto elements = readExpression(value);
  if (!elements)
    return elements.takeError();
  auto tensor = HostTensor::allocate(
      (*elements)->getType(), cast<ShapedType>(value.getType()).getShape());
  if (tensor)
    (*elements)->readAll(tensor->getMutableBytes());
  return tensor;
}

llvm::Expected<HostTensor> inlay::getHostTensor(Attribute value) {
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value))
    return readStrings(strings);
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return readDense(dense);
  if (auto data = dyn_cast<DataAttr>(value))
    return readData(data);
  if (isExpression(value))
    return compute(cast<TypedAttr>(value));
  return makeError(ExitCode::Internal, "constant of an unknown kind");
}

Attribute inlay::getConstantValue(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? Attribute(constant.getValue()) : Attribute();
}

//===----------------------------------------------------------------------===//
// From tensors to attributes
//===----------------------------------------------------------------------===//

static DenseElementsAttr getDenseIntegers(RankedTensorType type,
                                          const HostTensor &tensor) {
  unsigned width = type.getElementTypeBitWidth();
  SmallVector<llvm::APInt> elements;
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    elements.emplace_back(width, uint64_t(tensor.getInt(i)) &
                                     llvm::maskTrailingOnes<uint64_t>(width));
  return DenseElementsAttr::get(type, elements);
}

TypedAttr inlay::getConstantAttr(MLIRContext *context,
                                 const HostTensor &tensor) {
  Type element = getMlirElementType(context, tensor.getType());
  auto type = RankedTensorType::get(tensor.getShape(), element);
  if (tensor.getType() == ElementType::String) {
    SmallVector<StringRef> strings(tensor.getStrings().begin(),
                                   tensor.getStrings().end());
    return cast<TypedAttr>(
        Attribute(DenseStringElementsAttr::get(type, strings)));
  }
  bool isBuiltin = isa<FloatType, IntegerType, ComplexType>(element);
  ArrayRef<char> bytes = tensor.getBytes();
  if (isBuiltin && bytes.empty())
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  if (isBuiltin && bytes.size() <= maxInlineBytes) {
    if (getBitWidth(tensor.getType()) < 8 ||
        tensor.getType() == ElementType::Bool)
      return getDenseIntegers(type, tensor);
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  }
  auto *dialect = context->getLoadedDialect<InlayDialect>();
  Blob packed = packElements(tensor);
  std::string name = dialect->getDataFiles().addBuffer(packed.bytes);
  return DataAttr::get(context, StringAttr::get(context, name), 0,
                       packed.bytes.size(), type);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

uint64_t inlay::getByteSize(Attribute value) {
  if (auto data = dyn_cast<DataAttr>(value))
    return data.getLength();
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value)) {
    uint64_t total = 0;
    for (StringRef element : strings.getRawStringData())
      total += element.size();
    return total;
  }
  if (auto typed = dyn_cast<TypedAttr>(value))
    return getByteSize(typed.getType()).value_or(0);
  return 0;
}

std::optional<uint64_t> inlay::getByteSize(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.hasStaticShape())
    return std::nullopt;
  std::optional<ElementType> element =
      getOnnxElementType(ranked.getElementType());
  std::optional<int64_t> count = getNumElements(ranked.getShape());
  if (!element || !count || *count > (int64_t(1) << 56))
    return std::nullopt;
  return getPackedByteSize(*element, *count);
}
