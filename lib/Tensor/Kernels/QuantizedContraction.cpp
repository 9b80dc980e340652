//===- QuantizedContraction.cpp - Reference quantized products ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are first brought to element - zero point, which fits 16 bits, and
// multiplied exactly. Scales are applied in single precision, as ONNX Runtime
// does, so that halves are rounded alike.
//
//===----------------------------------------------------------------------===//

#include "ContractionCore.h"
#include "RowBuffer.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Per tensor, per row, per channel
//===----------------------------------------------------------------------===//

static Error checkFits(const HostTensor &t, ArrayRef<int64_t> shape) {
  if (isBroadcastableTo(t.getShape(), shape))
    return Error::success();
  return modelError("scale or zero point must broadcast to " +
                    formatShape(shape) + ", found " +
                    formatShape(t.getShape()));
}

/// One number stands for the whole tensor, whatever its rank.
static HostTensor asScalar(const HostTensor &t) {
  return t.getNumElements() == 1 ? t.reshaped({}) : t;
}

/// A vector has one number per row of a matrix.
static HostTensor alongRows(const HostTensor &t) {
  if (t.getNumElements() != 1 && t.getRank() == 1)
    return t.reshaped({t.getDim(0), 1});
  return asScalar(t);
}

/// A vector has one number per channel, followed by `trailing` axes.
static HostTensor alongChannels(const HostTensor &t, int64_t trailing) {
  if (t.getNumElements() == 1 || t.getRank() != 1)
    return asScalar(t);
  HostTensor::Shape shape(trailing + 1, 1);
  shape[0] = t.getDim(0);
  return t.reshaped(shape);
}

/// x - zeroPoint as int16.
static Expected<HostTensor> center(const HostTensor &x,
                                   const HostTensor &zeroPoint) {
  if (!isInteger(x.getType()) || getBitWidth(x.getType()) > 8)
    return modelError("a quantized operand must have at most 8 bits, found " +
                      getName(x.getType()));
  if (zeroPoint.getType() != x.getType())
    return modelError("zero point must be " + getName(x.getType()) +
                      ", found " + getName(zeroPoint.getType()));
  if (Error error = checkFits(zeroPoint, x.getShape()))
    return std::move(error);
  return zipElements<int64_t, int64_t>(
      x, zeroPoint, ElementType::Int16, x.getShape(),
      [](int64_t value, int64_t zero) { return value - zero; });
}

static HostTensor getZero(ElementType type) { return HostTensor(type, {}); }

/// saturate(round(sums * a.scale * b.scale / y.scale) + y.zeroPoint)
static Expected<HostTensor> requantize(const HostTensor &sums,
                                       const HostTensor &aScale,
                                       const HostTensor &bScale,
                                       const HostTensor &yScale,
                                       const HostTensor &yZeroPoint) {
  ElementType type = yZeroPoint.getType();
  if (!isInteger(type) || getBitWidth(type) > 16)
    return modelError("a quantized result must have at most 16 bits, found " +
                      getName(type));
  ArrayRef<int64_t> shape = sums.getShape();
  for (const HostTensor *scale : {&aScale, &bScale, &yScale}) {
    if (Error error = checkFloat(*scale, "scale"))
      return std::move(error);
    if (Error error = checkFits(*scale, shape))
      return std::move(error);
  }
  if (Error error = checkFits(yZeroPoint, shape))
    return std::move(error);

  Expected<HostTensor::Shape> scaleShape = broadcastShapes(
      {aScale.getShape(), bScale.getShape(), yScale.getShape()});
  if (!scaleShape)
    return scaleShape.takeError();
  Expected<HostTensor> scale = zipElements<double, double>(
      aScale, bScale, ElementType::Float, *scaleShape,
      [](double a, double b) -> double { return float(a) * float(b); });
  if (scale)
    scale = zipElements<double, double>(
        *scale, yScale, ElementType::Float, *scaleShape,
        [](double ab, double y) -> double { return float(ab) / float(y); });
  if (!scale)
    return scale;
  Expected<HostTensor> rounded = zipElements<double, double>(
      sums, *scale, ElementType::Double, shape,
      [](double sum, double factor) -> double {
        return std::nearbyint(float(sum) * float(factor));
      });
  if (!rounded)
    return rounded;
  unsigned bits = getBitWidth(type);
  double low = isSignedInteger(type) ? -std::ldexp(1, bits - 1) : 0;
  double high = low + std::ldexp(1, bits) - 1;
  return zipElements<double, double>(
      *rounded, yZeroPoint, type, shape, [=](double value, double zero) {
        return std::clamp(value + zero, low, high);
      });
}

//===----------------------------------------------------------------------===//
// MatMulInteger and QLinearMatMul
//===----------------------------------------------------------------------===//

/// The product of the centered operands. Each has its own element type.
static Expected<HostTensor> multiplyCentered(ElementType resultType,
                                             const HostTensor &a,
                                             const HostTensor &aZeroPoint,
                                             const HostTensor &b,
                                             const HostTensor &bZeroPoint) {
  Expected<HostTensor> left = center(a, alongRows(aZeroPoint));
  if (!left)
    return left;
  Expected<HostTensor> right = center(b, asScalar(bZeroPoint));
  if (!right)
    return right;
  return matmulTo(resultType, *left, *right);
}

Expected<HostTensor> kernels::matmulInteger(const HostTensor &a,
                                            const HostTensor &b,
                                            const HostTensor *aZeroPoint,
                                            const HostTensor *bZeroPoint) {
  return multiplyCentered(ElementType::Int32, a,
                          aZeroPoint ? *aZeroPoint : getZero(a.getType()), b,
                          bZeroPoint ? *bZeroPoint : getZero(b.getType()));
}

Expected<HostTensor> kernels::qlinearMatmul(const HostTensor &a,
                                            Quantization aQ,
                                            const HostTensor &b,
                                            Quantization bQ, Quantization yQ) {
  Expected<HostTensor> sums =
      multiplyCentered(ElementType::Double, a, aQ.zeroPoint, b, bQ.zeroPoint);
  if (!sums)
    return sums;
  return requantize(*sums, alongRows(aQ.scale), asScalar(bQ.scale),
                    alongRows(yQ.scale), alongRows(yQ.zeroPoint));
}

//===----------------------------------------------------------------------===//
// QGemm
//===----------------------------------------------------------------------===//

/// op(a) * op(b) + c of the centered operands, exactly.
static Expected<HostTensor> sumCentered(const HostTensor &a, Quantization aQ,
                                        const HostTensor &b, Quantization bQ,
                                        const HostTensor *c,
                                        const QGemmOptions &options) {
  auto orient = [](const HostTensor &x, bool isTransposed) {
    return isTransposed ? transpose(x, {1, 0}) : Expected<HostTensor>(x);
  };
  Expected<HostTensor> left = orient(a, options.transA);
  if (!left)
    return left;
  Expected<HostTensor> right = orient(b, options.transB);
  if (!right)
    return right;
  Expected<HostTensor> sums = multiplyCentered(
      ElementType::Double, *left, asScalar(aQ.zeroPoint), *right, bQ.zeroPoint);
  if (!sums || !c)
    return sums;
  if (!isBroadcastableTo(c->getShape(), sums->getShape()))
    return modelError("bias of shape " + formatShape(c->getShape()) +
                      " does not broadcast to " +
                      formatShape(sums->getShape()));
  return zipElements<double, double>(
      *sums, *c, ElementType::Double, sums->getShape(),
      [](double sum, double bias) { return sum + bias; });
}

Expected<HostTensor>
kernels::qgemm(const HostTensor &a, Quantization aQ, const HostTensor &b,
               Quantization bQ, const HostTensor *c, const HostTensor *yScale,
               const HostTensor *yZeroPoint, const QGemmOptions &options) {
  if (a.getRank() != 2 || b.getRank() != 2)
    return modelError("QGemm takes matrices, found " +
                      formatShape(a.getShape()) + " and " +
                      formatShape(b.getShape()));
  Expected<HostTensor> sums = sumCentered(a, aQ, b, bQ, c, options);
  if (!sums)
    return sums;
  Expected<HostTensor> scale = mapElements<double>(
      asScalar(aQ.scale), ElementType::Float,
      [&](double value) -> double { return float(value) * options.alpha; });
  if (!scale)
    return scale;
  if (yScale)
    return requantize(*sums, *scale, asScalar(bQ.scale), asScalar(*yScale),
                      yZeroPoint ? asScalar(*yZeroPoint)
                                 : getZero(a.getType()));
  Expected<HostTensor> product = zipElements<double, double>(
      *scale, asScalar(bQ.scale), ElementType::Float,
      asScalar(bQ.scale).getShape(),
      [](double x, double y) -> double { return float(x) * float(y); });
  if (!product)
    return product;
  return zipElements<double, double>(*sums, *product, ElementType::Float,
                                     sums->getShape(),
                                     [](double sum, double factor) -> double {
                                       return float(sum) * float(factor);
                                     });
}

//===----------------------------------------------------------------------===//
// ConvInteger and QLinearConv
//===----------------------------------------------------------------------===//

static Expected<HostTensor>
convolveCentered(ElementType resultType, const HostTensor &x,
                 const HostTensor &xZeroPoint, const HostTensor &w,
                 const HostTensor &wZeroPoint, const HostTensor *bias,
                 const ConvParams &params) {
  Expected<HostTensor> input = center(x, asScalar(xZeroPoint));
  if (!input)
    return input;
  Expected<HostTensor> weights =
      center(w, alongChannels(wZeroPoint, w.getRank() - 1));
  if (!weights)
    return weights;
  return convTo(resultType, *input, *weights, bias, params);
}

Expected<HostTensor> kernels::convInteger(const HostTensor &x,
                                          const HostTensor &w,
                                          const HostTensor *xZeroPoint,
                                          const HostTensor *wZeroPoint,
                                          const ConvParams &params) {
  bool areCentered = !xZeroPoint && !wZeroPoint &&
                     x.getType() == ElementType::Int32 &&
                     w.getType() == ElementType::Int32;
  if (areCentered)
    return convTo(ElementType::Int32, x, w, nullptr, params);
  return convolveCentered(
      ElementType::Int32, x, xZeroPoint ? *xZeroPoint : getZero(x.getType()), w,
      wZeroPoint ? *wZeroPoint : getZero(w.getType()), nullptr, params);
}

Expected<HostTensor> kernels::qlinearConv(const HostTensor &x, Quantization xQ,
                                          const HostTensor &w, Quantization wQ,
                                          Quantization yQ,
                                          const HostTensor *bias,
                                          const ConvParams &params) {
  if (bias && bias->getType() != ElementType::Int32)
    return modelError("bias of a quantized convolution must be int32, found " +
                      getName(bias->getType()));
  Expected<HostTensor> sums = convolveCentered(
      ElementType::Double, x, xQ.zeroPoint, w, wQ.zeroPoint, bias, params);
  if (!sums)
    return sums;
  return requantize(*sums, asScalar(xQ.scale),
                    alongChannels(wQ.scale, x.getRank() - 2),
                    asScalar(yQ.scale), asScalar(yQ.zeroPoint));
}
