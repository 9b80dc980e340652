//===- RandomInputs.cpp - Seeded inputs for a graph -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/RandomInputs.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/Graph.h"
#include "inlay/Support/Error.h"
#include <algorithm>
#include <cmath>

using namespace inlay;
using namespace mlir;

/// Names that strings are drawn from.
static constexpr int64_t numStrings = 8;
/// How many of the elements of a mask count.
static constexpr double countingShare = 0.75;

//===----------------------------------------------------------------------===//
// The stream
//===----------------------------------------------------------------------===//

RandomStream::RandomStream(uint64_t seed, StringRef name) {
  // FNV-1a over the name, begun with the seed.
  state = 2166136261u ^ uint32_t(seed) ^ uint32_t(seed >> 32);
  for (unsigned char c : name)
    state = (state ^ c) * 16777619u;
}

double RandomStream::next() {
  // A counter mixed by multiplication and shifts: near seeds give unrelated
  // streams.
  state += 0x9e3779b9u;
  uint32_t mixed = state;
  mixed = (mixed ^ mixed >> 16) * 0x21f0aaadu;
  mixed = (mixed ^ mixed >> 15) * 0x735a2d97u;
  return double(mixed ^ mixed >> 15) / 4294967296.0;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The range as far as the type has it.
static DrawRange clampToType(DrawRange range, ElementType type) {
  // Halves of 64 bits keep sums of two from overflowing.
  int bits = int(std::min(getBitWidth(type), 63u));
  double most = std::ldexp(1.0, bits - 1) - 1;
  double least = isUnsignedInteger(type) ? 0 : -most - 1;
  return {std::clamp(range.low, least, most),
          std::clamp(range.high, least, most)};
}

static void fillWhole(HostTensor &tensor, DrawRange range,
                      RandomStream &stream) {
  bool isInt = isInteger(tensor.getType());
  if (isInt)
    range = clampToType(range, tensor.getType());
  double count = range.high - range.low + 1;
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i) {
    int64_t value = int64_t(range.low) + int64_t(stream.next() * count);
    if (isInt)
      tensor.setInt(i, value);
    else
      tensor.setDouble(i, double(value));
  }
}

static void setWhole(HostTensor &tensor, int64_t i, int64_t value) {
  if (isFloat(tensor.getType()))
    tensor.setDouble(i, double(value));
  else
    tensor.setInt(i, value);
}

/// Zeros and ones; a row of which nothing counts would be NaN after a softmax.
static void fillMask(HostTensor &tensor, MaskKind mask, RandomStream &stream) {
  int64_t row = tensor.getRank() > 0 ? tensor.getShape().back() : 1;
  bool counting = mask != MaskKind::ZeroCounts;
  bool isEither = mask == MaskKind::Either;
  double share = isEither ? 0.5 : countingShare;
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i) {
    bool isFirst = !isEither && i % row == 0;
    bool counts = stream.next() < share || isFirst;
    setWhole(tensor, i, counts == counting);
  }
}

static void fillFloats(HostTensor &tensor, DrawRange range,
                       RandomStream &stream) {
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    tensor.setDouble(i, stream.next() * (range.high - range.low) + range.low);
}

static void fillStrings(HostTensor &tensor, RandomStream &stream) {
  for (std::string &text : tensor.getMutableStrings())
    text = "s" + std::to_string(int64_t(stream.next() * double(numStrings)));
}

static void fillComplex(HostTensor &tensor, RandomStream &stream) {
  bool isSingle = tensor.getType() == ElementType::Complex64;
  MutableArrayRef<char> bytes = tensor.getMutableBytes();
  for (int64_t i = 0, e = tensor.getNumElements() * 2; i != e; ++i) {
    double value = stream.next() * 2 - 1;
    if (isSingle)
      reinterpret_cast<float *>(bytes.data())[i] = float(value);
    else
      reinterpret_cast<double *>(bytes.data())[i] = value;
  }
}

/// Whether zeros and ones suit better than a range: not where the range is one
/// of positions.
static bool isMask(const ValueDemand &demand) {
  bool isIndex = demand.isBounded() && demand.high - demand.low > 1;
  return demand.mask != MaskKind::None && demand.covers(0, 1) && !isIndex;
}

static void fillNumbers(HostTensor &tensor, const ValueDemand &demand,
                        RandomStream &stream) {
  ElementType type = tensor.getType();
  if (int64_t(demand.exact.size()) == tensor.getNumElements() &&
      type != ElementType::Bool && !demand.exact.empty())
    for (auto [i, value] : llvm::enumerate(demand.exact))
      setWhole(tensor, i, value);
  else if (type == ElementType::Bool)
    fillMask(tensor,
             demand.mask == MaskKind::None ? MaskKind::Either : demand.mask,
             stream);
  else if (isMask(demand))
    fillMask(tensor, demand.mask, stream);
  else if (isInteger(type) || demand.isWhole)
    fillWhole(tensor, chooseRange(demand, /*isWhole=*/true), stream);
  else
    fillFloats(tensor, chooseRange(demand, /*isWhole=*/false), stream);
}

llvm::Expected<HostTensor> inlay::getRandomTensor(ElementType type,
                                                  ArrayRef<int64_t> shape,
                                                  const ValueDemand &demand,
                                                  RandomStream &stream) {
  auto tensor = HostTensor::allocate(type, shape);
  if (!tensor)
    return tensor.takeError();
  if (isComplex(type))
    fillComplex(*tensor, stream);
  else if (type == ElementType::String)
    fillStrings(*tensor, stream);
  else
    fillNumbers(*tensor, demand, stream);
  return tensor;
}

static SmallVector<int64_t> chooseShape(ArrayRef<int64_t> declared,
                                        const RandomOptions &options) {
  SmallVector<int64_t> shape(declared);
  bool hasFallback = options.fallback.size() == shape.size();
  for (auto [i, extent] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(extent) && hasFallback)
      extent = options.fallback[i];
    if (ShapedType::isDynamic(extent))
      extent = options.defaultExtent;
  }
  return shape;
}

static llvm::Error makeInputError(StringRef name, StringRef problem) {
  return usageError("input '" + name + "' has no " + problem +
                    ", so that no random value can be made for it: give one");
}

llvm::Expected<HostTensor> inlay::getRandomInput(func::FuncOp graph,
                                                 unsigned index,
                                                 const RandomOptions &options) {
  BlockArgument input = graph.getArgument(index);
  StringRef name = getInputName(graph, index);
  auto type = dyn_cast<TensorType>(input.getType());
  std::optional<ElementType> element;
  if (type)
    element = getOnnxElementType(type.getElementType());
  if (!element)
    return makeInputError(name, "tensor type");
  if (!type.hasRank())
    return makeInputError(name, "rank");
  SmallVector<int64_t> shape = chooseShape(type.getShape(), options);
  RandomStream stream(options.seed, name);
  auto tensor = getRandomTensor(*element, shape, options.demand, stream);
  if (!tensor)
    return addContext("input '" + name + "': ", tensor.takeError());
  return tensor;
}
