//===- Binary.cpp - Reference kernels of two and more operands ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBuffer.h"
#include "inlay/Tensor/Kernels/Elementwise.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;

namespace {
enum Kinds : uint8_t {
  Floats = 1,
  Signed = 2,
  Unsigned = 4,
  Bools = 8,
  Strings = 16,
  Integers = Signed | Unsigned,
  Numbers = Floats | Integers,
};

struct FunctionFacts {
  llvm::StringLiteral name;
  unsigned kinds;
  bool givesBool;
};
} // namespace

static FunctionFacts getFacts(BinaryFunction f) {
  switch (f) {
  case BinaryFunction::Add:
    return {"Add", Numbers, false};
  case BinaryFunction::Sub:
    return {"Sub", Numbers, false};
  case BinaryFunction::Mul:
    return {"Mul", Numbers, false};
  case BinaryFunction::Div:
    return {"Div", Numbers, false};
  case BinaryFunction::Pow:
    return {"Pow", Numbers, false};
  case BinaryFunction::Mod:
  case BinaryFunction::FMod:
    return {"Mod", Numbers, false};
  case BinaryFunction::ShiftLeft:
  case BinaryFunction::ShiftRight:
    return {"BitShift", Unsigned, false};
  case BinaryFunction::And:
    return {"And", Bools, true};
  case BinaryFunction::Or:
    return {"Or", Bools, true};
  case BinaryFunction::Xor:
    return {"Xor", Bools, true};
  case BinaryFunction::BitwiseAnd:
    return {"BitwiseAnd", Integers, false};
  case BinaryFunction::BitwiseOr:
    return {"BitwiseOr", Integers, false};
  case BinaryFunction::BitwiseXor:
    return {"BitwiseXor", Integers, false};
  case BinaryFunction::Equal:
    return {"Equal", Numbers | Bools | Strings, true};
  case BinaryFunction::Less:
    return {"Less", Numbers, true};
  case BinaryFunction::LessOrEqual:
    return {"LessOrEqual", Numbers, true};
  case BinaryFunction::Greater:
    return {"Greater", Numbers, true};
  case BinaryFunction::GreaterOrEqual:
    return {"GreaterOrEqual", Numbers, true};
  case BinaryFunction::Max:
    return {"Max", Numbers, false};
  case BinaryFunction::Min:
    return {"Min", Numbers, false};
  }
  llvm_unreachable("unknown binary function");
}

static unsigned getKind(ElementType type) {
  if (isFloat(type))
    return Floats;
  if (isSignedInteger(type))
    return Signed;
  if (isUnsignedInteger(type))
    return Unsigned;
  if (type == ElementType::Bool)
    return Bools;
  return type == ElementType::String ? Strings : 0;
}

static llvm::Error checkOperands(BinaryFunction f, const HostTensor &a,
                                 const HostTensor &b) {
  FunctionFacts facts = getFacts(f);
  for (const HostTensor *operand : {&a, &b})
    if (!(getKind(operand->getType()) & facts.kinds))
      return modelError(facts.name + " does not take operands of " +
                        getName(operand->getType()));
  if (a.getType() != b.getType() && f != BinaryFunction::Pow)
    return modelError("the operands of " + facts.name +
                      " must have the same element type, but hold " +
                      getName(a.getType()) + " and " + getName(b.getType()));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Arithmetic of integers: two's complement, never trapping
//===----------------------------------------------------------------------===//

template <typename T> static T divide(T a, T b) {
  if (b == 0)
    return 0;
  if (std::is_signed_v<T> && b == T(-1))
    return T(-uint64_t(a)); // the lowest value has no positive twin
  return a / b;
}

template <typename T> static T remainder(T a, T b) {
  return b == 0 || (std::is_signed_v<T> && b == T(-1)) ? T(0) : T(a % b);
}

template <typename T> static T moduloOfDivisorSign(T a, T b) {
  T result = remainder(a, b);
  return result != 0 && (result < 0) != (b < 0) ? T(result + b) : result;
}

static double moduloOfDivisorSign(double a, double b) {
  double result = std::fmod(a, b);
  return result != 0 && (result < 0) != (b < 0) ? result + b : result;
}

template <typename T> static T integerPower(T base, uint64_t exponent) {
  uint64_t result = 1, square = uint64_t(base);
  for (; exponent != 0; exponent >>= 1, square *= square)
    if (exponent & 1)
      result *= square;
  return T(result);
}

/// Also of negative exponents, which leave 1, -1 or nothing.
template <typename T> static T power(T base, int64_t exponent) {
  if (exponent >= 0)
    return integerPower(base, uint64_t(exponent));
  if (base == T(1))
    return 1;
  if (std::is_signed_v<T> && base == T(-1))
    return exponent % 2 ? T(-1) : T(1);
  return 0;
}

//===----------------------------------------------------------------------===//
// The functions. `apply` receives one and runs it over the operands.
//===----------------------------------------------------------------------===//

template <typename T, typename Apply>
static Expected<HostTensor> applyComparison(BinaryFunction f, Apply apply) {
  switch (f) {
  case BinaryFunction::Equal:
    return apply([](T a, T b) { return uint64_t(a == b); });
  case BinaryFunction::Less:
    return apply([](T a, T b) { return uint64_t(a < b); });
  case BinaryFunction::LessOrEqual:
    return apply([](T a, T b) { return uint64_t(a <= b); });
  case BinaryFunction::Greater:
    return apply([](T a, T b) { return uint64_t(a > b); });
  case BinaryFunction::GreaterOrEqual:
    return apply([](T a, T b) { return uint64_t(a >= b); });
  case BinaryFunction::Max:
    return apply([](T a, T b) { return a > b || a != a ? a : b; });
  case BinaryFunction::Min:
    return apply([](T a, T b) { return a < b || a != a ? a : b; });
  default:
    llvm_unreachable("checkOperands lets no other function pass");
  }
}

template <typename Apply>
static Expected<HostTensor> applyToFloats(BinaryFunction f, Apply apply) {
  switch (f) {
  case BinaryFunction::Add:
    return apply([](double a, double b) { return a + b; });
  case BinaryFunction::Sub:
    return apply([](double a, double b) { return a - b; });
  case BinaryFunction::Mul:
    return apply([](double a, double b) { return a * b; });
  case BinaryFunction::Div:
    return apply([](double a, double b) { return a / b; });
  case BinaryFunction::Mod:
    return apply([](double a, double b) { return moduloOfDivisorSign(a, b); });
  case BinaryFunction::FMod:
    return apply([](double a, double b) { return std::fmod(a, b); });
  default:
    return applyComparison<double>(f, apply);
  }
}

template <typename T, typename Apply>
static Expected<HostTensor> applyToIntegers(BinaryFunction f, Apply apply) {
  switch (f) {
  case BinaryFunction::Add:
    return apply([](T a, T b) { return T(uint64_t(a) + uint64_t(b)); });
  case BinaryFunction::Sub:
    return apply([](T a, T b) { return T(uint64_t(a) - uint64_t(b)); });
  case BinaryFunction::Mul:
    return apply([](T a, T b) { return T(uint64_t(a) * uint64_t(b)); });
  case BinaryFunction::Div:
    return apply([](T a, T b) { return divide(a, b); });
  case BinaryFunction::Mod:
    return apply([](T a, T b) { return moduloOfDivisorSign(a, b); });
  case BinaryFunction::FMod:
    return apply([](T a, T b) { return remainder(a, b); });
  case BinaryFunction::ShiftLeft:
    return apply([](T a, T b) { return uint64_t(b) < 64 ? T(a << b) : T(0); });
  case BinaryFunction::ShiftRight:
    return apply([](T a, T b) { return uint64_t(b) < 64 ? T(a >> b) : T(0); });
  case BinaryFunction::And:
  case BinaryFunction::BitwiseAnd:
    return apply([](T a, T b) { return T(a & b); });
  case BinaryFunction::Or:
  case BinaryFunction::BitwiseOr:
    return apply([](T a, T b) { return T(a | b); });
  case BinaryFunction::Xor:
  case BinaryFunction::BitwiseXor:
    return apply([](T a, T b) { return T(a ^ b); });
  default:
    return applyComparison<T>(f, apply);
  }
}

static Expected<HostTensor> equalStrings(const HostTensor &a,
                                         const HostTensor &b,
                                         llvm::ArrayRef<int64_t> shape) {
  Expected<HostTensor> out = HostTensor::allocate(ElementType::Bool, shape);
  if (!out)
    return out.takeError();
  BroadcastLoop loop(shape, {a.getShape(), b.getShape()});
  llvm::MutableArrayRef<uint8_t> data = out->getMutable<uint8_t>();
  loop.forEachRow([&](int64_t at, llvm::ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < loop.getRowLength(); ++i)
      data[at + i] = a.getStrings()[from[0] + i * loop.getStep(0)] ==
                     b.getStrings()[from[1] + i * loop.getStep(1)];
  });
  return out;
}

/// Base and exponent may differ in type. Only integers on both sides compute
/// as integers; an exponent of uint64 beyond int64 is not told from its wrap.
static Expected<HostTensor> powerElements(const HostTensor &a,
                                          const HostTensor &b,
                                          llvm::ArrayRef<int64_t> shape) {
  ElementType type = a.getType();
  if (isFloat(type) || isFloat(b.getType()))
    return zipElements<double, double>(
        a, b, type, shape, [](double x, double y) { return std::pow(x, y); });
  if (isSignedInteger(type))
    return zipElements<int64_t, int64_t>(a, b, type, shape, power<int64_t>);
  return zipElements<uint64_t, int64_t>(a, b, type, shape, power<uint64_t>);
}

Expected<HostTensor> kernels::binary(BinaryFunction f, const HostTensor &a,
                                     const HostTensor &b) {
  if (llvm::Error error = checkOperands(f, a, b))
    return std::move(error);
  Expected<HostTensor::Shape> shape =
      broadcastShapes(a.getShape(), b.getShape());
  if (!shape)
    return shape.takeError();
  ElementType type = a.getType();
  if (type == ElementType::String)
    return equalStrings(a, b, *shape);
  if (f == BinaryFunction::Pow)
    return powerElements(a, b, *shape);
  ElementType outType = getFacts(f).givesBool ? ElementType::Bool : type;
  if (isFloat(type))
    return applyToFloats(f, [&](auto fn) {
      return zipElements<double, double>(a, b, outType, *shape, fn);
    });
  if (isSignedInteger(type))
    return applyToIntegers<int64_t>(f, [&](auto fn) {
      return zipElements<int64_t, int64_t>(a, b, outType, *shape, fn);
    });
  return applyToIntegers<uint64_t>(f, [&](auto fn) {
    return zipElements<uint64_t, uint64_t>(a, b, outType, *shape, fn);
  });
}

//===----------------------------------------------------------------------===//
// PRelu, the variadic functions and Where
//===----------------------------------------------------------------------===//

/// The slope as a tensor that broadcasts to x.
static Expected<HostTensor> alignSlope(const HostTensor &x,
                                       const HostTensor &slope) {
  if (isBroadcastableTo(slope.getShape(), x.getShape()))
    return slope;
  if (slope.getRank() == 1 && x.getRank() >= 2 &&
      slope.getDim(0) == x.getDim(1)) {
    HostTensor::Shape perChannel(x.getRank() - 1, 1);
    perChannel[0] = slope.getDim(0);
    return slope.reshaped(perChannel);
  }
  return modelError("the slope of PRelu must broadcast to the input's shape " +
                    formatShape(x.getShape()) + ", but has shape " +
                    formatShape(slope.getShape()));
}

Expected<HostTensor> kernels::prelu(const HostTensor &x,
                                    const HostTensor &slope) {
  if (llvm::Error error = checkOperands(BinaryFunction::Mul, x, slope))
    return std::move(error);
  Expected<HostTensor> aligned = alignSlope(x, slope);
  if (!aligned)
    return aligned.takeError();
  return dispatchCompute(x.getType(), [&](auto zero) {
    using T = decltype(zero);
    auto multiply = [](T a, T b) {
      if constexpr (std::is_same_v<T, double>)
        return a * b;
      else
        return T(uint64_t(a) * uint64_t(b));
    };
    return zipElements<T, T>(
        x, *aligned, x.getType(), x.getShape(),
        [=](T v, T s) { return v < 0 ? multiply(v, s) : v; });
  });
}

/// Sums in double for floats: one rounding at the end, not one per operand.
static Expected<HostTensor> addFloats(llvm::ArrayRef<HostTensor> operands,
                                      llvm::ArrayRef<int64_t> shape,
                                      double factor) {
  Expected<HostTensor> sum = HostTensor::allocate(ElementType::Double, shape);
  for (const HostTensor &operand : operands) {
    if (!sum)
      return sum.takeError();
    sum = zipElements<double, double>(*sum, operand, ElementType::Double, shape,
                                      [](double a, double b) { return a + b; });
  }
  if (!sum)
    return sum.takeError();
  return mapElements<double>(*sum, operands[0].getType(),
                             [=](double v) { return v / factor; });
}

Expected<HostTensor> kernels::variadic(VariadicFunction f,
                                       llvm::ArrayRef<HostTensor> operands) {
  if (operands.empty())
    return modelError("a variadic function needs at least one operand");
  BinaryFunction step = f == VariadicFunction::Max   ? BinaryFunction::Max
                        : f == VariadicFunction::Min ? BinaryFunction::Min
                                                     : BinaryFunction::Add;
  llvm::SmallVector<llvm::ArrayRef<int64_t>> shapes;
  for (const HostTensor &operand : operands) {
    if (llvm::Error error = checkOperands(step, operands[0], operand))
      return std::move(error);
    shapes.push_back(operand.getShape());
  }
  Expected<HostTensor::Shape> shape = broadcastShapes(shapes);
  if (!shape)
    return shape.takeError();
  if (step == BinaryFunction::Add && isFloat(operands[0].getType()))
    return addFloats(operands, *shape,
                     f == VariadicFunction::Mean ? operands.size() : 1);
  if (f == VariadicFunction::Mean)
    return modelError("Mean takes floats, but its operands hold " +
                      getName(operands[0].getType()));
  HostTensor result = operands[0];
  for (const HostTensor &operand : operands.drop_front()) {
    Expected<HostTensor> next = binary(step, result, operand);
    if (!next)
      return next.takeError();
    result = std::move(*next);
  }
  return result;
}

template <typename T>
static void selectElements(const BroadcastLoop &loop,
                           llvm::ArrayRef<uint8_t> condition,
                           llvm::ArrayRef<T> a, llvm::ArrayRef<T> b,
                           llvm::MutableArrayRef<T> out) {
  loop.forEachRow([&](int64_t at, llvm::ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < loop.getRowLength(); ++i)
      out[at + i] = condition[from[0] + i * loop.getStep(0)]
                        ? a[from[1] + i * loop.getStep(1)]
                        : b[from[2] + i * loop.getStep(2)];
  });
}

Expected<HostTensor> kernels::where(const HostTensor &condition,
                                    const HostTensor &a, const HostTensor &b) {
  if (condition.getType() != ElementType::Bool)
    return modelError("the condition of Where must hold bools, but holds " +
                      getName(condition.getType()));
  if (a.getType() != b.getType() || !a)
    return modelError("the branches of Where must have the same element type, "
                      "but hold " +
                      getName(a.getType()) + " and " + getName(b.getType()));
  llvm::ArrayRef<int64_t> shapes[] = {condition.getShape(), a.getShape(),
                                      b.getShape()};
  Expected<HostTensor::Shape> shape = broadcastShapes(shapes);
  if (!shape)
    return shape.takeError();
  Expected<HostTensor> out = HostTensor::allocate(a.getType(), *shape);
  if (!out)
    return out.takeError();
  BroadcastLoop loop(*shape, shapes);
  llvm::ArrayRef<uint8_t> bits = condition.getData<uint8_t>();
  if (a.getType() == ElementType::String) {
    selectElements(loop, bits, a.getStrings(), b.getStrings(),
                   out->getMutableStrings());
    return out;
  }
  dispatchWidth(a.getType(), [&](auto zero) {
    using T = decltype(zero);
    selectElements(loop, bits, a.getData<T>(), b.getData<T>(),
                   out->getMutable<T>());
  });
  return out;
}
