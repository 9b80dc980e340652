//===- RoundedConstants.cpp - Whether constants are rounded once ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/RoundedConstants.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Origin.h"
#include "inlay/IR/StoredConstants.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/FirstDifference.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Tensor/Broadcast.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The distance of floats at the magnitude of `value`.
static double getUnit(ElementType type, double value) {
  if (type == ElementType::Double)
    return std::nextafter(std::fabs(value), INFINITY) - std::fabs(value);
  if (type != ElementType::Float)
    return getUnitInLastPlace(type, value);
  int exponent = value == 0 ? -126 : std::max(std::ilogb(value), -126);
  return std::ldexp(1.0, exponent - 23);
}

static bool isWithinUnit(double exact, double written, ElementType type) {
  if (!std::isfinite(exact) || !std::isfinite(written))
    return (std::isnan(exact) && std::isnan(written)) || exact == written ||
           // Beyond the largest float there is infinity.
           (std::isinf(written) &&
            std::signbit(exact) == std::signbit(written));
  return std::fabs(exact - written) <= getUnit(type, exact);
}

std::string inlay::findRoundingError(const HostTensor &exact,
                                     const HostTensor &written) {
  IndexCounter at(exact.getShape());
  for (int64_t i = 0, e = exact.getNumElements(); i != e; ++i, at.next()) {
    double value = written.getDouble(i), wanted = exact.getDouble(i);
    if (isWithinUnit(wanted, value, written.getType()))
      continue;
    std::string text;
    llvm::raw_string_ostream(text)
        << formatIndex(at.getIndex())
        << llvm::format(" is %.9g, f64 gives %.17g", value, wanted);
    return text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static HostTensor reorder(const HostTensor &base, const Layout &layout,
                          ArrayRef<int64_t> shape) {
  HostTensor result(ElementType::Double, shape);
  Rearrangement map = getRearrangement(layout, base.getShape());
  for (int64_t i = 0, e = result.getNumElements(); i != e && !isCancelled();
       ++i)
    if (std::optional<int64_t> place = map.locate(i))
      result.setDouble(i, base.getDouble(*place));
  return result;
}

static HostTensor scale(const HostTensor &base, const HostTensor &factors) {
  HostTensor result(ElementType::Double, base.getShape());
  Strides strides = getBroadcastStrides(factors.getShape(), base.getShape());
  IndexCounter at(base.getShape());
  for (int64_t i = 0, e = base.getNumElements(); i != e; ++i, at.next())
    if (double number = base.getDouble(i); number != 0)
      result.setDouble(i, number * factors.getDouble(at.getOffset(strides)));
  return result;
}

/// What an expression means, from inside to outside. Their depth is bounded.
static llvm::Expected<HostTensor> evaluateInDoubles(TypedAttr value) {
  SmallVector<TypedAttr> nested;
  while (isExpression(value)) {
    nested.push_back(value);
    auto stored = dyn_cast<StoredAttr>(Attribute(value));
    value = stored ? stored.getBase()
                   : cast<ScaledAttr>(Attribute(value)).getBase();
  }
  auto tensor = getExactTensor(value);
  if (!tensor)
    return tensor.takeError();
  HostTensor result = std::move(*tensor);
  for (TypedAttr outer : llvm::reverse(nested)) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(outer.getType()).getShape();
    if (auto stored = dyn_cast<StoredAttr>(Attribute(outer))) {
      result = reorder(result, stored.getLayout().getLayout(), shape);
      continue;
    }
    auto factors =
        getHostTensor(cast<ScaledAttr>(Attribute(outer)).getFactors());
    if (!factors)
      return factors.takeError();
    result = scale(result, *factors).reshaped(shape);
  }
  return result;
}

static llvm::Expected<std::string> checkConstant(ConstantOp op) {
  auto exact = evaluateInDoubles(op.getValue());
  if (!exact)
    return exact.takeError();
  auto written = getHostTensor(op.getValue());
  if (!written)
    return written.takeError();
  std::string error = findRoundingError(*exact, *written);
  return error.empty()
             ? error
             : ("constant '" + getValueName(op) + "' at " + error).str();
}

llvm::Expected<std::string> inlay::checkComputedConstants(ModuleOp module) {
  SmallVector<ConstantOp> constants;
  module.walk([&](ConstantOp op) {
    if (isExpression(op.getValue()) && isa<FloatType>(getElementType(op)))
      constants.push_back(op);
  });
  for (ConstantOp op : constants) {
    if (llvm::Error error = checkCancelled())
      return error;
    auto error = checkConstant(op);
    if (!error || !error->empty())
      return error;
  }
  return "";
}
