//===- Unary.cpp - Reference kernels of one operand -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBuffer.h"
#include "inlay/Tensor/Kernels/Elementwise.h"
#include "inlay/Tensor/SmallFloat.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;

static double softplus(double x) {
  // exp of a positive number would overflow first.
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

static double hardSwish(double x) {
  return x * std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
}

static double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

static double getSign(double x) {
  return x > 0 ? 1.0 : x < 0 ? -1.0 : x; // zeros and NaN stay
}

static double relu(double x) { return x < 0 ? 0.0 : x; }

/// The functions of floats. `apply` receives the function as an argument, so
/// that each is compiled into a loop of its own.
template <typename Apply>
static Expected<HostTensor> applyToFloats(UnaryFunction f, Apply apply) {
  switch (f) {
  case UnaryFunction::Abs:
    return apply([](double x) { return std::fabs(x); });
  case UnaryFunction::Neg:
    return apply([](double x) { return -x; });
  case UnaryFunction::Sign:
    return apply([](double x) { return getSign(x); });
  case UnaryFunction::Ceil:
    return apply([](double x) { return std::ceil(x); });
  case UnaryFunction::Floor:
    return apply([](double x) { return std::floor(x); });
  case UnaryFunction::Round:
    return apply([](double x) { return std::nearbyint(x); });
  case UnaryFunction::Sqrt:
    return apply([](double x) { return std::sqrt(x); });
  case UnaryFunction::Exp:
    return apply([](double x) { return std::exp(x); });
  case UnaryFunction::Log:
    return apply([](double x) { return std::log(x); });
  case UnaryFunction::Reciprocal:
    return apply([](double x) { return 1.0 / x; });
  case UnaryFunction::Erf:
    return apply([](double x) { return std::erf(x); });
  case UnaryFunction::Sin:
    return apply([](double x) { return std::sin(x); });
  case UnaryFunction::Cos:
    return apply([](double x) { return std::cos(x); });
  case UnaryFunction::Tan:
    return apply([](double x) { return std::tan(x); });
  case UnaryFunction::Asin:
    return apply([](double x) { return std::asin(x); });
  case UnaryFunction::Acos:
    return apply([](double x) { return std::acos(x); });
  case UnaryFunction::Atan:
    return apply([](double x) { return std::atan(x); });
  case UnaryFunction::Sinh:
    return apply([](double x) { return std::sinh(x); });
  case UnaryFunction::Cosh:
    return apply([](double x) { return std::cosh(x); });
  case UnaryFunction::Tanh:
    return apply([](double x) { return std::tanh(x); });
  case UnaryFunction::Asinh:
    return apply([](double x) { return std::asinh(x); });
  case UnaryFunction::Acosh:
    return apply([](double x) { return std::acosh(x); });
  case UnaryFunction::Atanh:
    return apply([](double x) { return std::atanh(x); });
  case UnaryFunction::Sigmoid:
    return apply([](double x) { return sigmoid(x); });
  case UnaryFunction::Relu:
    return apply([](double x) { return relu(x); });
  case UnaryFunction::Softplus:
    return apply([](double x) { return softplus(x); });
  case UnaryFunction::Softsign:
    return apply([](double x) { return x / (1.0 + std::fabs(x)); });
  case UnaryFunction::HardSwish:
    return apply([](double x) { return hardSwish(x); });
  case UnaryFunction::Mish:
    return apply([](double x) { return x * std::tanh(softplus(x)); });
  case UnaryFunction::IsNaN:
    return apply([](double x) { return uint64_t(std::isnan(x)); });
  default:
    return modelError("the function is not defined for floats");
  }
}

/// The functions of integers. Arithmetic is unsigned: it wraps.
template <typename T, typename Apply>
static Expected<HostTensor> applyToIntegers(UnaryFunction f, Apply apply) {
  switch (f) {
  case UnaryFunction::Abs:
    return apply([](T x) { return x < 0 ? T(-uint64_t(x)) : x; });
  case UnaryFunction::Neg:
    return apply([](T x) { return T(-uint64_t(x)); });
  case UnaryFunction::Sign:
    return apply([](T x) { return T((x > 0) - (x < 0)); });
  case UnaryFunction::Relu:
    return apply([](T x) { return x < 0 ? T(0) : x; });
  case UnaryFunction::BitwiseNot:
    return apply([](T x) { return T(~x); });
  default:
    return modelError("the function is not defined for integers");
  }
}

Expected<HostTensor> kernels::unary(UnaryFunction f, const HostTensor &x) {
  ElementType type = x.getType();
  if (f == UnaryFunction::Identity)
    return x;
  if (llvm::Error error = checkNumeric(x, "the operand"))
    return std::move(error);
  if (type == ElementType::Bool) {
    if (f != UnaryFunction::Not)
      return modelError("the function is not defined for bools");
    return mapElements<uint64_t>(x, type, [](uint64_t v) { return v ^ 1; });
  }
  if (isFloat(type)) {
    ElementType outType = f == UnaryFunction::IsNaN ? ElementType::Bool : type;
    return applyToFloats(
        f, [&](auto fn) { return mapElements<double>(x, outType, fn); });
  }
  if (isSignedInteger(type))
    return applyToIntegers<int64_t>(
        f, [&](auto fn) { return mapElements<int64_t>(x, type, fn); });
  return applyToIntegers<uint64_t>(
      f, [&](auto fn) { return mapElements<uint64_t>(x, type, fn); });
}

/// fn on floats, giving the type of x.
template <typename F>
static Expected<HostTensor> activate(const HostTensor &x, F fn) {
  if (llvm::Error error = checkFloat(x, "the operand of an activation"))
    return std::move(error);
  return mapElements<double>(x, x.getType(), fn);
}

Expected<HostTensor> kernels::leakyRelu(const HostTensor &x, float alpha) {
  return activate(x, [=](double v) { return v < 0 ? alpha * v : v; });
}

Expected<HostTensor> kernels::elu(const HostTensor &x, float alpha) {
  return activate(x,
                  [=](double v) { return v < 0 ? alpha * std::expm1(v) : v; });
}

Expected<HostTensor> kernels::selu(const HostTensor &x, float alpha,
                                   float gamma) {
  return activate(x, [=](double v) {
    return double(gamma) * (v > 0 ? v : alpha * std::expm1(v));
  });
}

Expected<HostTensor> kernels::celu(const HostTensor &x, float alpha) {
  return activate(x, [=](double v) {
    // The smaller one, and NaN of NaN.
    return v > 0 ? v : std::min(alpha * std::expm1(v / alpha), 0.0);
  });
}

Expected<HostTensor> kernels::thresholdedRelu(const HostTensor &x,
                                              float alpha) {
  return activate(x, [=](double v) { return v > alpha ? v : 0.0; });
}

Expected<HostTensor> kernels::hardSigmoid(const HostTensor &x, float alpha,
                                          float beta) {
  return activate(
      x, [=](double v) { return std::clamp(alpha * v + beta, 0.0, 1.0); });
}

Expected<HostTensor> kernels::shrink(const HostTensor &x, float bias,
                                     float lambd) {
  if (llvm::Error error = checkNumeric(x, "the operand of Shrink"))
    return std::move(error);
  return mapElements<double>(x, x.getType(), [=](double v) {
    return v < -lambd ? v + bias : v > lambd ? v - bias : 0.0;
  });
}

Expected<HostTensor> kernels::gelu(const HostTensor &x, bool approximateTanh) {
  if (approximateTanh)
    return activate(x, [](double v) {
      constexpr double scale = 0.7978845608028654; // sqrt(2 / pi)
      return 0.5 * v * (1.0 + std::tanh(scale * (v + 0.044715 * v * v * v)));
    });
  return activate(x, [](double v) {
    return 0.5 * v * (1.0 + std::erf(v / std::numbers::sqrt2));
  });
}

Expected<HostTensor> kernels::swish(const HostTensor &x, float alpha) {
  return activate(x, [=](double v) { return v * sigmoid(alpha * v); });
}

Expected<HostTensor> kernels::isInf(const HostTensor &x, bool detectNegative,
                                    bool detectPositive) {
  if (llvm::Error error = checkFloat(x, "the operand of IsInf"))
    return std::move(error);
  return mapElements<double>(x, ElementType::Bool, [=](double v) {
    return uint64_t(std::isinf(v) && (v < 0 ? detectNegative : detectPositive));
  });
}

static llvm::Error checkBound(const HostTensor &x, const HostTensor *bound) {
  if (!bound ||
      (bound->getType() == x.getType() && bound->getNumElements() == 1))
    return llvm::Error::success();
  return modelError("a bound of Clip must be one " + getName(x.getType()) +
                    ", but is " + getName(bound->getType()) + " of shape " +
                    formatShape(bound->getShape()));
}

/// The bounds that absent ones stand for: the largest finite number of the type
/// either way, so that infinities do not pass.
static double getLargestFinite(ElementType type) {
  if (const SmallFloatFormat *format = getSmallFloatFormat(type))
    return decodeSmallFloat(*format, format->getMaxFinite());
  return type == ElementType::Float ? std::numeric_limits<float>::max()
                                    : std::numeric_limits<double>::max();
}

Expected<HostTensor> kernels::clip(const HostTensor &x, const HostTensor *min,
                                   const HostTensor *max) {
  if (llvm::Error error = checkNumeric(x, "the operand of Clip"))
    return std::move(error);
  if (llvm::Error error = checkBound(x, min))
    return std::move(error);
  if (llvm::Error error = checkBound(x, max))
    return std::move(error);
  return dispatchCompute(x.getType(), [&](auto zero) -> Expected<HostTensor> {
    using T = decltype(zero);
    constexpr bool isFloat = std::is_same_v<T, double>;
    T low{}, high{};
    if (isFloat)
      low = T(-getLargestFinite(x.getType())), high = -low;
    if (min)
      loadElements(*min, 0, llvm::MutableArrayRef<T>(low));
    if (max)
      loadElements(*max, 0, llvm::MutableArrayRef<T>(high));
    return mapElements<T>(x, x.getType(), [=](T v) {
      T raised = (min || isFloat) && v < low ? low : v;
      return (max || isFloat) && high < raised ? high : raised;
    });
  });
}
