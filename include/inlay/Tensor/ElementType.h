//===- ElementType.h - The element types of ONNX tensors --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_ELEMENTTYPE_H
#define INLAY_TENSOR_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace inlay {

/// The element types of ONNX; the numbers are those of TensorProto.DataType.
enum class ElementType : uint8_t {
  Undefined = 0,
  Float = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  UInt2 = 25,
  Int2 = 26,
};

/// The largest number that names an element type.
constexpr int64_t lastElementType = 26;

/// The element type with ONNX's number `code`, if there is one.
std::optional<ElementType> getElementType(int64_t code);

/// ONNX's name in lower case, as in "float16", "int64", "float8e4m3fn".
llvm::StringRef getName(ElementType type);
std::optional<ElementType> parseElementType(llvm::StringRef name);

/// Bits one element takes in a file: 4 for int4, 1 byte for bool; 0 for
/// strings, whose size is not fixed.
unsigned getBitWidth(ElementType type);

/// Bytes one element takes in a HostTensor, where elements narrower than a
/// byte are stored one per byte.
unsigned getHostByteWidth(ElementType type);

/// Bytes that `count` elements take in a file, sub-byte elements packed.
uint64_t getPackedByteSize(ElementType type, uint64_t count);

bool isFloat(ElementType type);
bool isSignedInteger(ElementType type);
bool isUnsignedInteger(ElementType type);
inline bool isInteger(ElementType type) {
  return isSignedInteger(type) || isUnsignedInteger(type);
}
bool isComplex(ElementType type);

} // namespace inlay

#endif // INLAY_TENSOR_ELEMENTTYPE_H
