//===- Compare.cpp - Whether two tensors are equal enough -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Compare.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/SmallFloat.h"
#include "inlay/Tensor/Strides.h"
#include <cmath>
#include <limits>

using namespace inlay;

static constexpr double infinity = std::numeric_limits<double>::infinity();

double inlay::getUnitInLastPlace(ElementType type, double value) {
  const SmallFloatFormat *format = getSmallFloatFormat(type);
  assert(format && "not a narrow float");
  int exponent = value == 0 ? 1 - format->bias : std::ilogb(value);
  exponent = std::max(exponent, 1 - format->bias);
  return std::ldexp(1.0, exponent - format->mantissaBits);
}

/// The index of element number `offset` of a row-major tensor.
static HostTensor::Shape getIndex(llvm::ArrayRef<int64_t> shape,
                                  int64_t offset) {
  HostTensor::Shape index(shape.size());
  for (size_t i = shape.size(); i-- > 0; offset /= shape[i])
    index[i] = offset % shape[i];
  return index;
}

static void setWorst(TensorComparison &result, int64_t offset) {
  result.hasWorst = true;
  result.worst = getIndex(result.shape, offset);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// |a - b|; infinite where a NaN or an infinity is not matched.
static double getDifference(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? 0 : infinity;
  if (std::isinf(a) || std::isinf(b))
    return a == b ? 0 : infinity;
  return std::fabs(a - b);
}

static double getLimit(ElementType type, double largest,
                       const CompareOptions &options) {
  bool isWide = type == ElementType::Float || type == ElementType::Double ||
                isComplex(type);
  if (isWide || options.isExplicit)
    return std::max(options.tolerance * largest, options.least);
  if (type == ElementType::Float16 || type == ElementType::BFloat16)
    return 2 * getUnitInLastPlace(type, largest);
  return 0;
}

static double getAllowed(const CompareOptions &options, int64_t i) {
  return options.allowed.empty() ? 0 : options.allowed[i];
}

/// Calls fn(i, a[i], b[i]) for all elements.
template <typename F>
static void forEachPair(const HostTensor &a, const HostTensor &b, F &&fn) {
  std::vector<double> left(chunkSize), right(chunkSize);
  for (int64_t begin = 0, e = a.getNumElements(); begin < e && !isCancelled();
       begin += chunkSize) {
    size_t size = std::min(chunkSize, e - begin);
    loadElements(a, begin, llvm::MutableArrayRef(left).take_front(size));
    loadElements(b, begin, llvm::MutableArrayRef(right).take_front(size));
    for (size_t i = 0; i < size; ++i)
      fn(begin + int64_t(i), left[i], right[i]);
  }
}

namespace {
/// The magnitudes of a tensor's elements, by their exponents.
class Magnitudes {
public:
  explicit Magnitudes(const HostTensor &tensor);

  /// What an element is measured by: the largest of those that are not beyond
  /// its own order of magnitude, or that of the smaller elements.
  double getScale(double value) const;
  double getLargest() const { return largest.back(); }

private:
  static constexpr int minExponent = -1074, maxExponent = 1023;
  /// 1024 times as large is beyond.
  static constexpr int reach = 10;

  static int getPlace(double value) { return std::ilogb(value) - minExponent; }
  static bool hasPlace(double value) {
    return std::isfinite(value) && value != 0;
  }

  /// Of the elements up to each exponent.
  std::vector<double> largest =
      std::vector<double>(maxExponent - minExponent + 1, 0);
  /// A tenth of the elements that are not zero are below this exponent.
  int smaller = 0;
};
} // namespace

Magnitudes::Magnitudes(const HostTensor &tensor) {
  std::vector<int64_t> counts(largest.size(), 0);
  int64_t rest = 0;
  forEachPair(tensor, tensor, [&](int64_t, double value, double) {
    if (!hasPlace(value))
      return;
    int place = getPlace(value);
    largest[place] = std::max(largest[place], std::fabs(value));
    ++counts[place];
    ++rest;
  });
  rest /= 10;
  while (rest >= counts[smaller] && smaller + 1 < int(counts.size()))
    rest -= counts[smaller++];
  for (size_t i = 1; i < largest.size(); ++i)
    largest[i] = std::max(largest[i], largest[i - 1]);
}

double Magnitudes::getScale(double value) const {
  int own = hasPlace(value) ? std::max(getPlace(value), smaller) : smaller;
  return largest[std::min<size_t>(own + reach, largest.size() - 1)];
}

static void compareFloats(const HostTensor &a, const HostTensor &b,
                          const CompareOptions &options,
                          TensorComparison &result) {
  Magnitudes magnitudes(a);
  int64_t worst = -1;
  result.limit = getLimit(result.type, magnitudes.getLargest(), options);
  forEachPair(a, b, [&](int64_t i, double x, double y) {
    double difference = getDifference(x, y);
    if (difference == 0)
      return;
    double scale = magnitudes.getScale(x);
    double error = scale == 0 ? infinity : difference / scale;
    double limit =
        std::max(getLimit(result.type, scale, options), getAllowed(options, i));
    result.numMismatches += difference > limit;
    result.maxAbsError = std::max(result.maxAbsError, difference);
    if (worst >= 0 && error <= result.relativeError)
      return;
    result.relativeError = error;
    result.limit = limit;
    worst = i;
  });
  if (worst < 0)
    return;
  setWorst(result, worst);
  result.worstA = a.getDouble(worst);
  result.worstB = b.getDouble(worst);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

/// |x - y| of integers, exact up to 2^53.
static double getIntegerDifference(const HostTensor &a, const HostTensor &b,
                                   int64_t i) {
  int64_t x = a.getInt(i), y = b.getInt(i);
  if (isUnsignedInteger(a.getType()))
    return double(uint64_t(x) > uint64_t(y) ? uint64_t(x) - uint64_t(y)
                                            : uint64_t(y) - uint64_t(x));
  return double(x > y ? uint64_t(x) - uint64_t(y) : uint64_t(y) - uint64_t(x));
}

static double getMagnitude(const HostTensor &tensor, int64_t i) {
  int64_t x = tensor.getInt(i);
  return isUnsignedInteger(tensor.getType()) ? double(uint64_t(x))
                                             : std::fabs(double(x));
}

static void compareIntegers(const HostTensor &a, const HostTensor &b,
                            const CompareOptions &options,
                            TensorComparison &result) {
  double largest = 0;
  result.limit = options.steps;
  int64_t worst = -1;
  for (int64_t i = 0, e = a.getNumElements(); i != e; ++i) {
    largest = std::max(largest, getMagnitude(a, i));
    double difference = getIntegerDifference(a, b, i);
    double limit = std::max(options.steps, getAllowed(options, i));
    result.numMismatches += difference > limit;
    if (difference > result.maxAbsError) {
      result.limit = limit;
      result.maxAbsError = difference;
      worst = i;
    }
  }
  if (worst < 0)
    return;
  setWorst(result, worst);
  result.worstA = a.getDouble(worst);
  result.worstB = b.getDouble(worst);
  result.relativeError = largest == 0 ? infinity : result.maxAbsError / largest;
}

static void compareStrings(const HostTensor &a, const HostTensor &b,
                           TensorComparison &result) {
  for (int64_t i = 0, e = a.getNumElements(); i != e; ++i) {
    if (a.getStrings()[i] == b.getStrings()[i])
      continue;
    if (result.numMismatches++ == 0)
      setWorst(result, i);
  }
  result.maxAbsError = result.relativeError =
      result.numMismatches ? infinity : 0;
}

/// Complex numbers as pairs of floats along one more dimension.
static HostTensor splitComplex(const HostTensor &tensor) {
  HostTensor::Shape shape(tensor.getShape());
  shape.push_back(2);
  ElementType type = tensor.getType() == ElementType::Complex64
                         ? ElementType::Float
                         : ElementType::Double;
  return HostTensor::view(type, shape, tensor.getBytes(),
                          std::make_shared<HostTensor>(tensor));
}

static std::string findContradiction(const HostTensor &a, const HostTensor &b) {
  if (a.getType() != b.getType())
    return ("element types differ: " + getName(a.getType()) + " and " +
            getName(b.getType()))
        .str();
  if (a.getShape() != b.getShape())
    return "shapes differ: " + formatShape(a.getShape()) + " and " +
           formatShape(b.getShape());
  return "";
}

TensorComparison inlay::compareTensors(llvm::StringRef name,
                                       const HostTensor &a, const HostTensor &b,
                                       const CompareOptions &options) {
  TensorComparison result;
  result.name = name.str();
  result.type = a.getType();
  result.shape.assign(a.getShape().begin(), a.getShape().end());
  result.reason = findContradiction(a, b);
  if (!result.reason.empty()) {
    result.isEqual = false;
    result.maxAbsError = result.relativeError = infinity;
    return result;
  }
  if (isComplex(a.getType())) {
    result.shape.push_back(2);
    compareFloats(splitComplex(a), splitComplex(b), options, result);
    result.shape.pop_back();
    if (result.hasWorst)
      result.worst.pop_back();
  } else if (a.getType() == ElementType::String) {
    compareStrings(a, b, result);
  } else if (isFloat(a.getType())) {
    compareFloats(a, b, options, result);
  } else {
    compareIntegers(a, b, options, result);
  }
  result.isEqual = result.numMismatches == 0;
  return result;
}

//===----------------------------------------------------------------------===//
// What shows nothing
//===----------------------------------------------------------------------===//

static llvm::StringRef findBlankStrings(llvm::ArrayRef<std::string> strings) {
  return strings.size() > 1 && llvm::all_equal(strings) ? "constant" : "";
}

llvm::StringRef inlay::findBlank(const HostTensor &tensor) {
  int64_t count = tensor.getNumElements();
  if (count == 0)
    return "empty";
  if (tensor.getType() == ElementType::String)
    return findBlankStrings(tensor.getStrings());
  if (isComplex(tensor.getType()))
    return findBlank(splitComplex(tensor));
  std::optional<double> first;
  for (int64_t i = 0; i < count; ++i) {
    double value = tensor.getDouble(i);
    if (std::isnan(value))
      continue;
    if (first && value != *first)
      return "";
    first = value;
  }
  if (!first)
    return "all NaN";
  return count > 1 ? "constant" : "";
}
