//===- Cast.cpp - Reference kernel of Cast and CastLike -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Cast.h"
#include "RowBuffer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

/// Shortest digits that read back as `value`, positional for numbers of
/// ordinary size.
template <typename T> static std::string formatFloat(T value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-INF" : "INF";
  double magnitude = std::fabs(double(value));
  bool positional = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  char text[64];
  std::to_chars_result end = std::to_chars(
      text, text + sizeof(text), value,
      positional ? std::chars_format::fixed : std::chars_format::scientific);
  return std::string(text, end.ptr);
}

static std::string formatElement(const HostTensor &x, int64_t i) {
  ElementType type = x.getType();
  if (type == ElementType::Double)
    return formatFloat(x.getDouble(i));
  if (isFloat(type))
    return formatFloat(float(x.getDouble(i)));
  if (type == ElementType::UInt64)
    return std::to_string(x.getData<uint64_t>()[i]);
  return std::to_string(x.getInt(i));
}

static Expected<HostTensor> castToStrings(const HostTensor &x) {
  Expected<HostTensor> out =
      HostTensor::allocate(ElementType::String, x.getShape());
  if (!out)
    return out.takeError();
  llvm::MutableArrayRef<std::string> strings = out->getMutableStrings();
  for (int64_t i = 0; i < x.getNumElements(); ++i)
    strings[i] = formatElement(x, i);
  return out;
}

/// Whether `text` can only be a decimal number, so that hexadecimal floats,
/// exponents without digits and other extensions stay out.
static bool looksDecimal(llvm::StringRef text) {
  if (text.empty() || !(llvm::isDigit(text.back()) || text.back() == '.'))
    return false;
  return text.find_first_not_of("0123456789.eE+-") == llvm::StringRef::npos;
}

static Expected<double> parseFloat(llvm::StringRef text,
                                   const llvm::fltSemantics &semantics) {
  std::string lower = text.lower();
  llvm::StringRef word = llvm::StringRef(lower).ltrim("+-");
  bool negative = text.starts_with("-");
  if (word == "nan")
    return std::nan("");
  if (word == "inf" || word == "infinity")
    return negative ? -HUGE_VAL : HUGE_VAL;
  llvm::APFloat value(semantics);
  if (looksDecimal(text)) {
    auto status =
        value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
    if (status)
      return value.convertToDouble();
    llvm::consumeError(status.takeError());
  }
  return modelError("a string to cast must be a number, but is \"" + text +
                    "\"");
}

static llvm::Error parseElement(llvm::StringRef text, HostTensor &out,
                                int64_t i) {
  ElementType type = out.getType();
  text = text.trim();
  llvm::StringRef digits = text;
  digits.consume_front("+");
  int64_t integer;
  uint64_t large;
  if (!isFloat(type) && !digits.getAsInteger(10, integer)) {
    out.setInt(i, integer);
    return llvm::Error::success();
  }
  if (type == ElementType::UInt64 && !digits.getAsInteger(10, large)) {
    out.setInt(i, int64_t(large));
    return llvm::Error::success();
  }
  // float32 is read as such: through double it would be rounded twice.
  Expected<double> value = parseFloat(text, type == ElementType::Float
                                                ? llvm::APFloat::IEEEsingle()
                                                : llvm::APFloat::IEEEdouble());
  if (!value)
    return value.takeError();
  out.setDouble(i, *value);
  return llvm::Error::success();
}

static Expected<HostTensor> castFromStrings(const HostTensor &x,
                                            ElementType toType) {
  Expected<HostTensor> out = HostTensor::allocate(toType, x.getShape());
  if (!out)
    return out.takeError();
  llvm::ArrayRef<std::string> strings = x.getStrings();
  for (int64_t i = 0; i < x.getNumElements(); ++i)
    if (llvm::Error error = parseElement(strings[i], *out, i))
      return std::move(error);
  return out;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static Expected<HostTensor> castComplex(const HostTensor &x,
                                        ElementType toType) {
  if (!isComplex(x.getType()) || !isComplex(toType))
    return unsupportedError("cannot cast " + getName(x.getType()) + " to " +
                            getName(toType));
  Expected<HostTensor> out = HostTensor::allocate(toType, x.getShape());
  if (!out)
    return out.takeError();
  const char *from = x.getBytes().data();
  char *to = out->getMutableBytes().data();
  int64_t parts = 2 * x.getNumElements();
  for (int64_t i = 0; i < parts; ++i) {
    double value = x.getType() == ElementType::Complex64
                       ? reinterpret_cast<const float *>(from)[i]
                       : reinterpret_cast<const double *>(from)[i];
    if (toType == ElementType::Complex64)
      reinterpret_cast<float *>(to)[i] = float(value);
    else
      reinterpret_cast<double *>(to)[i] = value;
  }
  return out;
}

/// To a narrow float of one byte, where the options matter.
static Expected<HostTensor> castToFloat8(const HostTensor &x,
                                         ElementType toType,
                                         const CastOptions &options) {
  Expected<HostTensor> out = HostTensor::allocate(toType, x.getShape());
  if (!out)
    return out.takeError();
  const SmallFloatFormat *format = getSmallFloatFormat(toType);
  llvm::MutableArrayRef<uint8_t> bits = out->getMutable<uint8_t>();
  RowBuffer<double> row;
  forEachChunk(x.getNumElements(), [&](int64_t begin, int64_t count) {
    row.load(x, begin, 1, count);
    for (int64_t i = 0; i < count; ++i)
      bits[begin + i] =
          format ? encodeSmallFloat(*format, row[i], options.saturate)
                 : encodeFloat8E8M0(row[i], options.rounding, options.saturate);
  });
  return out;
}

Expected<HostTensor> kernels::cast(const HostTensor &x, ElementType toType,
                                   const CastOptions &options) {
  ElementType type = x.getType();
  if (!x || toType == ElementType::Undefined)
    return modelError("Cast needs an operand and an element type");
  if (type == toType)
    return x;
  if (isComplex(type) || isComplex(toType))
    return castComplex(x, toType);
  if (type == ElementType::String)
    return castFromStrings(x, toType);
  if (toType == ElementType::String)
    return castToStrings(x);
  if (isFloat(toType) && getHostByteWidth(toType) == 1)
    return castToFloat8(x, toType, options);
  if (isFloat(type) && !isFloat(toType) && getBitWidth(toType) < 8)
    return mapElements<double>(
        x, toType, [](double value) { return std::nearbyint(value); });
  return dispatchCompute(type, [&](auto zero) {
    using T = decltype(zero);
    return mapElements<T>(x, toType, [](T value) { return value; });
  });
}
