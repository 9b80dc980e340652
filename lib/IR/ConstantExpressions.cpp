//===- ConstantExpressions.cpp - Constants computed when used -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/StoredConstants.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Broadcast.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Packing.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

bool inlay::isExpression(Attribute value) {
  return isa<StoredAttr, ScaledAttr>(value);
}

/// What an expression is over; null for other constants.
static TypedAttr getBase(Attribute value) {
  if (auto stored = dyn_cast<StoredAttr>(value))
    return stored.getBase();
  if (auto scaled = dyn_cast<ScaledAttr>(value))
    return scaled.getBase();
  return {};
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

template <typename T> static std::string describe(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

llvm::Error inlay::checkExpressionType(Type type, StringRef what) {
  // Anything that can be counted, of elements that ONNX has.
  if (!getByteSize(type))
    return modelError(what + " must be a tensor of static shape, found " +
                      describe(type));
  if (isa<StringType>(cast<RankedTensorType>(type).getElementType()))
    return modelError("strings cannot be stored in another order");
  return llvm::Error::success();
}

static unsigned getDepth(Attribute value) {
  unsigned depth = 0;
  for (TypedAttr base; (base = getBase(value)); value = base)
    ++depth;
  return depth;
}

llvm::Error inlay::checkExpressionBase(TypedAttr base) {
  Attribute value = base;
  if (!isa<DataAttr, DenseElementsAttr>(value) && !isExpression(value))
    return modelError("base must be a constant, found " + describe(value));
  if (llvm::Error error = checkExpressionType(base.getType(), "base"))
    return error;
  uint64_t needed = *getByteSize(base.getType());
  if (auto data = dyn_cast<DataAttr>(value); data && data.getLength() != needed)
    return modelError("base refers to " + llvm::Twine(data.getLength()) +
                      " bytes, its type needs " + llvm::Twine(needed));
  if (getDepth(value) >= maxExpressionDepth)
    return modelError("at most " + llvm::Twine(maxExpressionDepth) +
                      " expressions can lie in each other");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The bytes of a constant that is no expression.
static llvm::Expected<FileRange> readRange(Attribute value) {
  if (auto data = dyn_cast<DataAttr>(value))
    return getFileRange(data);
  auto tensor = getHostTensor(value);
  if (!tensor)
    return tensor.takeError();
  Blob packed = packElements(*tensor);
  return FileRange{MappedFile::fromMemory(packed.bytes, "constant"), 0,
                   packed.bytes.size()};
}

static ArrayRef<int64_t> getShapeOf(TypedAttr value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Type getElementOf(TypedAttr value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// A tensor of `shape`, of which one of shape `from` is stretched to.
static Rearrangement getStretch(ArrayRef<int64_t> from,
                                ArrayRef<int64_t> shape) {
  Rearrangement map;
  llvm::append_range(map.shape, shape);
  llvm::append_range(map.strides, getBroadcastStrides(from, shape));
  return map;
}

static llvm::Expected<ComputedElements::Elements>
readElements(TypedAttr value, ArrayRef<Rearrangement> maps) {
  auto range = readRange(value);
  if (!range)
    return range.takeError();
  auto type = cast<RankedTensorType>(value.getType());
  return std::make_unique<RearrangedElements>(
      *getOnnxElementType(type.getElementType()), std::move(*range), maps);
}

/// From outside to inside: every storage order on the way to an element is also
/// on the way to the factors further inside.
llvm::Expected<std::unique_ptr<ComputedElements>>
inlay::readExpression(Attribute value) {
  Type element = getElementOf(cast<TypedAttr>(value));
  SmallVector<Rearrangement, 1> maps;
  std::vector<ComputedElements::Elements> factors;
  for (TypedAttr base; (base = getBase(value)); value = base) {
    if (auto stored = dyn_cast<StoredAttr>(value)) {
      maps.push_back(
          getRearrangement(stored.getLayout().getLayout(), getShapeOf(base)));
      continue;
    }
    TypedAttr scale = cast<ScaledAttr>(value).getFactors();
    SmallVector<Rearrangement, 1> path(maps);
    path.push_back(getStretch(getShapeOf(scale), getShapeOf(base)));
    auto elements = readElements(scale, path);
    if (!elements)
      return elements.takeError();
    factors.push_back(std::move(*elements));
  }
  auto constant = cast<TypedAttr>(value);
  if (maps.empty())
    maps.push_back(getStretch(getShapeOf(constant), getShapeOf(constant)));
  auto elements = readElements(constant, maps);
  if (!elements)
    return elements.takeError();
  return std::make_unique<ComputedElements>(
      std::move(*elements), std::move(factors), *getOnnxElementType(element));
}

llvm::Expected<HostTensor> inlay::getExactTensor(Attribute value) {
  if (isExpression(value) &&
      isa<FloatType>(getElementOf(cast<TypedAttr>(value)))) {
    auto elements = readExpression(value);
    if (!elements)
      return elements.takeError();
    auto tensor = HostTensor::allocate(ElementType::Double,
                                       getShapeOf(cast<TypedAttr>(value)));
    if (tensor)
      (*elements)->readExactly(tensor->getMutable<double>());
    return tensor;
  }
  auto tensor = getHostTensor(value);
  if (!tensor || !isFloat(tensor->getType()) ||
      tensor->getType() == ElementType::Double)
    return tensor;
  auto exact = HostTensor::allocate(ElementType::Double, tensor->getShape());
  if (exact)
    loadElements(*tensor, 0, exact->getMutable<double>());
  return exact;
}

//===----------------------------------------------------------------------===//
// Other forms
//===----------------------------------------------------------------------===//

TypedAttr inlay::getView(Attribute value, RankedTensorType type) {
  MLIRContext *context = type.getContext();
  if (auto data = dyn_cast<DataAttr>(value))
    return DataAttr::get(context, data.getFile(), data.getOffset(),
                         data.getLength(), type);
  if (auto stored = dyn_cast<StoredAttr>(value))
    return StoredAttr::get(context, stored.getBase(), stored.getLayout(), type);
  if (auto scaled = dyn_cast<ScaledAttr>(value))
    return ScaledAttr::get(context, scaled.getBase(), scaled.getFactors(),
                           type);
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value))
    return cast<TypedAttr>(Attribute(
        DenseStringElementsAttr::get(type, strings.getRawStringData())));
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense ? dense.reshape(type) : TypedAttr();
}

/// Whether the type of `tensor`, floats, holds the numbers of `exact`.
static bool holdsAll(const HostTensor &tensor, const HostTensor &exact) {
  for (int64_t i = 0, e = exact.getNumElements(); i != e; ++i)
    if (double number = exact.getDouble(i);
        tensor.getDouble(i) != number && !std::isnan(number))
      return false;
  return true;
}

/// Whether the value of an expression is the same when it is rounded.
static bool isRepresented(TypedAttr value, const HostTensor &tensor) {
  if (!isFloat(tensor.getType()))
    return true;
  auto exact = getExactTensor(value);
  if (exact)
    return holdsAll(tensor, *exact);
  llvm::consumeError(exact.takeError());
  return false;
}

TypedAttr inlay::evaluateSmall(TypedAttr value) {
  if (!isExpression(value) || getByteSize(Attribute(value)) > maxInlineBytes)
    return value;
  auto tensor = getHostTensor(value);
  if (tensor)
    return isRepresented(value, *tensor)
               ? getConstantAttr(value.getContext(), *tensor)
               : value;
  llvm::consumeError(tensor.takeError());
  return value;
}
