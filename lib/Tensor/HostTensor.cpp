//===- HostTensor.cpp - Tensors in this machine's memory ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <limits>
#include <sys/mman.h>

using namespace inlay;

/// No tensor of a model that fits on a machine is larger; beyond, the shape is
/// a mistake or an attack.
static constexpr int64_t maxTensorBytes = int64_t(1) << 40;
/// Strings are initialised one by one, so that their number is memory at once.
static constexpr int64_t maxStrings = int64_t(1) << 26;

std::optional<int64_t> inlay::getNumElements(llvm::ArrayRef<int64_t> shape) {
  int64_t nonZero = 1;
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return std::nullopt;
    empty |= dim == 0;
    std::optional<int64_t> next =
        llvm::checkedMul(nonZero, std::max<int64_t>(dim, 1));
    if (!next)
      return std::nullopt;
    nonZero = *next;
  }
  return empty ? 0 : nonZero;
}

/// What types say where an extent is not known, in messages "?"; no tensor has
/// it.
static constexpr int64_t unknownExtent = std::numeric_limits<int64_t>::min();

std::string inlay::formatShape(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t dim : shape)
    text += (text.empty() ? "" : "x") +
            (dim == unknownExtent ? "?" : std::to_string(dim));
  return text;
}

/// Asks for large pages where they are whole: in small ones, half of the time
/// that an operator takes to fill a large tensor goes to getting them.
static void useLargePages(char *data, size_t bytes) {
  constexpr size_t pageBytes = size_t(2) << 20;
  uintptr_t address = reinterpret_cast<uintptr_t>(data);
  size_t before = llvm::alignTo(address, pageBytes) - address;
  if (bytes >= before + 2 * pageBytes)
    // A system that has none leaves things as they are.
    (void)madvise(data + before, llvm::alignDown(bytes - before, pageBytes),
                  MADV_HUGEPAGE);
}

llvm::Expected<HostTensor> HostTensor::allocate(ElementType type,
                                                llvm::ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = inlay::getNumElements(shape);
  if (!count)
    return modelError("a tensor needs dimensions whose product fits into 63 "
                      "bits, but its shape is " +
                      formatShape(shape));
  if (type == ElementType::Undefined)
    return modelError("a tensor needs an element type");
  bool isString = type == ElementType::String;
  int64_t limit =
      isString ? maxStrings : maxTensorBytes / getHostByteWidth(type);
  auto tooLarge = [&] {
    return modelError("a tensor of " + getName(type) + " of shape " +
                      formatShape(shape) + " does not fit into memory");
  };
  if (*count > limit)
    return tooLarge();

  HostTensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.count = *count;
  if (isString) {
    tensor.strings = std::make_shared<std::vector<std::string>>(*count);
    return tensor;
  }
  // calloc: the pages of a large tensor of zeros come when they are written.
  size_t bytes = std::max<size_t>(size_t(*count) * getHostByteWidth(type), 1);
  char *data = static_cast<char *>(std::calloc(bytes, 1));
  if (!data)
    return tooLarge();
  useLargePages(data, bytes);
  tensor.data = data;
  tensor.owner =
      std::shared_ptr<const void>(data, [](char *p) { std::free(p); });
  return tensor;
}

HostTensor::HostTensor(ElementType type, llvm::ArrayRef<int64_t> shape) {
  llvm::Expected<HostTensor> tensor = allocate(type, shape);
  if (!tensor)
    llvm::report_fatal_error(tensor.takeError());
  *this = std::move(*tensor);
}

HostTensor HostTensor::view(ElementType type, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<char> bytes,
                            std::shared_ptr<const void> owner) {
  unsigned width = getHostByteWidth(type);
  std::optional<int64_t> count = inlay::getNumElements(shape);
  assert(count && width && size_t(*count) * width == bytes.size() &&
         "the bytes must be those of the shape");
  // A file may place elements anywhere; ours are read through typed pointers.
  unsigned alignment = std::min(width, 8u);
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignment != 0) {
    HostTensor copy(type, shape);
    std::copy(bytes.begin(), bytes.end(), copy.getMutableBytes().begin());
    return copy;
  }
  HostTensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.count = *count;
  tensor.data = bytes.data();
  tensor.owner = std::move(owner);
  return tensor;
}

HostTensor HostTensor::reshaped(llvm::ArrayRef<int64_t> newShape) const {
  assert(inlay::getNumElements(newShape) == count &&
         "element count must match");
  HostTensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

/// Complex numbers count as their real part: the first half of the element.
static double getRealPart(const HostTensor &tensor, int64_t i) {
  const char *data = tensor.getBytes().data();
  if (tensor.getType() == ElementType::Complex64)
    return reinterpret_cast<const float *>(data)[2 * i];
  return reinterpret_cast<const double *>(data)[2 * i];
}

double HostTensor::getDouble(int64_t i) const {
  if (isComplex(type))
    return getRealPart(*this, i);
  return dispatchNumeric(type, [&](auto element) -> double {
    using Element = decltype(element);
    return double(Element::load(getData<typename Element::Storage>()[i]));
  });
}

int64_t HostTensor::getInt(int64_t i) const {
  if (isFloat(type) || isComplex(type))
    return truncateToInt64(getDouble(i));
  return dispatchNumeric(type, [&](auto element) -> int64_t {
    using Element = decltype(element);
    return int64_t(Element::load(getData<typename Element::Storage>()[i]));
  });
}

void HostTensor::setDouble(int64_t i, double value) {
  storeElements(*this, i, llvm::ArrayRef<double>(value));
}

void HostTensor::setInt(int64_t i, int64_t value) {
  storeElements(*this, i, llvm::ArrayRef<int64_t>(value));
}

llvm::SmallVector<int64_t> HostTensor::getInts() const {
  llvm::SmallVector<int64_t> values(count);
  if (isComplex(type))
    for (int64_t i = 0; i < count; ++i)
      values[i] = getInt(i);
  else
    loadElements(*this, 0, llvm::MutableArrayRef<int64_t>(values));
  return values;
}
