//===- ComputedElements.cpp - Elements computed when asked for ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/ComputedElements.h"
#include "inlay/Tensor/Dispatch.h"

using namespace inlay;

/// What one element takes while it is computed: itself, and as a product, a
/// factor.
static constexpr uint64_t bytesPerElement = 3 * sizeof(double);
/// Elements computed at a time where all are asked for.
static constexpr int64_t pieceLength = 1 << 16;

ComputedElements::ComputedElements(Elements base, std::vector<Elements> factors,
                                   ElementType type)
    : base(std::move(base)), factors(std::move(factors)), type(type),
      count(product(this->base->getShape())) {
  assert((!this->factors.empty() || type == this->base->getType()) &&
         "only products are rounded");
  for ([[maybe_unused]] const Elements &each : this->factors)
    assert(each->getType() == ElementType::Double &&
           product(each->getShape()) == count && "one factor per element");
}

static std::vector<double> readDoubles(const RearrangedElements &elements,
                                       int64_t first, int64_t length) {
  std::vector<double> values(length);
  elements.readRange(first, length,
                     {reinterpret_cast<char *>(values.data()),
                      values.size() * sizeof(double)});
  return values;
}

std::vector<double> ComputedElements::computeExactly(int64_t first,
                                                     int64_t length) const {
  HostTensor tensor(base->getType(), {length});
  base->readRange(first, length, tensor.getMutableBytes());
  std::vector<double> products(length);
  loadElements(tensor, 0, products);
  for (const Elements &each : factors)
    for (auto [value, factor] :
         llvm::zip_equal(products, readDoubles(*each, first, length)))
      if (value != 0) // The zeros of padding have no sign.
        value *= factor;
  return products;
}

HostTensor ComputedElements::computeRange(int64_t first, int64_t length) const {
  HostTensor tensor(type, {length});
  if (factors.empty())
    base->readRange(first, length, tensor.getMutableBytes());
  else
    storeElements(tensor, 0, computeExactly(first, length));
  return tensor;
}

void ComputedElements::readExactly(llvm::MutableArrayRef<double> out) const {
  for (int64_t first = 0; first < count; first += pieceLength)
    llvm::copy(computeExactly(first, std::min(pieceLength, count - first)),
               out.begin() + first);
}

void ComputedElements::readAll(llvm::MutableArrayRef<char> out) const {
  if (factors.empty())
    return base->readAll(out);
  unsigned width = getHostByteWidth(getType());
  for (int64_t first = 0; first < count; first += pieceLength) {
    int64_t length = std::min(pieceLength, count - first);
    HostTensor piece = computeRange(first, length);
    llvm::copy(piece.getBytes(), out.begin() + first * width);
  }
}

llvm::Error ComputedElements::forEachTile(
    uint64_t limit,
    llvm::function_ref<llvm::Error(llvm::ArrayRef<char>)> use) const {
  if (factors.empty())
    return base->forEachTile(limit, use);
  int64_t step = std::max<int64_t>(1, limit / bytesPerElement);
  for (int64_t first = 0; first < count; first += step) {
    HostTensor tile = computeRange(first, std::min(step, count - first));
    if (llvm::Error error = use(tile.getBytes()))
      return error;
  }
  return llvm::Error::success();
}
