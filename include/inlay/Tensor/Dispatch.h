//===- Dispatch.h - Code per element type -----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three ways to write a kernel for many element types, cheapest to compile
// first:
//
//  * dispatchCompute: the kernel works on buffers of double, int64_t or
//    uint64_t that loadElements and storeElements convert, a chunk at a time.
//  * dispatchWidth: the kernel only moves elements about.
//  * dispatchNumeric: the kernel is compiled for each element type.
//
//   dispatchNumeric(x.getType(), [&](auto element) {
//     using Element = decltype(element);
//     auto data = x.getData<typename Element::Storage>();
//     typename Element::Compute sum = Element::load(data[0]) + ...;
//     out[0] = Element::store(sum);
//   });
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_DISPATCH_H
#define INLAY_TENSOR_DISPATCH_H

#include "inlay/Support/Error.h"
#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/SmallFloat.h"
#include <type_traits>

namespace inlay {

/// Integers of `bits` bits held in a T. `store` wraps.
template <typename T, unsigned bits> struct IntegerElement {
  using Storage = T;
  using Compute = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  static Compute load(T value) { return value; }
  static T store(Compute value) {
    constexpr unsigned unused = sizeof(T) * 8 - bits;
    using Unsigned = std::make_unsigned_t<T>;
    // The right shift brings the sign back, or zeros.
    return T(T(Unsigned(Unsigned(value) << unused)) >> unused);
  }
};

struct BoolElement {
  using Storage = uint8_t;
  using Compute = uint64_t;
  static uint64_t load(uint8_t value) { return value != 0; }
  static uint8_t store(uint64_t value) { return value != 0; }
};

/// float and double. Both compute in double; `store` rounds once.
template <typename T> struct NativeFloatElement {
  using Storage = T;
  using Compute = double;
  static double load(T value) { return value; }
  static T store(double value) { return T(value); }
};

/// The narrow floats. `store` saturates in the 8-bit formats, as ONNX does
/// unless a Cast asks otherwise.
template <typename T, const SmallFloatFormat &format> struct SmallFloatElement {
  using Storage = T;
  using Compute = double;
  static double load(T bits) { return decodeSmallFloat(format, bits); }
  static T store(double value) {
    return T(encodeSmallFloat(format, value, /*saturate=*/sizeof(T) == 1));
  }
};

struct Float8E8M0Element {
  using Storage = uint8_t;
  using Compute = double;
  static double load(uint8_t bits) { return decodeFloat8E8M0(bits); }
  static uint8_t store(double value) { return encodeFloat8E8M0(value); }
};

/// Calls fn with the element of `type`, which must be a number or a bool: not
/// a string, not complex.
template <typename F> decltype(auto) dispatchNumeric(ElementType type, F &&fn) {
  switch (type) {
  case ElementType::Float:
    return fn(NativeFloatElement<float>());
  case ElementType::Double:
    return fn(NativeFloatElement<double>());
  case ElementType::Float16:
    return fn(SmallFloatElement<uint16_t, float16Format>());
  case ElementType::BFloat16:
    return fn(SmallFloatElement<uint16_t, bfloat16Format>());
  case ElementType::Float8E4M3FN:
    return fn(SmallFloatElement<uint8_t, float8E4M3FNFormat>());
  case ElementType::Float8E4M3FNUZ:
    return fn(SmallFloatElement<uint8_t, float8E4M3FNUZFormat>());
  case ElementType::Float8E5M2:
    return fn(SmallFloatElement<uint8_t, float8E5M2Format>());
  case ElementType::Float8E5M2FNUZ:
    return fn(SmallFloatElement<uint8_t, float8E5M2FNUZFormat>());
  case ElementType::Float4E2M1:
    return fn(SmallFloatElement<uint8_t, float4E2M1Format>());
  case ElementType::Float8E8M0:
    return fn(Float8E8M0Element());
  case ElementType::UInt8:
    return fn(IntegerElement<uint8_t, 8>());
  case ElementType::Int8:
    return fn(IntegerElement<int8_t, 8>());
  case ElementType::UInt16:
    return fn(IntegerElement<uint16_t, 16>());
  case ElementType::Int16:
    return fn(IntegerElement<int16_t, 16>());
  case ElementType::UInt32:
    return fn(IntegerElement<uint32_t, 32>());
  case ElementType::Int32:
    return fn(IntegerElement<int32_t, 32>());
  case ElementType::UInt64:
    return fn(IntegerElement<uint64_t, 64>());
  case ElementType::Int64:
    return fn(IntegerElement<int64_t, 64>());
  case ElementType::UInt4:
    return fn(IntegerElement<uint8_t, 4>());
  case ElementType::Int4:
    return fn(IntegerElement<int8_t, 4>());
  case ElementType::UInt2:
    return fn(IntegerElement<uint8_t, 2>());
  case ElementType::Int2:
    return fn(IntegerElement<int8_t, 2>());
  case ElementType::Bool:
    return fn(BoolElement());
  default:
    llvm_unreachable("dispatchNumeric needs a number");
  }
}

/// Whether dispatchNumeric and dispatchCompute take the type.
inline bool isNumeric(ElementType type) {
  return isFloat(type) || isInteger(type) || type == ElementType::Bool;
}

/// An error unless the tensor is present and holds numbers or bools. `what`
/// names it, as in "input of Softmax".
llvm::Error checkNumeric(const HostTensor &tensor, const llvm::Twine &what);
/// The same, for floats only.
llvm::Error checkFloat(const HostTensor &tensor, const llvm::Twine &what);

/// Calls fn(double()) for floats, fn(int64_t()) for signed integers and
/// fn(uint64_t()) for unsigned integers and bools.
template <typename F> decltype(auto) dispatchCompute(ElementType type, F &&fn) {
  if (isFloat(type))
    return fn(double());
  if (isSignedInteger(type))
    return fn(int64_t());
  return fn(uint64_t());
}

/// An element of complex128.
struct Bits128 {
  uint64_t words[2];
};

/// Calls fn with an unsigned value as wide as an element on the host (Bits128
/// for complex128); for kernels that move elements. Not for strings.
template <typename F> decltype(auto) dispatchWidth(ElementType type, F &&fn) {
  switch (getHostByteWidth(type)) {
  case 1:
    return fn(uint8_t());
  case 2:
    return fn(uint16_t());
  case 4:
    return fn(uint32_t());
  case 8:
    return fn(uint64_t());
  case 16:
    return fn(Bits128());
  default:
    llvm_unreachable("dispatchWidth needs elements of a fixed width");
  }
}

/// How many elements a kernel converts at a time; small enough for the stack.
constexpr int64_t chunkSize = 1024;

/// Converts elements from `offset` on to the computing type, which need not be
/// the tensor's own: floats become integers by truncation, saturating at the
/// bounds of int64_t (uint64_t), with 0 for NaN. For numbers only.
void loadElements(const HostTensor &from, int64_t offset,
                  llvm::MutableArrayRef<double> to);
void loadElements(const HostTensor &from, int64_t offset,
                  llvm::MutableArrayRef<int64_t> to);
void loadElements(const HostTensor &from, int64_t offset,
                  llvm::MutableArrayRef<uint64_t> to);
/// The other way: floats are rounded once, integers wrap (a double on its way
/// into an integer is first truncated as above).
void storeElements(HostTensor &to, int64_t offset, llvm::ArrayRef<double> from);
void storeElements(HostTensor &to, int64_t offset,
                   llvm::ArrayRef<int64_t> from);
void storeElements(HostTensor &to, int64_t offset,
                   llvm::ArrayRef<uint64_t> from);

/// All elements as doubles.
std::vector<double> toDoubles(const HostTensor &tensor);

/// Truncates, saturating at the bounds, with 0 for NaN; negative numbers wrap
/// in the unsigned form, as they do in narrower integers.
int64_t truncateToInt64(double value);
uint64_t truncateToUInt64(double value);

} // namespace inlay

#endif // INLAY_TENSOR_DISPATCH_H
