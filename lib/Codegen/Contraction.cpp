//===- Contraction.cpp - Sums of products ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "KernelBuilder.h"
#include "Nests.h"
#include "inlay/IR/Windows.h"
#include "mlir/IR/TypeUtilities.h"

using namespace inlay;
using namespace mlir;

bool Contraction::Operand::contains(unsigned dim) const {
  return llvm::any_of(
      index, [&](const Linear &place) { return place.getFactor(dim) != 0; });
}

int64_t Contraction::getCount(ArrayRef<unsigned> dims) const {
  int64_t count = 1;
  for (unsigned dim : dims)
    count *= extents[dim];
  return count;
}

namespace {
/// Adds dimensions one by one.
class ContractionBuilder {
public:
  /// A dimension; one of one element is always at its only place.
  Linear add(int64_t extent) {
    found.extents.push_back(extent);
    return extent == 1 ? Linear() : Linear::variable(found.extents.size() - 1);
  }

  Contraction found;
};
} // namespace

static bool isSingle(Value value) {
  return hasCodeType(value) && getElementTypeOrSelf(value.getType()).isF32();
}

/// An operand of fewer dimensions, or of one element along some, is repeated.
static LoopIndex getRepeated(ArrayRef<Linear> index, ArrayRef<int64_t> shape) {
  LoopIndex own(index.end() - shape.size(), index.end());
  for (auto [place, extent] : llvm::zip_equal(own, shape))
    if (extent == 1)
      place = {};
  return own;
}

static std::optional<Contraction> getContraction(MatMulOp op) {
  ArrayRef<int64_t> shapeA = getExtents(op.getA()),
                    shapeB = getExtents(op.getB());
  if (shapeA.size() < 2 || shapeB.size() < 2)
    return std::nullopt;
  ContractionBuilder builder;
  ArrayRef<int64_t> shape = getExtents(op.getResult());
  SmallVector<Linear> stack;
  for (int64_t extent : shape.drop_back(2))
    stack.push_back(builder.add(extent));
  Linear m = builder.add(shapeA[shapeA.size() - 2]);
  Linear n = builder.add(shapeB.back());
  Linear k = builder.add(shapeA.back());
  auto getIndex = [&](ArrayRef<int64_t> own, const Linear &row,
                      const Linear &column) {
    LoopIndex index = getRepeated(stack, own.drop_back(2));
    index.append({row, column});
    return index;
  };
  builder.found.a = {op.getA(), getIndex(shapeA, m, k)};
  builder.found.b = {op.getB(), getIndex(shapeB, k, n)};
  builder.found.result = {op.getResult(), getIndex(shape, m, n)};
  return builder.found;
}

static std::optional<Contraction> getContraction(GemmOp op) {
  ContractionBuilder builder;
  ArrayRef<int64_t> shape = getExtents(op.getResult());
  bool isTurnedA = op.getTransA() != 0, isTurnedB = op.getTransB() != 0;
  Linear m = builder.add(shape[0]), n = builder.add(shape[1]);
  Linear k = builder.add(getExtents(op.getA())[isTurnedA ? 0 : 1]);
  auto getIndex = [](const Linear &row, const Linear &column, bool isTurned) {
    return isTurned ? LoopIndex{column, row} : LoopIndex{row, column};
  };
  Contraction &found = builder.found;
  found.a = {op.getA(), getIndex(m, k, isTurnedA)};
  found.b = {op.getB(), getIndex(k, n, isTurnedB)};
  found.result = {op.getResult(), {m, n}};
  found.factor = op.getAlpha().convertToFloat();
  if (Value c = op.getC()) {
    if (!isSingle(c))
      return std::nullopt;
    found.added = {c, getRepeated({m, n}, getExtents(c))};
    found.addedFactor = op.getBeta().convertToFloat();
  }
  return found;
}

template <typename OpT>
static std::optional<Contraction> getConvolution(OpT op) {
  ArrayRef<int64_t> x = getExtents(op.getX()), w = getExtents(op.getW());
  auto window = getWindowAttributes(op, w.drop_front(2));
  auto pads = resolvePads(window, x.drop_front(2));
  if (!pads) {
    llvm::consumeError(pads.takeError());
    return std::nullopt;
  }
  ContractionBuilder builder;
  ArrayRef<int64_t> shape = getExtents(op.getResult());
  int64_t numGroups = op.getGroup(), perGroup = w[0] / numGroups;
  Linear n = builder.add(shape[0]), g = builder.add(numGroups),
         o = builder.add(perGroup), channel = g * perGroup + o;
  LoopIndex result = {n, channel};
  for (int64_t extent : shape.drop_front(2))
    result.push_back(builder.add(extent));
  Linear i = builder.add(w[1]);
  LoopIndex data = {n, g * w[1] + i}, weight = {channel, i};
  for (size_t dim = 2; dim < w.size(); ++dim) {
    size_t own = dim - 2;
    Linear k = builder.add(w[dim]);
    int64_t stride = window.strides.empty() ? 1 : window.strides[own];
    int64_t dilation = window.dilations.empty() ? 1 : window.dilations[own];
    data.push_back(result[dim] * stride + k * dilation -
                   Linear::number((*pads)[own]));
    weight.push_back(k);
  }
  Contraction &found = builder.found;
  found.a = {op.getX(), data};
  found.b = {op.getW(), weight};
  found.result = {op.getResult(), result};
  if constexpr (std::is_same_v<OpT, ConvOp>)
    if (Value bias = op.getB()) {
      if (!isSingle(bias))
        return std::nullopt;
      found.added = {bias, {channel}};
    }
  return found;
}

static std::optional<Contraction> getContraction(ConvOp op) {
  return getConvolution(op);
}

/// Zero points are gone where it is of wide integers.
static std::optional<Contraction> getContraction(ConvIntegerOp op) {
  if (op.getXZeroPoint() || op.getWZeroPoint())
    return std::nullopt;
  return getConvolution(op);
}

/// Whether there is code for products of integers.
static bool takesIntegers(Operation *) { return false; }
static bool takesIntegers(MatMulOp) { return true; }
static bool takesIntegers(ConvIntegerOp) { return true; }

/// What products are of: floats of one kind, or integers as wide as the result.
static Type getProductType(Operation *op, bool areIntegersToo) {
  Value result = op->getResult(0);
  if (!hasCodeType(result))
    return {};
  Type element = getElementTypeOrSelf(result.getType());
  bool isTaken = element.isF32() || (element.isInteger(32) && areIntegersToo);
  for (Value factor : op->getOperands().take_front(2))
    isTaken &= hasCodeType(factor) &&
               getElementTypeOrSelf(factor.getType()) == element;
  return isTaken ? getRegisterType(element) : Type();
}

namespace {
template <typename OpT>
struct ContractionNest
    : NestOpInterface::ExternalModel<ContractionNest<OpT>, OpT> {
  std::optional<Contraction> getContraction(Operation *op) const {
    auto own = cast<OpT>(op);
    Type element = getProductType(op, takesIntegers(own));
    if (!element)
      return std::nullopt;
    std::optional<Contraction> found = ::getContraction(own);
    if (found)
      found->element = element;
    return found;
  }
};
} // namespace

void inlay::registerContractionNests(MLIRContext &context) {
  MatMulOp::attachInterface<ContractionNest<MatMulOp>>(context);
  GemmOp::attachInterface<ContractionNest<GemmOp>>(context);
  ConvOp::attachInterface<ContractionNest<ConvOp>>(context);
  ConvIntegerOp::attachInterface<ContractionNest<ConvIntegerOp>>(context);
}

std::optional<Contraction> Contraction::get(Operation *op) {
  auto nest = dyn_cast<NestOpInterface>(op);
  auto found = nest ? nest.getContraction() : std::nullopt;
  if (!found || llvm::is_contained(found->extents, 0))
    return std::nullopt;
  return found;
}

std::optional<Contraction> Contraction::find(const KernelBody &body) {
  std::optional<Contraction> found;
  for (Operation *op : body.ops) {
    std::optional<Contraction> own = get(op);
    if (own && found)
      return std::nullopt;
    if (own)
      found = std::move(own);
  }
  return found;
}
