//===- QuantizedArithmetic.cpp - Reference quantised arithmetic -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/QuantizedArithmetic.h"
#include "RowBuffer.h"
#include "inlay/Support/Error.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Error;
using llvm::Expected;

namespace {
/// A quantisation as numbers.
struct Numbers {
  float scale;
  float zeroPoint;
};
} // namespace

static Expected<Numbers> readNumbers(const TensorQuantization &from) {
  if (Error error = checkFloat(from.scale, "scale"))
    return std::move(error);
  if (from.scale.getNumElements() != 1 ||
      (from.zeroPoint && from.zeroPoint->getNumElements() != 1))
    return modelError("scale and zero point must have one element, found " +
                      formatShape(from.scale.getShape()));
  float zero = from.zeroPoint ? float(from.zeroPoint->getDouble(0)) : 0;
  return Numbers{float(from.scale.getDouble(0)), zero};
}

static Error checkByte(ElementType type) {
  if (isInteger(type) && getBitWidth(type) == 8)
    return Error::success();
  return modelError("a quantised result must have 8 bits, found " +
                    getName(type));
}

/// The integer of 8 bits next to `value`.
static double saturate(float value, ElementType type) {
  double low = isSignedInteger(type) ? -128 : 0;
  return std::clamp(std::nearbyint(double(value)), low, low + 255);
}

/// saturate(round(fn(a, b))) of `type`.
template <typename F>
static Expected<HostTensor> zipRounded(const HostTensor &a, const HostTensor &b,
                                       ElementType type, F fn) {
  if (Error error = checkByte(type))
    return std::move(error);
  Expected<HostTensor::Shape> shape =
      broadcastShapes(a.getShape(), b.getShape());
  if (!shape)
    return shape.takeError();
  return zipElements<double, double>(
      a, b, type, *shape, [=](double x, double y) -> double {
        return saturate(fn(float(x), float(y)), type);
      });
}

/// Calls fn with the numbers of all three quantisations.
template <typename F>
static Expected<HostTensor>
withNumbers(const HostTensor &a, const HostTensor &b, TensorQuantization aQ,
            TensorQuantization bQ, TensorQuantization yQ, F fn) {
  auto left = readNumbers(aQ), right = readNumbers(bQ), to = readNumbers(yQ);
  if (!left || !right || !to)
    return llvm::joinErrors(
        llvm::joinErrors(left.takeError(), right.takeError()), to.takeError());
  if (a.getType() != b.getType() || !isInteger(a.getType()))
    return modelError("quantised operands must have one integer type, found " +
                      getName(a.getType()) + " and " + getName(b.getType()));
  ElementType type = yQ.zeroPoint ? yQ.zeroPoint->getType() : a.getType();
  return fn(*left, *right, *to, type);
}

Expected<HostTensor> kernels::qlinearAdd(const HostTensor &a,
                                         TensorQuantization aQ,
                                         const HostTensor &b,
                                         TensorQuantization bQ,
                                         TensorQuantization yQ) {
  return withNumbers(
      a, b, aQ, bQ, yQ,
      [&](Numbers left, Numbers right, Numbers to, ElementType type) {
        float ratioA = left.scale / to.scale, ratioB = right.scale / to.scale;
        float fixed =
            to.zeroPoint - (ratioA * left.zeroPoint + ratioB * right.zeroPoint);
        return zipRounded(a, b, type, [=](float x, float y) {
          return fixed + ratioA * x + ratioB * y;
        });
      });
}

Expected<HostTensor> kernels::qlinearMul(const HostTensor &a,
                                         TensorQuantization aQ,
                                         const HostTensor &b,
                                         TensorQuantization bQ,
                                         TensorQuantization yQ) {
  return withNumbers(
      a, b, aQ, bQ, yQ,
      [&](Numbers left, Numbers right, Numbers to, ElementType type) {
        float ratio = left.scale * right.scale / to.scale;
        return zipRounded(a, b, type, [=](float x, float y) {
          return (x - left.zeroPoint) * (y - right.zeroPoint) * ratio +
                 to.zeroPoint;
        });
      });
}

Expected<HostTensor> kernels::quantizeAtOnce(const HostTensor &x,
                                             TensorQuantization to,
                                             ElementType type) {
  auto numbers = readNumbers(to);
  if (!numbers)
    return numbers.takeError();
  if (Error error = checkByte(type))
    return std::move(error);
  return mapElements<double>(x, type, [&](double value) -> double {
    return saturate(float(value) / numbers->scale + numbers->zeroPoint, type);
  });
}
