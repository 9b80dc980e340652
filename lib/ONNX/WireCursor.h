//===- WireCursor.h - Stepping over the fields of a message -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// protozero's own message reader cuts lengths to 32 bits and says of damage
// only that there is some; this one checks every length and knows where the
// damage is. protozero decodes the varints.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_WIRECURSOR_H
#define INLAY_LIB_ONNX_WIRECURSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace inlay {

/// How the value of a field is encoded.
enum class WireType : uint8_t {
  Varint = 0,
  Fixed64 = 1,
  Bytes = 2,
  Fixed32 = 5
};

llvm::StringRef getName(WireType type);

/// Decodes the varint of several bytes at `position`; false, leaving the
/// position, when it is cut off by `end` or longer than ten bytes.
bool decodeLongVarint(const char *&position, const char *end, uint64_t &value);

inline bool decodeVarint(const char *&position, const char *end,
                         uint64_t &value) {
  if (position != end && static_cast<signed char>(*position) >= 0) {
    value = static_cast<unsigned char>(*position++);
    return true;
  }
  return decodeLongVarint(position, end, value);
}

/// Steps over the fields of one message. Every value lies within the message
/// once next() has returned true.
class WireCursor {
public:
  explicit WireCursor(llvm::ArrayRef<char> message)
      : position(message.begin()), end(message.end()) {}

  /// Moves to the next field; false at the end and at damage.
  bool next();

  unsigned getField() const { return field; }
  WireType getWireType() const { return type; }
  /// Where the current field's tag is.
  const char *getFieldStart() const { return start; }
  /// The number of a Varint, Fixed64 or Fixed32 field.
  uint64_t getNumber() const { return number; }
  /// The bytes of a Bytes field.
  llvm::ArrayRef<char> getPayload() const { return payload; }

  bool isDamaged() const { return damage != Damage::None; }
  const char *getDamagePosition() const { return position; }
  std::string describeDamage() const;

private:
  enum class Damage : uint8_t { None, Varint, FieldNumber, WireType, Length };

  bool fail(Damage kind, const char *at, uint64_t value = 0);
  bool readFixed(size_t width);
  bool readBytes();

  const char *position;
  const char *end;
  const char *start = nullptr;
  uint64_t number = 0;
  llvm::ArrayRef<char> payload;
  unsigned field = 0;
  WireType type = WireType::Varint;
  Damage damage = Damage::None;
};

} // namespace inlay

#endif // INLAY_LIB_ONNX_WIRECURSOR_H
