//===- Dispatch.cpp - Code per element type -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Dispatch.h"
#include <cmath>

using namespace inlay;

llvm::Error inlay::checkNumeric(const HostTensor &tensor,
                                const llvm::Twine &what) {
  if (tensor && isNumeric(tensor.getType()))
    return llvm::Error::success();
  return modelError(what + " must hold numbers, but holds " +
                    getName(tensor.getType()));
}

llvm::Error inlay::checkFloat(const HostTensor &tensor,
                              const llvm::Twine &what) {
  if (tensor && isFloat(tensor.getType()))
    return llvm::Error::success();
  return modelError(what + " must hold floats, but holds " +
                    getName(tensor.getType()));
}

int64_t inlay::truncateToInt64(double value) {
  constexpr double bound = 9223372036854775808.0; // 2^63
  if (value >= bound)
    return INT64_MAX;
  if (value < -bound)
    return INT64_MIN;
  return std::isnan(value) ? 0 : int64_t(value);
}

uint64_t inlay::truncateToUInt64(double value) {
  constexpr double bound = 18446744073709551616.0; // 2^64
  if (value >= bound)
    return UINT64_MAX;
  return value > 0 ? uint64_t(value) : uint64_t(truncateToInt64(value));
}

/// Between computing types and elements of either kind.
template <typename To, typename From> static To convert(From value) {
  if constexpr (std::is_same_v<From, double> && std::is_same_v<To, int64_t>)
    return truncateToInt64(value);
  else if constexpr (std::is_same_v<From, double> &&
                     std::is_same_v<To, uint64_t>)
    return truncateToUInt64(value);
  else
    return To(value);
}

template <typename T>
static void loadAs(const HostTensor &from, int64_t offset,
                   llvm::MutableArrayRef<T> to) {
  dispatchNumeric(from.getType(), [&](auto element) {
    using Element = decltype(element);
    auto *data = from.getData<typename Element::Storage>().data() + offset;
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = convert<T>(Element::load(data[i]));
  });
}

template <typename T>
static void storeAs(HostTensor &to, int64_t offset, llvm::ArrayRef<T> from) {
  dispatchNumeric(to.getType(), [&](auto element) {
    using Element = decltype(element);
    using Storage = typename Element::Storage;
    auto *data = to.getMutable<Storage>().data() + offset;
    for (size_t i = 0; i < from.size(); ++i) {
      // An integer beyond 2^53 would be rounded twice on its way through
      // double; a fraction is a bool all the same.
      if constexpr (std::is_same_v<Storage, float>)
        data[i] = float(from[i]);
      else if constexpr (std::is_same_v<Element, BoolElement>)
        data[i] = from[i] != 0;
      else
        data[i] = Element::store(convert<typename Element::Compute>(from[i]));
    }
  });
}

void inlay::loadElements(const HostTensor &from, int64_t offset,
                         llvm::MutableArrayRef<double> to) {
  loadAs(from, offset, to);
}
void inlay::loadElements(const HostTensor &from, int64_t offset,
                         llvm::MutableArrayRef<int64_t> to) {
  loadAs(from, offset, to);
}
void inlay::loadElements(const HostTensor &from, int64_t offset,
                         llvm::MutableArrayRef<uint64_t> to) {
  loadAs(from, offset, to);
}
void inlay::storeElements(HostTensor &to, int64_t offset,
                          llvm::ArrayRef<double> from) {
  storeAs(to, offset, from);
}
void inlay::storeElements(HostTensor &to, int64_t offset,
                          llvm::ArrayRef<int64_t> from) {
  storeAs(to, offset, from);
}
void inlay::storeElements(HostTensor &to, int64_t offset,
                          llvm::ArrayRef<uint64_t> from) {
  storeAs(to, offset, from);
}

std::vector<double> inlay::toDoubles(const HostTensor &tensor) {
  std::vector<double> values(tensor.getNumElements());
  loadElements(tensor, 0, llvm::MutableArrayRef<double>(values));
  return values;
}
