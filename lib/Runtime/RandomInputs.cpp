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
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"

using namespace inlay;
using namespace mlir;

/// Integers are below this unless they index something smaller.
static constexpr int64_t defaultBound = 8;

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

/// Integers that fit into the type and stay below `bound`.
static int64_t nextInteger(ElementType type, int64_t bound,
                           RandomStream &stream) {
  unsigned bits = std::min(getBitWidth(type) - 1, 62u);
  return int64_t(stream.next() * double(std::min(bound, int64_t(1) << bits)));
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

llvm::Expected<HostTensor> inlay::getRandomTensor(ElementType type,
                                                  ArrayRef<int64_t> shape,
                                                  int64_t bound,
                                                  RandomStream &stream) {
  auto tensor = HostTensor::allocate(type, shape);
  if (!tensor)
    return tensor.takeError();
  if (isComplex(type)) {
    fillComplex(*tensor, stream);
    return tensor;
  }
  for (int64_t i = 0, e = tensor->getNumElements(); i != e; ++i) {
    if (type == ElementType::String)
      tensor->getMutableStrings()[i] =
          "s" + std::to_string(int64_t(stream.next() * double(bound)));
    else if (type == ElementType::Bool)
      tensor->setInt(i, stream.next() < 0.5);
    else if (isInteger(type))
      tensor->setInt(i, nextInteger(type, bound, stream));
    else
      tensor->setDouble(i, stream.next() * 2 - 1);
  }
  return tensor;
}

/// The smallest extent of a table that the input indexes directly.
static int64_t findIndexBound(BlockArgument input) {
  int64_t bound = defaultBound;
  for (Operation *user : input.getUsers()) {
    auto gather = dyn_cast<GatherOp>(user);
    if (!gather || gather.getIndices() != input)
      continue;
    auto table = dyn_cast<RankedTensorType>(gather.getData().getType());
    if (!table)
      continue;
    std::optional<int64_t> axis =
        normalizeAxis(gather.getAxis(), table.getRank());
    if (axis && !table.isDynamicDim(*axis) && table.getDimSize(*axis) > 0)
      bound = std::min(bound, table.getDimSize(*axis));
  }
  return bound;
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
  auto tensor = getRandomTensor(*element, shape, findIndexBound(input), stream);
  if (!tensor)
    return addContext("input '" + name + "': ", tensor.takeError());
  return tensor;
}
