//===- Packing.cpp - Elements as files hold them --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Packing.h"
#include "inlay/Support/Error.h"
#include <bit>
#include <cstring>

using namespace inlay;

static_assert(std::endian::native == std::endian::little,
              "files are little-endian and mapped as they are");

/// Whether the bytes of a file are the ones a HostTensor holds.
static bool isHostFormat(ElementType type) {
  return getBitWidth(type) >= 8 && type != ElementType::Bool;
}

/// The largest power of two up to which elements of `width` bytes are aligned.
static bool isAligned(const char *data, unsigned width) {
  unsigned alignment = std::min(width, 8u);
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}

/// Spreads elements of `bits` < 8 bits, the first in the low bits, to a byte
/// each.
static void unpackBits(llvm::ArrayRef<char> packed, unsigned bits,
                       bool isSigned, llvm::MutableArrayRef<char> out) {
  unsigned perByte = 8 / bits, mask = (1u << bits) - 1, sign = 1u << (bits - 1);
  for (size_t i = 0; i < out.size(); ++i) {
    unsigned value =
        (uint8_t(packed[i / perByte]) >> (i % perByte * bits)) & mask;
    out[i] = char(isSigned && (value & sign) ? value | ~mask : value);
  }
}

llvm::Expected<HostTensor> inlay::unpackElements(ElementType type,
                                                 llvm::ArrayRef<int64_t> shape,
                                                 const FileRange &range) {
  std::optional<int64_t> count = getNumElements(shape);
  if (!count || type == ElementType::String)
    return modelError("tensor of shape " + formatShape(shape) +
                      " cannot lie in a file as raw bytes");
  uint64_t needed = getPackedByteSize(type, *count);
  if (range.length != needed)
    return modelError("tensor of shape " + formatShape(shape) + " needs " +
                      llvm::Twine(needed) + " bytes, found " +
                      llvm::Twine(range.length));
  llvm::ArrayRef<char> bytes = range.getBytes();
  if (isHostFormat(type) && isAligned(bytes.data(), getHostByteWidth(type)))
    return HostTensor::view(type, shape, bytes, range.file);
  llvm::Expected<HostTensor> tensor = HostTensor::allocate(type, shape);
  if (!tensor)
    return tensor;
  llvm::MutableArrayRef<char> out = tensor->getMutableBytes();
  if (getBitWidth(type) < 8)
    unpackBits(bytes, getBitWidth(type), isSignedInteger(type), out);
  else if (type == ElementType::Bool)
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = bytes[i] != 0;
  else if (!bytes.empty())
    std::memcpy(out.data(), bytes.data(), bytes.size());
  return tensor;
}

Blob inlay::packElements(const HostTensor &tensor) {
  unsigned bits = getBitWidth(tensor.getType());
  auto kept = std::make_shared<HostTensor>(tensor);
  if (bits >= 8)
    return {kept->getBytes(), kept};
  llvm::ArrayRef<char> bytes = tensor.getBytes();
  uint64_t size = getPackedByteSize(tensor.getType(), bytes.size());
  auto packed = std::make_shared<std::vector<char>>(size);
  unsigned perByte = 8 / bits, mask = (1u << bits) - 1;
  for (size_t i = 0; i < bytes.size(); ++i)
    (*packed)[i / perByte] |= (uint8_t(bytes[i]) & mask)
                              << (i % perByte * bits);
  return {llvm::ArrayRef<char>(*packed), packed};
}
