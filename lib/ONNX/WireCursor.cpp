//===- WireCursor.cpp - Stepping over the fields of a message -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file compiled with exceptions: protozero throws, and nothing thrown
// leaves decodeLongVarint.
//
//===----------------------------------------------------------------------===//

#include "WireCursor.h"
#include "llvm/ADT/Twine.h"
#include <bit>
#include <cstring>
#include <protozero/varint.hpp>

using namespace inlay;

static_assert(std::endian::native == std::endian::little,
              "numbers of the file are used as they are");

llvm::StringRef inlay::getName(WireType type) {
  switch (type) {
  case WireType::Varint:
    return "varint";
  case WireType::Fixed64:
    return "64-bit";
  case WireType::Bytes:
    return "length-delimited";
  case WireType::Fixed32:
    return "32-bit";
  }
  return "unknown";
}

bool inlay::decodeLongVarint(const char *&position, const char *end,
                             uint64_t &value) {
  try {
    value = protozero::decode_varint(&position, end);
    return true;
  } catch (const protozero::exception &) {
    return false;
  }
}

bool WireCursor::fail(Damage kind, const char *at, uint64_t value) {
  damage = kind;
  position = at;
  number = value;
  return false;
}

bool WireCursor::readFixed(size_t width) {
  if (size_t(end - position) < width)
    return fail(Damage::Length, start, width);
  number = 0;
  std::memcpy(&number, position, width);
  position += width;
  return true;
}

bool WireCursor::readBytes() {
  uint64_t length;
  if (!decodeVarint(position, end, length))
    return fail(Damage::Varint, position);
  if (length > uint64_t(end - position))
    return fail(Damage::Length, position, length);
  payload = {position, size_t(length)};
  position += length;
  return true;
}

bool WireCursor::next() {
  if (position == end || isDamaged())
    return false;
  start = position;
  uint64_t tag;
  if (!decodeVarint(position, end, tag))
    return fail(Damage::Varint, start);
  // 2^29 - 1 is the largest field number of protobuf.
  if (tag >> 3 == 0 || tag >> 3 >= uint64_t(1) << 29)
    return fail(Damage::FieldNumber, start, tag >> 3);
  field = tag >> 3;
  switch (tag & 7) {
  case unsigned(WireType::Varint):
    type = WireType::Varint;
    if (!decodeVarint(position, end, number))
      return fail(Damage::Varint, position);
    return true;
  case unsigned(WireType::Fixed64):
    type = WireType::Fixed64;
    return readFixed(8);
  case unsigned(WireType::Bytes):
    type = WireType::Bytes;
    return readBytes();
  case unsigned(WireType::Fixed32):
    type = WireType::Fixed32;
    return readFixed(4);
  }
  return fail(Damage::WireType, start, tag & 7);
}

std::string WireCursor::describeDamage() const {
  switch (damage) {
  case Damage::None:
    return "no damage";
  case Damage::Varint:
    return "a number is cut off or longer than ten bytes";
  case Damage::FieldNumber:
    return ("field number " + llvm::Twine(number) + " does not exist").str();
  case Damage::WireType:
    return ("unknown wire type " + llvm::Twine(number)).str();
  case Damage::Length:
    return ("length " + llvm::Twine(number) + " exceeds the " +
            llvm::Twine(uint64_t(end - position)) + " bytes left")
        .str();
  }
  return "unknown damage";
}
