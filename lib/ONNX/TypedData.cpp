//===- TypedData.cpp - Decoding of typed tensor data ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypedData.h"
#include "WireCursor.h"
#include "inlay/ONNX/ProtoFields.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Packing.h"
#include <cstring>

using namespace inlay;
using namespace inlay::proto;
using llvm::Error;
using llvm::Twine;

unsigned inlay::getTypedDataField(ElementType type) {
  switch (type) {
  case ElementType::Float:
  case ElementType::Complex64:
    return TensorField::FloatData;
  case ElementType::Double:
  case ElementType::Complex128:
    return TensorField::DoubleData;
  case ElementType::Int64:
    return TensorField::Int64Data;
  case ElementType::UInt32:
  case ElementType::UInt64:
    return TensorField::UInt64Data;
  case ElementType::String:
    return TensorField::StringData;
  default:
    return TensorField::Int32Data;
  }
}

namespace {

/// Collects the numbers of a typed data field as the bytes of raw data.
class NumberDecoder {
public:
  NumberDecoder(ElementType type, llvm::MutableArrayRef<char> out);

  Error decode(const Tensor &tensor);

private:
  Error addRun(ArrayRef<char> run);
  Error addNumber(uint64_t number);
  bool isInRange(int64_t number) const;

  ElementType type;
  llvm::MutableArrayRef<char> out;
  /// Bytes that one number becomes.
  size_t width;
  bool isVarint;
  size_t position = 0;
  /// Numbers seen, also those that no longer fit.
  uint64_t seen = 0;
};

} // namespace

NumberDecoder::NumberDecoder(ElementType type, llvm::MutableArrayRef<char> out)
    : type(type), out(out), width(std::max(getBitWidth(type) / 8, 1u)) {
  isVarint = type != ElementType::Float && type != ElementType::Double;
  // A complex number is two.
  if (isComplex(type)) {
    width /= 2;
    isVarint = false;
  }
}

/// Bits of floats and packed elements may come with or without sign extension.
bool NumberDecoder::isInRange(int64_t number) const {
  if (type == ElementType::Bool)
    return number == 0 || number == 1;
  if (width == 8)
    return true;
  int64_t half = int64_t(1) << (8 * width - 1);
  bool isWhole = getBitWidth(type) >= 8;
  int64_t least = isWhole && isUnsignedInteger(type) ? 0 : -half;
  int64_t most = isWhole && isSignedInteger(type) ? half - 1 : 2 * half - 1;
  return number >= least && number <= most;
}

Error NumberDecoder::addNumber(uint64_t number) {
  if (isVarint && !isInRange(int64_t(number)))
    return modelError("element " + Twine(seen) + " is " +
                      Twine(int64_t(number)) + ", which is no " +
                      getName(type));
  ++seen;
  if (out.size() - position < width)
    return Error::success();
  std::memcpy(out.data() + position, &number, width);
  position += width;
  return Error::success();
}

Error NumberDecoder::addRun(ArrayRef<char> run) {
  const char *next = run.begin();
  while (next != run.end()) {
    uint64_t number = 0;
    if (isVarint) {
      if (!decodeVarint(next, run.end(), number))
        return modelError("a number is cut off or longer than ten bytes");
    } else {
      if (size_t(run.end() - next) < width)
        return modelError("packed numbers take " + Twine(run.size()) +
                          " bytes, required a multiple of " + Twine(width));
      std::memcpy(&number, next, width);
      next += width;
    }
    if (Error error = addNumber(number))
      return error;
  }
  return Error::success();
}

Error NumberDecoder::decode(const Tensor &tensor) {
  WireCursor cursor(tensor.raw);
  while (cursor.next()) {
    if (cursor.getField() != unsigned(tensor.typedField))
      continue;
    bool isRun = cursor.getWireType() == WireType::Bytes;
    if (Error error =
            isRun ? addRun(cursor.getPayload()) : addNumber(cursor.getNumber()))
      return error;
  }
  uint64_t required = out.size() / width;
  if (seen != required)
    return modelError("holds " + Twine(seen) + " numbers, its shape " +
                      formatShape(tensor.dims) + " of " + getName(type) +
                      " requires " + Twine(required));
  return Error::success();
}

static llvm::Expected<HostTensor> decodeStrings(const Tensor &tensor) {
  llvm::SmallVector<llvm::StringRef> strings;
  WireCursor cursor(tensor.raw);
  while (cursor.next())
    if (cursor.getField() == TensorField::StringData)
      strings.push_back(
          {cursor.getPayload().data(), cursor.getPayload().size()});
  std::optional<int64_t> required = getNumElements(tensor.dims);
  if (int64_t(strings.size()) != *required)
    return modelError("holds " + Twine(strings.size()) +
                      " strings, its shape " + formatShape(tensor.dims) +
                      " requires " + Twine(*required));
  llvm::Expected<HostTensor> result =
      HostTensor::allocate(ElementType::String, tensor.dims);
  if (result)
    for (auto [target, source] :
         llvm::zip(result->getMutableStrings(), strings))
      target = source.str();
  return result;
}

llvm::Expected<HostTensor> inlay::decodeTypedData(const Tensor &tensor,
                                                  ElementType type) {
  if (type == ElementType::String)
    return decodeStrings(tensor);
  // Every number takes a byte at least: a shape that promises more is refused
  // before memory is taken for it.
  uint64_t count = *getNumElements(tensor.dims);
  uint64_t size = getPackedByteSize(type, count);
  uint64_t width = std::max(getBitWidth(type) / 8, 1u);
  if (size / width > tensor.raw.size())
    return modelError("holds fewer numbers than its shape " +
                      formatShape(tensor.dims) + " requires");
  llvm::SmallVector<char, 0> packed(size);
  if (Error error = NumberDecoder(type, packed).decode(tensor))
    return std::move(error);
  FileRange range{MappedFile::fromMemory(packed, ""), 0, size};
  return unpackElements(type, tensor.dims, range);
}
