//===- ErrorBound.cpp - By how much code may be off -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A running analysis of rounding errors: each operator is evaluated once more
// on operands that are off by what is known of them, and adds what its own
// arithmetic may lose. Operators need not be known for that, only their class.
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/ErrorBound.h"
#include "ExpandedStep.h"
#include "KernelBody.h"
#include "WinogradBound.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include <cmath>
#include <numeric>

using namespace inlay;
using namespace mlir;

/// Units in the last place that one operator may lose; about 1e-5 of the range
/// where nothing is known of how it computes.
static constexpr double knownUnits = 8, unknownUnits = 160;
static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Half a unit in the last place of one; 0 for what is computed exactly.
static double getRoundoff(ElementType type) {
  switch (type) {
  case ElementType::Double:
    return 0x1p-53;
  case ElementType::Float:
    return 0x1p-24;
  case ElementType::Float16:
    return 0x1p-11;
  case ElementType::BFloat16:
    return 0x1p-8;
  default:
    return 0;
  }
}

/// Sums are those of f32 where elements are narrower.
static double getSumRoundoff(ElementType type) {
  return type == ElementType::Double ? 0x1p-53 : 0x1p-24;
}

static double getLargest(const HostTensor &tensor) {
  double largest = 0;
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    if (double x = std::fabs(tensor.getDouble(i)); std::isfinite(x))
      largest = std::max(largest, x);
  return largest;
}

//===----------------------------------------------------------------------===//
// Tensors that are off
//===----------------------------------------------------------------------===//

namespace {
/// A tensor and by how much its elements may be off.
struct InexactTensor {
  HostTensor tensor;
  ElementErrors errors = {};
};
} // namespace

/// The nearest number that an element of the type can be.
static double clampTo(ElementType type, double value) {
  if (type == ElementType::Bool)
    return value >= 0.5 ? 1 : 0;
  if (!isInteger(type))
    return value;
  int bits = 8 * int(getHostByteWidth(type));
  double least = isUnsignedInteger(type) ? 0 : -std::ldexp(1.0, bits - 1);
  double end = std::ldexp(1.0, isUnsignedInteger(type) ? bits : bits - 1);
  // The largest of 64 bits is no double.
  double most = bits == 64 ? std::nextafter(end, 0) : end - 1;
  return std::clamp(std::nearbyint(value), least, most);
}

/// The tensor with fn(element, its error) for each element.
template <typename F>
static HostTensor mapElements(const InexactTensor &from, F &&fn) {
  const HostTensor &tensor = from.tensor;
  HostTensor mapped(tensor.getType(), tensor.getShape());
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    mapped.setDouble(i,
                     clampTo(tensor.getType(),
                             fn(tensor.getDouble(i),
                                from.errors.empty() ? 0.0 : from.errors[i])));
  return mapped;
}

static HostTensor getMoved(const InexactTensor &from, double sign) {
  // A condition that is off is the other one.
  if (from.tensor.getType() == ElementType::Bool)
    return mapElements(
        from, [](double x, double error) { return error >= 0.5 ? 1 - x : x; });
  return mapElements(from,
                     [&](double x, double error) { return x + sign * error; });
}

static HostTensor getMagnitudes(const InexactTensor &from, bool withErrors) {
  if (!isFloat(from.tensor.getType()))
    return from.tensor;
  return mapElements(from, [&](double x, double error) {
    return std::fabs(x) + (withErrors ? error : 0);
  });
}

/// Adds a difference of two numbers that may be none.
static void addError(double &error, double difference) {
  error += std::isfinite(difference) ? std::fabs(difference) : infinity;
}

static double getDifference(double a, double b) {
  bool isSame = a == b || (std::isnan(a) && std::isnan(b));
  return isSame ? 0 : a - b;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

using Tensors = SmallVector<HostTensor>;

static llvm::Expected<Tensors> evaluateOp(Operation *op,
                                          ArrayRef<HostTensor> operands) {
  Evaluation evaluation(op, operands);
  if (llvm::Error error = cast<EvaluateOpInterface>(op).evaluate(evaluation))
    return error;
  return Tensors(evaluation.getResults());
}

namespace {
/// One operator: what it computes of tensors that are off.
class InexactOp {
public:
  InexactOp(Operation *op, ArrayRef<InexactTensor> operands,
            int64_t outputsOfTile)
      : op(op), operands(operands), outputsOfTile(outputsOfTile) {
    auto fusion = dyn_cast<FusionOpInterface>(op);
    fusionClass = fusion ? fusion.getFusionClass() : FusionClass::Opaque;
  }

  llvm::Expected<SmallVector<InexactTensor>> evaluate();

private:
  bool isSum() const {
    return fusionClass == FusionClass::Contraction ||
           fusionClass == FusionClass::Reduce ||
           fusionClass == FusionClass::Window;
  }
  bool isInexact() const {
    return llvm::any_of(operands, [](const InexactTensor &operand) {
      return !operand.errors.empty();
    });
  }
  Tensors getAllMagnitudes(bool withErrors) const;
  llvm::Expected<double> countTerms(const HostTensor &result) const;
  void addRounding();
  llvm::Expected<ElementErrors>
  getSumRounding(const HostTensor &magnitudes) const;
  std::optional<ElementErrors> getTileRounding() const;
  llvm::Error addSumRounding();
  llvm::Error addMoved(unsigned operand);

  Operation *op;
  ArrayRef<InexactTensor> operands;
  int64_t outputsOfTile;
  FusionClass fusionClass;
  SmallVector<InexactTensor> results;
};
} // namespace

Tensors InexactOp::getAllMagnitudes(bool withErrors) const {
  Tensors magnitudes;
  for (const InexactTensor &operand : operands)
    magnitudes.push_back(getMagnitudes(operand, withErrors));
  return magnitudes;
}

/// How many terms a sum has.
llvm::Expected<double> InexactOp::countTerms(const HostTensor &result) const {
  if (fusionClass == FusionClass::Reduce)
    return double(operands.front().tensor.getNumElements()) /
           double(std::max<int64_t>(result.getNumElements(), 1));
  if (auto facts = dyn_cast<TargetFactsOpInterface>(op);
      fusionClass == FusionClass::Window && facts)
    if (auto window = facts.getWindow())
      return std::accumulate(window->begin(), window->end(), 1.0,
                             std::multiplies<>());
  // A sum of products of ones is their number.
  Tensors ones;
  for (const InexactTensor &operand : operands)
    ones.push_back(isFloat(operand.tensor.getType())
                       ? mapElements(operand, [](double, double) { return 1; })
                       : operand.tensor);
  auto counted = evaluateOp(op, ones);
  if (!counted)
    return counted.takeError();
  return getLargest(counted->front());
}

/// What is lost where a result is rounded.
void InexactOp::addRounding() {
  bool isExact = fusionClass == FusionClass::View ||
                 fusionClass == FusionClass::Transform ||
                 fusionClass == FusionClass::Broadcast;
  if (isExact)
    return;
  double units = fusionClass == FusionClass::Opaque ? unknownUnits : knownUnits;
  for (InexactTensor &result : results) {
    double roundoff = getRoundoff(result.tensor.getType());
    if (roundoff == 0)
      continue;
    double error = units * roundoff * getLargest(result.tensor);
    for (double &own : result.errors)
      own += error;
  }
}

/// Of a convolution that is computed by tiles.
std::optional<ElementErrors> InexactOp::getTileRounding() const {
  std::optional<Contraction> found =
      outputsOfTile != 0 ? Contraction::get(op) : std::nullopt;
  std::optional<WinogradLayer> layer =
      found ? WinogradLayer::get(*found) : std::nullopt;
  if (!layer)
    return std::nullopt;
  Tensors magnitudes = getAllMagnitudes(/*withErrors=*/true);
  return boundWinograd(*layer, outputsOfTile, magnitudes[0], magnitudes[1]);
}

/// What is lost by adding up terms, the sums of whose magnitudes are given.
llvm::Expected<ElementErrors>
InexactOp::getSumRounding(const HostTensor &magnitudes) const {
  if (std::optional<ElementErrors> own = getTileRounding())
    return std::move(*own);
  auto terms = countTerms(magnitudes);
  if (!terms)
    return terms.takeError();
  double share = 4 * std::sqrt(std::max(*terms, 1.0)) *
                 getSumRoundoff(magnitudes.getType());
  ElementErrors errors;
  for (int64_t i = 0, e = magnitudes.getNumElements(); i != e; ++i)
    errors.push_back(share * magnitudes.getDouble(i));
  return errors;
}

/// What is lost by adding up, and what comes of errors in what is added.
llvm::Error InexactOp::addSumRounding() {
  auto exact = evaluateOp(op, getAllMagnitudes(/*withErrors=*/false));
  if (!exact)
    return exact.takeError();
  auto inexact = isInexact()
                     ? evaluateOp(op, getAllMagnitudes(/*withErrors=*/true))
                     : *exact;
  if (!inexact)
    return inexact.takeError();
  for (auto [result, own, moved] : llvm::zip_equal(results, *exact, *inexact)) {
    if (!isFloat(result.tensor.getType()))
      continue;
    auto rounding = getSumRounding(moved);
    if (!rounding)
      return rounding.takeError();
    for (auto [i, error] : llvm::enumerate(result.errors)) {
      addError(error, (*rounding)[i]);
      addError(error, getDifference(moved.getDouble(i), own.getDouble(i)));
    }
  }
  return llvm::Error::success();
}

/// What comes of errors in an operand, each of which moves the elements that
/// are computed of it one way or the other.
llvm::Error InexactOp::addMoved(unsigned operand) {
  Tensors moved;
  for (const InexactTensor &own : operands)
    moved.push_back(own.tensor);
  SmallVector<ElementErrors> largest;
  for (const InexactTensor &result : results)
    largest.emplace_back(result.errors.size(), 0.0);
  for (double sign : {1.0, -1.0}) {
    moved[operand] = getMoved(operands[operand], sign);
    auto others = evaluateOp(op, moved);
    if (!others)
      return others.takeError();
    for (auto [result, other, errors] :
         llvm::zip_equal(results, *others, largest))
      for (auto [i, error] : llvm::enumerate(errors)) {
        double difference = 0;
        addError(difference,
                 getDifference(other.getDouble(i), result.tensor.getDouble(i)));
        error = std::max(error, difference);
      }
  }
  for (auto [result, errors] : llvm::zip_equal(results, largest))
    for (auto [own, error] : llvm::zip_equal(result.errors, errors))
      own += error;
  return llvm::Error::success();
}

llvm::Expected<SmallVector<InexactTensor>> InexactOp::evaluate() {
  Tensors tensors;
  for (const InexactTensor &operand : operands)
    tensors.push_back(operand.tensor);
  auto computed = evaluateOp(op, tensors);
  if (!computed)
    return computed.takeError();
  for (HostTensor &tensor : *computed)
    results.push_back({tensor, ElementErrors(tensor.getNumElements(), 0.0)});
  addRounding();
  if (isSum())
    if (llvm::Error error = addSumRounding())
      return error;
  // Where products are summed, signs of others would hide what is lost.
  if (fusionClass != FusionClass::Contraction)
    for (auto [i, operand] : llvm::enumerate(operands))
      if (!operand.errors.empty())
        if (llvm::Error error = addMoved(i))
          return error;
  for (InexactTensor &result : results)
    if (llvm::all_of(result.errors, [](double error) { return error == 0; }))
      result.errors.clear();
  return std::move(results);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

using Known = DenseMap<Value, InexactTensor>;

static llvm::Expected<InexactTensor> lookup(Value value, const Known &known) {
  if (Attribute constant = getConstantValue(value)) {
    auto tensor = getHostTensor(constant);
    if (!tensor)
      return tensor.takeError();
    return InexactTensor{std::move(*tensor)};
  }
  auto it = known.find(value);
  if (it == known.end())
    return makeError(ExitCode::Internal, "value '" + getValueName(value) +
                                             "' is not what a step reads");
  return it->second;
}

static llvm::Expected<SmallVector<ElementErrors>>
boundBody(const KernelBody &body, Known &known, int64_t outputsOfTile) {
  for (Operation *op : body.ops) {
    SmallVector<InexactTensor> operands;
    for (Value operand : op->getOperands()) {
      auto tensor = lookup(body.resolve(operand), known);
      if (!tensor)
        return tensor.takeError();
      operands.push_back(std::move(*tensor));
    }
    auto results = InexactOp(op, operands, outputsOfTile).evaluate();
    if (!results)
      return addContext(describeNode(op) + ": ", results.takeError());
    for (auto [value, result] : llvm::zip_equal(op->getResults(), *results))
      known[value] = std::move(result);
  }
  SmallVector<ElementErrors> errors;
  for (Value value : body.yielded) {
    auto result = lookup(value, known);
    if (!result)
      return result.takeError();
    result->errors.resize(result->tensor.getNumElements(), 0);
    errors.push_back(std::move(result->errors));
  }
  return errors;
}

llvm::Expected<std::optional<SmallVector<ElementErrors>>>
inlay::boundErrors(Operation *step, ArrayRef<Value> reads,
                   ArrayRef<HostTensor> tensors, int64_t outputsOfTile) {
  Known known;
  for (auto [value, tensor] : llvm::zip_equal(reads, tensors))
    known[value] = {tensor};
  std::optional<ExpandedStep> expanded =
      ExpandedStep::get(step, ExpandedOps::ButElements);
  std::optional<KernelBody> own =
      expanded ? expanded->getBody() : KernelBody::get(step);
  if (!own)
    return std::nullopt;
  // A copy has arguments for what the step reads.
  if (expanded)
    for (auto [inside, outside] :
         llvm::zip_equal(own->reads, expanded->getReads())) {
      auto tensor = lookup(outside, known);
      if (!tensor)
        return tensor.takeError();
      known[inside] = std::move(*tensor);
    }
  auto errors = boundBody(*own, known, outputsOfTile);
  if (!errors)
    return errors.takeError();
  return std::move(*errors);
}
