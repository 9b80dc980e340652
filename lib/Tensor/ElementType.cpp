//===- ElementType.cpp - The element types of ONNX tensors ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/ElementType.h"
#include <array>

using namespace inlay;

namespace {
enum class Kind : uint8_t {
  None,
  Float,
  Signed,
  Unsigned,
  Bool,
  String,
  Complex
};

struct Facts {
  llvm::StringLiteral name;
  unsigned bits;
  Kind kind;
};

// Indexed by ONNX's number.
constexpr std::array<Facts, lastElementType + 1> table = {{
    {"undefined", 0, Kind::None},       {"float", 32, Kind::Float},
    {"uint8", 8, Kind::Unsigned},       {"int8", 8, Kind::Signed},
    {"uint16", 16, Kind::Unsigned},     {"int16", 16, Kind::Signed},
    {"int32", 32, Kind::Signed},        {"int64", 64, Kind::Signed},
    {"string", 0, Kind::String},        {"bool", 8, Kind::Bool},
    {"float16", 16, Kind::Float},       {"double", 64, Kind::Float},
    {"uint32", 32, Kind::Unsigned},     {"uint64", 64, Kind::Unsigned},
    {"complex64", 64, Kind::Complex},   {"complex128", 128, Kind::Complex},
    {"bfloat16", 16, Kind::Float},      {"float8e4m3fn", 8, Kind::Float},
    {"float8e4m3fnuz", 8, Kind::Float}, {"float8e5m2", 8, Kind::Float},
    {"float8e5m2fnuz", 8, Kind::Float}, {"uint4", 4, Kind::Unsigned},
    {"int4", 4, Kind::Signed},          {"float4e2m1", 4, Kind::Float},
    {"float8e8m0", 8, Kind::Float},     {"uint2", 2, Kind::Unsigned},
    {"int2", 2, Kind::Signed},
}};

const Facts &getFacts(ElementType type) { return table[unsigned(type)]; }
} // namespace

std::optional<ElementType> inlay::getElementType(int64_t code) {
  if (code <= 0 || code > lastElementType)
    return std::nullopt;
  return ElementType(code);
}

llvm::StringRef inlay::getName(ElementType type) { return getFacts(type).name; }

std::optional<ElementType> inlay::parseElementType(llvm::StringRef name) {
  for (unsigned code = 1; code <= lastElementType; ++code)
    if (table[code].name == name)
      return ElementType(code);
  return std::nullopt;
}

unsigned inlay::getBitWidth(ElementType type) { return getFacts(type).bits; }

unsigned inlay::getHostByteWidth(ElementType type) {
  return (getBitWidth(type) + 7) / 8;
}

uint64_t inlay::getPackedByteSize(ElementType type, uint64_t count) {
  unsigned bits = getBitWidth(type);
  if (bits >= 8)
    return count * (bits / 8);
  unsigned perByte = bits ? 8 / bits : 1;
  return bits ? count / perByte + (count % perByte != 0) : 0;
}

bool inlay::isFloat(ElementType type) {
  return getFacts(type).kind == Kind::Float;
}
bool inlay::isSignedInteger(ElementType type) {
  return getFacts(type).kind == Kind::Signed;
}
bool inlay::isUnsignedInteger(ElementType type) {
  return getFacts(type).kind == Kind::Unsigned;
}
bool inlay::isComplex(ElementType type) {
  return getFacts(type).kind == Kind::Complex;
}
