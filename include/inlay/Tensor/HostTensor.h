//===- HostTensor.h - Tensors in this machine's memory ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A HostTensor is a shape, an element type and row-major elements that it owns
// or looks at (a mapped file). Copying one shares the elements; a tensor that
// is written to is one its writer has just made.
//
//   HostTensor y(ElementType::Float, {2, 3});          // zeros, owned
//   llvm::MutableArrayRef<float> out = y.getMutable<float>();
//
// Elements narrower than a byte are held one per byte: int4 as int8_t, uint4,
// bool and float4e2m1 as uint8_t. float16, bfloat16 and the 8-bit floats are
// held as their bits (SmallFloat.h). Strings are held in getStrings().
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_HOSTTENSOR_H
#define INLAY_TENSOR_HOSTTENSOR_H

#include "inlay/Tensor/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace inlay {

/// The number of elements of a static shape, or nothing when it is negative
/// somewhere or does not fit into 63 bits. The dimensions other than 0 must fit
/// in any case, so that strides never overflow.
std::optional<int64_t> getNumElements(llvm::ArrayRef<int64_t> shape);

/// "2x3x4"; "2x?x4" where an extent is not known, "scalar" for rank 0. For
/// messages.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

class HostTensor {
public:
  using Shape = llvm::SmallVector<int64_t, 4>;

  /// No tensor at all: the value of an absent optional operand.
  HostTensor() = default;

  /// A tensor of zeros (empty strings). The shape must be valid: callers check
  /// untrusted shapes with `allocate`.
  HostTensor(ElementType type, llvm::ArrayRef<int64_t> shape);

  /// Like the constructor, for shapes that come from a model: fails when the
  /// shape is negative, overflows or does not fit into memory.
  static llvm::Expected<HostTensor> allocate(ElementType type,
                                             llvm::ArrayRef<int64_t> shape);

  /// Looks at elements that somebody else keeps; `owner` keeps them alive.
  /// `bytes` has the host representation described above. Misaligned elements
  /// are copied. Not for strings.
  static HostTensor view(ElementType type, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<char> bytes,
                         std::shared_ptr<const void> owner);

  /// A rank-1 (or `shape`d) tensor of the given elements.
  template <typename T>
  static HostTensor get(ElementType type, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<T> values) {
    HostTensor tensor(type, shape);
    llvm::MutableArrayRef<T> out = tensor.getMutable<T>();
    std::copy(values.begin(), values.end(), out.begin());
    return tensor;
  }
  static HostTensor getInts(llvm::ArrayRef<int64_t> values) {
    return get<int64_t>(ElementType::Int64, {int64_t(values.size())}, values);
  }

  explicit operator bool() const { return type != ElementType::Undefined; }

  ElementType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDim(unsigned i) const { return shape[i]; }
  int64_t getNumElements() const { return count; }

  /// The elements in their host representation; T must have its width.
  template <typename T> llvm::ArrayRef<T> getData() const {
    assert(sizeof(T) == getHostByteWidth(type) && "wrong element width");
    return {reinterpret_cast<const T *>(data), size_t(count)};
  }
  /// Only for a tensor that owns its elements and has not been shared yet.
  template <typename T> llvm::MutableArrayRef<T> getMutable() {
    assert(sizeof(T) == getHostByteWidth(type) && "wrong element width");
    return {reinterpret_cast<T *>(const_cast<char *>(data)), size_t(count)};
  }
  llvm::ArrayRef<char> getBytes() const {
    return {data, size_t(count) * getHostByteWidth(type)};
  }
  llvm::MutableArrayRef<char> getMutableBytes() {
    return {const_cast<char *>(data), size_t(count) * getHostByteWidth(type)};
  }
  llvm::ArrayRef<std::string> getStrings() const { return *strings; }
  llvm::MutableArrayRef<std::string> getMutableStrings() { return *strings; }

  /// The same elements under another shape of equally many elements.
  HostTensor reshaped(llvm::ArrayRef<int64_t> newShape) const;

  /// Element `i` as a number, whatever the element type (not for strings).
  /// Integers beyond 2^53 lose precision in getDouble, floats are truncated in
  /// getInt.
  double getDouble(int64_t i) const;
  int64_t getInt(int64_t i) const;
  /// Stores a number, rounding to nearest even for floats; integers wrap.
  void setDouble(int64_t i, double value);
  void setInt(int64_t i, int64_t value);

  /// All elements as integers; for axes, shapes, pads.
  llvm::SmallVector<int64_t> getInts() const;

private:
  ElementType type = ElementType::Undefined;
  Shape shape;
  int64_t count = 0;
  const char *data = nullptr;
  std::shared_ptr<const void> owner;
  std::shared_ptr<std::vector<std::string>> strings;
};

} // namespace inlay

#endif // INLAY_TENSOR_HOSTTENSOR_H
