//===- AxisMapChecker.cpp - Axis maps against what is computed ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisMapChecker.h"
#include "ParsedOperation.h"
#include <random>

using namespace inlay;
using namespace mlir;
using inlay::testing::ParsedOperation;
using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

namespace {

/// Evaluates an operation and compares what two sets of operands give.
class Prober {
public:
  Prober(Operation *op, const AxisMap &map)
      : op(op), map(map), generator(op->getNumOperands()) {}

  AssertionResult run();

private:
  HostTensor draw(Value operand);
  /// The results, or nothing when the operation refuses the operands.
  std::optional<SmallVector<HostTensor>> evaluate();
  AssertionResult probe(unsigned operand, int64_t element);
  AssertionResult compare(unsigned operand, int64_t element, unsigned result,
                          const HostTensor &changed);

  Operation *op;
  const AxisMap &map;
  std::mt19937 generator;
  SmallVector<HostTensor> operands, results;
};

} // namespace

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Whether the axes of every dimension multiply to its extent. Positions along
/// the other kinds correspond without the extents being equal.
static AssertionResult checkExtents(const AxisMap &map, Value value,
                                    const TensorAxes &dims) {
  SmallVector<int64_t> shape = *getShape(value);
  if (shape.size() != dims.size())
    return AssertionFailure() << "a tensor of rank " << shape.size() << " has "
                              << dims.size() << " dimensions in the map";
  for (auto [extent, axes] : llvm::zip_equal(shape, dims)) {
    int64_t product = 1;
    bool isExact = true;
    for (unsigned axis : axes) {
      product *= map.getAxes()[axis].extent;
      isExact &= map.getAxes()[axis].kind == AxisKind::Parallel;
    }
    if (isExact && product != extent)
      return AssertionFailure() << "axes of extent " << product
                                << " make a dimension of " << extent;
  }
  return AssertionSuccess();
}

static bool uses(ArrayRef<std::optional<TensorAxes>> tensors, unsigned axis) {
  return llvm::any_of(tensors, [&](const std::optional<TensorAxes> &dims) {
    return dims && llvm::any_of(*dims, [&](const DimAxes &axes) {
             return llvm::is_contained(axes, axis);
           });
  });
}

static AssertionResult checkKinds(const AxisMap &map) {
  for (auto [i, axis] : llvm::enumerate(map.getAxes())) {
    bool inOperand = uses(map.getOperands(), i);
    bool inResult = uses(map.getResults(), i);
    bool inOperandOnly =
        axis.kind == AxisKind::Reduced || axis.kind == AxisKind::Contracted;
    if (inOperandOnly && (inResult || !inOperand))
      return AssertionFailure() << "reduced axis " << i << " is in a result";
    if (axis.kind == AxisKind::Created && (inOperand || !inResult))
      return AssertionFailure() << "created axis " << i << " is in an operand";
  }
  return AssertionSuccess();
}

static AssertionResult checkStructure(Operation *op, const AxisMap &map) {
  if (map.isOpaque() || !map.isValid())
    return AssertionFailure() << "the map is opaque or not valid";
  for (auto [value, dims] :
       llvm::zip_equal(op->getOperands(), map.getOperands()))
    if (AssertionResult result =
            dims ? checkExtents(map, value, *dims) : AssertionSuccess();
        !result)
      return result;
  for (auto [value, dims] : llvm::zip_equal(op->getResults(), map.getResults()))
    if (AssertionResult result =
            dims ? checkExtents(map, value, *dims) : AssertionSuccess();
        !result)
      return result;
  return checkKinds(map);
}

//===----------------------------------------------------------------------===//
// Probing
//===----------------------------------------------------------------------===//

HostTensor Prober::draw(Value operand) {
  ElementType type = *getOnnxElementType(getElementType(operand));
  HostTensor tensor(type, *getShape(operand));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (isFloat(type))
      tensor.setDouble(i, 0.25 + double(generator() % 1000) / 500);
    else
      tensor.setInt(i, generator() % 2);
  return tensor;
}

std::optional<SmallVector<HostTensor>> Prober::evaluate() {
  Evaluation evaluation(op, operands);
  if (llvm::Error error = cast<EvaluateOpInterface>(op).evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return SmallVector<HostTensor>(evaluation.getResults());
}

AssertionResult Prober::run() {
  for (Value operand : op->getOperands())
    operands.push_back(draw(operand));
  std::optional<SmallVector<HostTensor>> computed = evaluate();
  if (!computed)
    return AssertionFailure() << "the operation cannot be evaluated";
  results = *computed;
  for (unsigned i = 0; i < operands.size(); ++i)
    for (int64_t element = 0; element < operands[i].getNumElements(); ++element)
      if (AssertionResult result = probe(i, element); !result)
        return result;
  return AssertionSuccess();
}

/// A tensor that differs in one element. Every third change is large, so that
/// what depends on extreme elements shows.
static HostTensor changeElement(const HostTensor &tensor, int64_t element) {
  HostTensor changed(tensor.getType(), tensor.getShape());
  llvm::copy(tensor.getBytes(), changed.getMutableBytes().begin());
  if (isFloat(tensor.getType()))
    changed.setDouble(element, tensor.getDouble(element) +
                                   (element % 3 == 0 ? 5 : 0.375));
  else
    changed.setInt(element, tensor.getInt(element) == 0);
  return changed;
}

AssertionResult Prober::probe(unsigned operand, int64_t element) {
  HostTensor original = operands[operand];
  operands[operand] = changeElement(original, element);
  std::optional<SmallVector<HostTensor>> changed = evaluate();
  operands[operand] = original;
  if (!changed)
    return AssertionSuccess();
  for (unsigned i = 0; i < results.size(); ++i)
    if (AssertionResult result = compare(operand, element, i, (*changed)[i]);
        !result)
      return result;
  return AssertionSuccess();
}

/// The position of an element along each axis of its tensor; -1 for the others.
static SmallVector<int64_t> getPositions(const AxisMap &map,
                                         const TensorAxes &dims,
                                         ArrayRef<int64_t> shape,
                                         int64_t element) {
  SmallVector<int64_t> positions(map.getAxes().size(), -1);
  for (size_t dim = shape.size(); dim-- > 0;) {
    int64_t index = element % shape[dim];
    element /= shape[dim];
    for (size_t i = dims[dim].size(); i-- > 1;) {
      int64_t extent = map.getAxes()[dims[dim][i]].extent;
      positions[dims[dim][i]] = index % extent;
      index /= extent;
    }
    if (!dims[dim].empty())
      positions[dims[dim][0]] = index;
  }
  return positions;
}

static bool isSameElement(const HostTensor &a, const HostTensor &b, int64_t i) {
  size_t width = getHostByteWidth(a.getType());
  return a.getBytes().slice(i * width, width) ==
         b.getBytes().slice(i * width, width);
}

AssertionResult Prober::compare(unsigned operand, int64_t element,
                                unsigned result, const HostTensor &changed) {
  const std::optional<TensorAxes> &from = map.getOperands()[operand];
  const std::optional<TensorAxes> &to = map.getResults()[result];
  if (!from || !to || !changed)
    return AssertionSuccess();
  SmallVector<int64_t> source =
      getPositions(map, *from, operands[operand].getShape(), element);
  for (int64_t i = 0; i < changed.getNumElements(); ++i) {
    if (isSameElement(results[result], changed, i))
      continue;
    SmallVector<int64_t> target = getPositions(map, *to, changed.getShape(), i);
    for (auto [axis, a, b] : llvm::zip_equal(map.getAxes(), source, target))
      if (axis.kind == AxisKind::Parallel && a >= 0 && b >= 0 && a != b)
        return AssertionFailure()
               << "element " << element << " of operand " << operand
               << " changes element " << i << " of result " << result
               << " across a parallel axis";
  }
  return AssertionSuccess();
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

std::string inlay::testing::printAxisMap(StringRef arguments,
                                         StringRef operation) {
  ParsedOperation parsed(arguments, operation);
  auto op = dyn_cast_if_present<AxisMapOpInterface>(parsed.get());
  if (!op)
    return "does not parse";
  std::string text;
  llvm::raw_string_ostream os(text);
  op.getAxisMap().print(os);
  return text;
}

AssertionResult inlay::testing::axisMapHolds(StringRef arguments,
                                             StringRef operation) {
  ParsedOperation parsed(arguments, operation);
  auto op = dyn_cast_if_present<AxisMapOpInterface>(parsed.get());
  if (!op)
    return AssertionFailure() << "does not parse: " << operation.str();
  AxisMap map = op.getAxisMap();
  AssertionResult result = checkStructure(op, map);
  if (result)
    result = Prober(op, map).run();
  return result ? result : result << ": " << operation.str();
}

AssertionResult inlay::testing::axisMapIsOpaque(StringRef arguments,
                                                StringRef operation) {
  ParsedOperation parsed(arguments, operation);
  auto op = dyn_cast_if_present<AxisMapOpInterface>(parsed.get());
  if (!op)
    return AssertionFailure() << "does not parse: " << operation.str();
  if (op.getAxisMap().isOpaque())
    return AssertionSuccess();
  return AssertionFailure() << "the map is not opaque";
}
