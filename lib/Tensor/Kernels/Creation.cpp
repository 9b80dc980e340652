//===- Creation.cpp - Reference operators that make tensors ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Creation.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Strides.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Expected<HostTensor> kernels::eyeLike(ArrayRef<int64_t> shape, ElementType type,
                                      int64_t k) {
  if (shape.size() != 2)
    return modelError("an identity needs rank 2, found " + formatShape(shape));
  if (!isNumeric(type))
    return modelError("an identity needs numbers, found " + getName(type));
  Expected<HostTensor> result = HostTensor::allocate(type, shape);
  if (!result || result->getNumElements() == 0)
    return result;
  k = std::clamp(k, -shape[0], shape[1]);
  for (int64_t row = std::max<int64_t>(0, -k);
       row < shape[0] && row + k < shape[1]; ++row)
    result->setInt(row * shape[1] + row + k, 1);
  return result;
}

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

static Expected<HostTensor> rangeOfFloats(ElementType type, double start,
                                          double limit, double delta) {
  double count = std::ceil((limit - start) / delta);
  if (std::isnan(count) || count >= 0x1p62)
    return modelError(llvm::formatv(
        "range from {0} to {1} by {2} has no length", start, limit, delta));
  Expected<HostTensor> result =
      HostTensor::allocate(type, count > 0 ? int64_t(count) : 0);
  if (!result)
    return result;
  for (int64_t i = 0; i < result->getNumElements(); ++i)
    result->setDouble(i, start + double(i) * delta);
  return result;
}

static Expected<HostTensor> rangeOfIntegers(ElementType type, int64_t start,
                                            int64_t limit, int64_t delta) {
  // Differences of 64-bit numbers need 65 bits.
  using Wide = __int128;
  Wide span = delta > 0 ? Wide(limit) - start : Wide(start) - limit;
  Wide step = delta > 0 ? Wide(delta) : -Wide(delta);
  Wide count = span > 0 ? (span + step - 1) / step : 0;
  if (count > std::numeric_limits<int64_t>::max())
    return modelError("length of a range overflows");
  Expected<HostTensor> result = HostTensor::allocate(type, int64_t(count));
  if (!result)
    return result;
  for (int64_t i = 0; i < result->getNumElements(); ++i)
    result->setInt(i, int64_t(start + i * Wide(delta)));
  return result;
}

Expected<HostTensor> kernels::range(const HostTensor &start,
                                    const HostTensor &limit,
                                    const HostTensor &delta) {
  ElementType type = start.getType();
  for (const HostTensor *x : {&start, &limit, &delta})
    if (x->getType() != type || x->getNumElements() != 1 ||
        !(isFloat(type) || isInteger(type)))
      return modelError("range needs three numbers of one type, found " +
                        getName(x->getType()) + " of shape " +
                        formatShape(x->getShape()));
  if (delta.getDouble(0) == 0)
    return modelError("delta of a range must not be 0");
  if (isFloat(type))
    return rangeOfFloats(type, start.getDouble(0), limit.getDouble(0),
                         delta.getDouble(0));
  return rangeOfIntegers(type, start.getInt(0), limit.getInt(0),
                         delta.getInt(0));
}

//===----------------------------------------------------------------------===//
// ConstantOfShape, NonZero, OneHot
//===----------------------------------------------------------------------===//

Expected<HostTensor> kernels::constantOfShape(ArrayRef<int64_t> shape,
                                              const HostTensor &value) {
  if (value.getNumElements() != 1)
    return modelError("value of constantOfShape must have one element, found " +
                      formatShape(value.getShape()));
  Expected<HostTensor> result = HostTensor::allocate(value.getType(), shape);
  if (result)
    fillWith(*result, value, 0);
  return result;
}

/// Where the elements are that are not zero.
static std::vector<int64_t> findNonZero(const HostTensor &x) {
  std::vector<int64_t> offsets;
  dispatchNumeric(x.getType(), [&](auto element) {
    using Element = decltype(element);
    auto data = x.getData<typename Element::Storage>();
    for (int64_t i = 0; i < x.getNumElements(); ++i)
      if (Element::load(data[i]) != 0)
        offsets.push_back(i);
  });
  return offsets;
}

Expected<HostTensor> kernels::nonZero(const HostTensor &x) {
  if (Error error = checkNumeric(x, "input of NonZero"))
    return std::move(error);
  std::vector<int64_t> offsets = findNonZero(x);
  // A scalar counts as a vector of one element.
  HostTensor::Shape shape(x.getShape());
  if (shape.empty())
    shape.push_back(1);
  int64_t count = offsets.size(), rank = shape.size();
  Expected<HostTensor> result =
      HostTensor::allocate(ElementType::Int64, {rank, count});
  if (!result)
    return result;
  Strides strides = getRowMajorStrides(shape);
  llvm::MutableArrayRef<int64_t> out = result->getMutable<int64_t>();
  for (int64_t axis = 0; axis < rank; ++axis)
    for (int64_t i = 0; i < count; ++i)
      out[axis * count + i] = offsets[i] / strides[axis] % shape[axis];
  return result;
}

Expected<HostTensor> kernels::oneHot(const HostTensor &indices, int64_t depth,
                                     const HostTensor &values, int64_t axis) {
  if (Error error = checkNumeric(indices, "indices of OneHot"))
    return std::move(error);
  if (Error error = checkAxis(axis, indices.getRank() + 1))
    return std::move(error);
  if (values.getNumElements() != 2)
    return modelError("values of OneHot must have two elements, found " +
                      formatShape(values.getShape()));
  if (depth <= 0)
    return modelError("depth of OneHot must be positive, found " +
                      Twine(depth));
  HostTensor::Shape shape(indices.getShape());
  shape.insert(shape.begin() + axis, depth);
  Expected<HostTensor> result = HostTensor::allocate(values.getType(), shape);
  if (!result || result->getNumElements() == 0)
    return result;
  fillWith(*result, values, 0);
  AxisSplit split = splitAtAxis(shape, axis);
  withElements(values, *result, [&](const auto *from, auto *to) {
    for (int64_t i = 0; i < indices.getNumElements(); ++i) {
      int64_t index = indices.getInt(i);
      if (index < -depth || index >= depth)
        continue;
      index += index < 0 ? depth : 0;
      int64_t row = i / split.inner * depth + index;
      to[row * split.inner + i % split.inner] = from[1];
    }
  });
  return result;
}
