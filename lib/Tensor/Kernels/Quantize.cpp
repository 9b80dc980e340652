//===- Quantize.cpp - Reference kernels of linear quantisation ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Quantize.h"
#include "AxisView.h"
#include "RowBuffer.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;

namespace {
/// Which scale belongs to which element.
class Granularity {
public:
  static Expected<Granularity> get(const HostTensor &x, const HostTensor &scale,
                                   int64_t axis, int64_t blockSize);

  int64_t getScaleIndex(int64_t element) const {
    if (kind == Kind::PerTensor)
      return 0;
    int64_t position = element / inner % size;
    if (kind == Kind::PerAxis)
      return position;
    int64_t outer = element / inner / size;
    return (outer * blocks + position / blockSize) * inner + element % inner;
  }

private:
  enum class Kind : uint8_t { PerTensor, PerAxis, Blocked };

  Kind kind = Kind::PerTensor;
  int64_t size = 1;
  int64_t inner = 1;
  int64_t blocks = 1;
  int64_t blockSize = 1;
};

struct IntegerRange {
  double lowest;
  double highest;
};
} // namespace

static llvm::Error scaleError(const HostTensor &x, const HostTensor &scale,
                              int64_t axis, int64_t blockSize) {
  return modelError("the scale must be one element, one per index of axis " +
                    llvm::Twine(axis) + " or one per block of " +
                    llvm::Twine(blockSize) + " of a tensor of shape " +
                    formatShape(x.getShape()) + ", but has shape " +
                    formatShape(scale.getShape()));
}

Expected<Granularity> Granularity::get(const HostTensor &x,
                                       const HostTensor &scale, int64_t axis,
                                       int64_t blockSize) {
  Granularity result;
  if (blockSize == 0 && scale.getNumElements() == 1)
    return result;
  if (axis < 0 || axis >= x.getRank() || blockSize < 0)
    return scaleError(x, scale, axis, blockSize);
  AxisView view(x.getShape(), axis);
  result.size = view.size;
  result.inner = view.inner;
  if (blockSize == 0) {
    result.kind = Kind::PerAxis;
    if (scale.getRank() != 1 || scale.getDim(0) != view.size)
      return scaleError(x, scale, axis, blockSize);
    return result;
  }
  result.kind = Kind::Blocked;
  result.blockSize = blockSize;
  result.blocks = view.size / blockSize + (view.size % blockSize != 0);
  HostTensor::Shape expected(x.getShape());
  expected[axis] = result.blocks;
  if (scale.getShape() != llvm::ArrayRef<int64_t>(expected))
    return scaleError(x, scale, axis, blockSize);
  return result;
}

static llvm::Error checkScales(const HostTensor &scale,
                               const HostTensor *zeroPoint,
                               ElementType quantized) {
  if (llvm::Error error = checkFloat(scale, "the scale of a quantisation"))
    return error;
  if (!zeroPoint)
    return llvm::Error::success();
  if (zeroPoint->getType() != quantized)
    return modelError("the zero point must hold " + getName(quantized) +
                      ", but holds " + getName(zeroPoint->getType()));
  if (zeroPoint->getNumElements() != scale.getNumElements())
    return modelError("the zero point must have the scale's shape " +
                      formatShape(scale.getShape()) + ", but has " +
                      formatShape(zeroPoint->getShape()));
  return llvm::Error::success();
}

static std::vector<double> getZeroPoints(const HostTensor &scale,
                                         const HostTensor *zeroPoint) {
  if (zeroPoint)
    return toDoubles(*zeroPoint);
  return std::vector<double>(scale.getNumElements(), 0.0);
}

static IntegerRange getRange(ElementType type) {
  int bits = getBitWidth(type);
  if (isSignedInteger(type))
    return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
  return {0.0, std::ldexp(1.0, bits) - 1};
}

/// Rounds to a float type the way its own division would have.
static double roundToPrecision(double value, ElementType precision) {
  if (precision == ElementType::Float)
    return float(value);
  if (const SmallFloatFormat *format = getSmallFloatFormat(precision))
    return decodeSmallFloat(*format, encodeSmallFloat(*format, value, false));
  return value;
}

static bool isQuantizedType(ElementType type) {
  unsigned bits = getBitWidth(type);
  return (isInteger(type) && bits <= 16) || (isFloat(type) && bits <= 8);
}

namespace {
/// What quantising one element needs besides the element.
struct Quantizer {
  ElementType outType;
  ElementType precision;
  bool saturate;

  void storeIntegers(HostTensor &out, int64_t begin,
                     llvm::MutableArrayRef<double> quotients,
                     llvm::ArrayRef<double> zeroPoints) const {
    IntegerRange range = getRange(outType);
    for (size_t i = 0; i < quotients.size(); ++i)
      quotients[i] = std::clamp(std::nearbyint(quotients[i]) + zeroPoints[i],
                                range.lowest, range.highest);
    storeElements(out, begin, llvm::ArrayRef<double>(quotients));
  }

  void storeFloats(HostTensor &out, int64_t begin,
                   llvm::ArrayRef<double> quotients,
                   llvm::ArrayRef<double> zeroPoints) const {
    const SmallFloatFormat *format = getSmallFloatFormat(outType);
    llvm::MutableArrayRef<uint8_t> bits = out.getMutable<uint8_t>();
    for (size_t i = 0; i < quotients.size(); ++i) {
      double value = quotients[i] + zeroPoints[i];
      bits[begin + i] = format ? encodeSmallFloat(*format, value, saturate)
                               : encodeFloat8E8M0(value);
    }
  }

  void store(HostTensor &out, int64_t begin,
             llvm::MutableArrayRef<double> quotients,
             llvm::ArrayRef<double> zeroPoints) const {
    for (double &quotient : quotients)
      quotient = roundToPrecision(quotient, precision);
    if (isFloat(outType))
      storeFloats(out, begin, quotients, zeroPoints);
    else
      storeIntegers(out, begin, quotients, zeroPoints);
  }
};
} // namespace

static Expected<ElementType> getQuantizedType(const HostTensor *zeroPoint,
                                              const QuantizeOptions &options) {
  ElementType type = options.outputType;
  if (type == ElementType::Undefined)
    type = zeroPoint ? zeroPoint->getType() : ElementType::UInt8;
  if (!isQuantizedType(type))
    return modelError("QuantizeLinear does not give " + getName(type));
  return type;
}

Expected<HostTensor> kernels::quantizeLinear(const HostTensor &x,
                                             const HostTensor &scale,
                                             const HostTensor *zeroPoint,
                                             const QuantizeOptions &options) {
  if (llvm::Error error = checkNumeric(x, "the operand of QuantizeLinear"))
    return std::move(error);
  Expected<ElementType> type = getQuantizedType(zeroPoint, options);
  if (!type)
    return type.takeError();
  if (llvm::Error error = checkScales(scale, zeroPoint, *type))
    return std::move(error);
  Expected<Granularity> granularity =
      Granularity::get(x, scale, options.axis, options.blockSize);
  if (!granularity)
    return granularity.takeError();
  Expected<HostTensor> out = HostTensor::allocate(*type, x.getShape());
  if (!out)
    return out.takeError();

  bool named = options.precision != ElementType::Undefined;
  Quantizer quantizer{*type, named ? options.precision : scale.getType(),
                      options.saturate};
  std::vector<double> scales = toDoubles(scale);
  std::vector<double> zeroPoints = getZeroPoints(scale, zeroPoint);
  RowBuffer<double> row, zeros;
  forEachChunk(x.getNumElements(), [&](int64_t begin, int64_t count) {
    row.load(x, begin, 1, count);
    for (int64_t i = 0; i < count; ++i) {
      int64_t index = granularity->getScaleIndex(begin + i);
      row[i] /= scales[index];
      zeros[i] = zeroPoints[index];
    }
    quantizer.store(*out, begin, row.first(count), zeros.first(count));
  });
  return out;
}

Expected<HostTensor>
kernels::dequantizeLinear(const HostTensor &x, const HostTensor &scale,
                          const HostTensor *zeroPoint,
                          const DequantizeOptions &options) {
  if (!isQuantizedType(x.getType()) && x.getType() != ElementType::Int32)
    return modelError("DequantizeLinear does not take " + getName(x.getType()));
  if (llvm::Error error = checkScales(scale, zeroPoint, x.getType()))
    return std::move(error);
  Expected<Granularity> granularity =
      Granularity::get(x, scale, options.axis, options.blockSize);
  if (!granularity)
    return granularity.takeError();
  bool named = options.outputType != ElementType::Undefined;
  ElementType outType = named ? options.outputType : scale.getType();
  if (!isFloat(outType))
    return modelError("DequantizeLinear gives floats, not " + getName(outType));
  Expected<HostTensor> out = HostTensor::allocate(outType, x.getShape());
  if (!out)
    return out.takeError();

  std::vector<double> scales = toDoubles(scale);
  std::vector<double> zeroPoints = getZeroPoints(scale, zeroPoint);
  RowBuffer<double> row;
  forEachChunk(x.getNumElements(), [&](int64_t begin, int64_t count) {
    row.load(x, begin, 1, count);
    for (int64_t i = 0; i < count; ++i) {
      int64_t index = granularity->getScaleIndex(begin + i);
      row[i] = (row[i] - zeroPoints[index]) * scales[index];
    }
    storeElements(*out, begin, llvm::ArrayRef<double>(row.first(count)));
  });
  return out;
}

Expected<DynamicQuantizeResult>
kernels::dynamicQuantizeLinear(const HostTensor &x) {
  if (x.getType() != ElementType::Float)
    return modelError("DynamicQuantizeLinear takes float, but was given " +
                      getName(x.getType()));
  // In float32 throughout: the definition is that of its rounded steps.
  float lowest = 0, highest = 0;
  for (float value : x.getData<float>()) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  float scale = highest == lowest ? 1.0f : (highest - lowest) / 255.0f;
  float zeroPoint = std::clamp(std::nearbyint(-lowest / scale), 0.0f, 255.0f);
  DynamicQuantizeResult result;
  result.scale = HostTensor::get<float>(ElementType::Float, {}, scale);
  result.zeroPoint = HostTensor(ElementType::UInt8, {});
  result.zeroPoint.setDouble(0, zeroPoint);
  Expected<HostTensor> y =
      quantizeLinear(x, result.scale, &result.zeroPoint, QuantizeOptions());
  if (!y)
    return y.takeError();
  result.y = std::move(*y);
  return result;
}
