//===- Npy.cpp - NumPy's files --------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Npy.h"
#include "Zip.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/OutputFile.h"
#include "inlay/Tensor/Packing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef magic("\x93NUMPY", 6);
/// NumPy itself has arrays of up to 64 dimensions.
static constexpr size_t maxRank = 64;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
struct NpyType {
  ElementType type;
  StringRef code;
};
} // namespace

static constexpr NpyType npyTypes[] = {
    {ElementType::Bool, "b1"},      {ElementType::Int8, "i1"},
    {ElementType::Int16, "i2"},     {ElementType::Int32, "i4"},
    {ElementType::Int64, "i8"},     {ElementType::UInt8, "u1"},
    {ElementType::UInt16, "u2"},    {ElementType::UInt32, "u4"},
    {ElementType::UInt64, "u8"},    {ElementType::Float16, "f2"},
    {ElementType::Float, "f4"},     {ElementType::Double, "f8"},
    {ElementType::Complex64, "c8"}, {ElementType::Complex128, "c16"},
};

bool inlay::isNpyType(ElementType type) {
  return llvm::any_of(npyTypes,
                      [&](const NpyType &npy) { return npy.type == type; });
}

/// "<f4" and the like; a single byte has no order.
static std::string getDescriptor(ElementType type) {
  for (const NpyType &npy : npyTypes)
    if (npy.type == type)
      return ((getBitWidth(type) == 8 ? "|" : "<") + npy.code).str();
  return "";
}

static llvm::Expected<ElementType> parseDescriptor(StringRef descriptor) {
  StringRef code = descriptor.drop_front(!descriptor.empty());
  for (const NpyType &npy : npyTypes) {
    if (npy.code != code)
      continue;
    bool isOrdered = getBitWidth(npy.type) > 8;
    if (descriptor[0] == '<' || (!isOrdered && descriptor[0] == '|'))
      return npy.type;
    if (descriptor[0] == '>')
      return ioError("elements are big-endian, required little-endian");
  }
  return unsupportedError("element type '" + descriptor.take_front(40) +
                          "' is not supported");
}

//===----------------------------------------------------------------------===//
// The header: a Python dictionary
//===----------------------------------------------------------------------===//

namespace {

struct NpyHeader {
  std::string descriptor;
  bool isFortranOrder = false;
  HostTensor::Shape shape;
};

class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  /// { 'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
  Error parse(NpyHeader &header);

private:
  bool consume(StringRef token) {
    rest = rest.ltrim(" \t\n\r");
    return rest.consume_front(token);
  }
  Error expect(StringRef token) {
    if (consume(token))
      return Error::success();
    return ioError("the header is malformed: required '" + token +
                   "', found '" + rest.take_front(20) + "'");
  }
  Error parseString(std::string &text);
  Error parseBool(bool &value);
  Error parseShape(HostTensor::Shape &shape);
  Error parseEntry(NpyHeader &header, unsigned &seen);

  StringRef rest;
};

} // namespace

Error HeaderParser::parseString(std::string &text) {
  char quote = consume("'") ? '\'' : '"';
  if (quote == '"' && !consume("\""))
    return ioError("the header is malformed: required a string (structured "
                   "elements are not supported)");
  size_t end = rest.find(quote);
  if (end == StringRef::npos)
    return ioError("the header is malformed: a string has no end");
  text = rest.take_front(end).str();
  rest = rest.drop_front(end + 1);
  return Error::success();
}

Error HeaderParser::parseBool(bool &value) {
  value = consume("True");
  return value ? Error::success() : expect("False");
}

Error HeaderParser::parseShape(HostTensor::Shape &shape) {
  if (Error error = expect("("))
    return error;
  while (!consume(")")) {
    int64_t dim;
    rest = rest.ltrim();
    if (rest.consumeInteger(10, dim) || dim < 0)
      return ioError("the header is malformed: required a dimension");
    if (shape.size() == maxRank)
      return ioError("the rank exceeds " + Twine(maxRank));
    // Python 2 marked long integers.
    consume("L");
    shape.push_back(dim);
    if (!consume(",")) {
      if (Error error = expect(")"))
        return error;
      break;
    }
  }
  return Error::success();
}

Error HeaderParser::parseEntry(NpyHeader &header, unsigned &seen) {
  std::string key;
  if (Error error = parseString(key))
    return error;
  if (Error error = expect(":"))
    return error;
  if (key == "descr") {
    seen |= 1;
    return parseString(header.descriptor);
  }
  if (key == "fortran_order") {
    seen |= 2;
    return parseBool(header.isFortranOrder);
  }
  if (key == "shape" && !(seen & 4)) {
    seen |= 4;
    return parseShape(header.shape);
  }
  return ioError("the header has an unexpected key");
}

Error HeaderParser::parse(NpyHeader &header) {
  if (Error error = expect("{"))
    return error;
  unsigned seen = 0;
  while (!consume("}")) {
    if (Error error = parseEntry(header, seen))
      return error;
    if (!consume(",")) {
      if (Error error = expect("}"))
        return error;
      break;
    }
  }
  if (seen != 7)
    return ioError("the header lacks one of 'descr', 'fortran_order', 'shape'");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Splits a file into its header's text and the offset of the elements.
static llvm::Expected<std::pair<StringRef, uint64_t>>
splitFile(ArrayRef<char> bytes) {
  StringRef text(bytes.data(), bytes.size());
  if (!text.starts_with(magic) || text.size() < magic.size() + 2)
    return ioError("it does not begin like an .npy file");
  unsigned version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3)
    return ioError("format version " + Twine(version) +
                   " is unknown, required 1 to 3");
  unsigned lengthSize = version == 1 ? 2 : 4;
  uint64_t start = magic.size() + 2 + lengthSize;
  if (text.size() < start)
    return ioError("it is cut off");
  const char *at = text.data() + magic.size() + 2;
  uint64_t length = version == 1 ? llvm::support::endian::read16le(at)
                                 : llvm::support::endian::read32le(at);
  if (!isRangeWithin<uint64_t>(start, length, text.size()))
    return ioError("its header of " + Twine(length) + " bytes is cut off");
  return std::pair(text.substr(start, length), start + length);
}

/// The same tensor with the elements of column-major storage in row-major
/// order.
static llvm::Expected<HostTensor> reorder(const HostTensor &source) {
  ArrayRef<int64_t> shape = source.getShape();
  auto result = HostTensor::allocate(source.getType(), shape);
  if (!result)
    return result;
  HostTensor::Shape strides(shape.size(), getHostByteWidth(source.getType()));
  for (size_t i = 1; i < shape.size(); ++i)
    strides[i] = strides[i - 1] * shape[i - 1];
  size_t width = getHostByteWidth(source.getType());
  const char *from = source.getBytes().data();
  char *to = result->getMutableBytes().data();
  HostTensor::Shape index(shape.size(), 0);
  for (int64_t n = 0; n != source.getNumElements(); ++n, to += width) {
    std::copy(from, from + width, to);
    for (size_t d = shape.size(); d-- != 0;) {
      from += strides[d];
      if (++index[d] != shape[d])
        break;
      from -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return result;
}

static llvm::Expected<HostTensor> readElements(const FileRange &range) {
  auto parts = splitFile(range.getBytes());
  if (!parts)
    return parts.takeError();
  NpyHeader header;
  if (Error error = HeaderParser(parts->first).parse(header))
    return std::move(error);
  auto type = parseDescriptor(header.descriptor);
  if (!type)
    return type.takeError();
  std::optional<int64_t> count = getNumElements(header.shape);
  if (!count || !checkedMul<int64_t>(*count, getHostByteWidth(*type)))
    return ioError("the size of shape " + formatShape(header.shape) +
                   " does not fit into 63 bits");
  uint64_t size = getPackedByteSize(*type, *count);
  uint64_t left = range.length - parts->second;
  if (size > left)
    return ioError("shape " + formatShape(header.shape) + " of " +
                   getName(*type) + " requires " + Twine(size) +
                   " bytes, found " + Twine(left));
  auto tensor =
      unpackElements(*type, header.shape,
                     FileRange{range.file, range.offset + parts->second, size});
  bool isReordered = header.isFortranOrder && header.shape.size() > 1;
  return tensor && isReordered ? reorder(*tensor) : std::move(tensor);
}

llvm::Expected<HostTensor> inlay::readNpy(const FileRange &range,
                                          StringRef nameForMessages) {
  auto tensor = readElements(range);
  if (!tensor)
    return addContext("cannot read '" + nameForMessages + "': ",
                      tensor.takeError());
  return tensor;
}

llvm::Expected<HostTensor> inlay::readNpy(StringRef path) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  return readNpy(FileRange{*file, 0, (*file)->getSize()}, path);
}

llvm::Expected<std::vector<NamedTensor>> inlay::readNpz(StringRef path) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  return readNpz(*file);
}

llvm::Expected<std::vector<NamedTensor>>
inlay::readNpz(const std::shared_ptr<const MappedFile> &file) {
  StringRef path = file->getPath();
  auto members = listZip(file);
  if (!members)
    return members.takeError();
  std::vector<NamedTensor> tensors;
  llvm::StringSet<> names;
  for (const ZipMember &member : *members) {
    StringRef name = member.name;
    if (!name.consume_back(".npy"))
      return ioError("member '" + name + "' of '" + path + "' is no .npy file");
    if (!names.insert(name).second)
      return ioError("'" + path + "' has two members '" + name + "'");
    auto bytes = unpackMember(member);
    if (!bytes)
      return bytes.takeError();
    auto tensor = readNpy(*bytes, (path + ":" + member.name).str());
    if (!tensor)
      return tensor.takeError();
    tensors.push_back({name.str(), std::move(*tensor)});
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string getHeader(const HostTensor &tensor) {
  std::string shape = llvm::join(
      llvm::map_range(tensor.getShape(),
                      [](int64_t dim) { return std::to_string(dim); }),
      ", ");
  // A tuple of one needs a comma.
  std::string text = "{'descr': '" + getDescriptor(tensor.getType()) +
                     "', 'fortran_order': False, 'shape': (" + shape +
                     (tensor.getRank() == 1 ? ",), }" : "), }");
  // Elements begin at a multiple of 64; the text ends in a newline.
  size_t start = magic.size() + 4;
  text.resize(llvm::alignTo(start + text.size() + 1, 64) - start - 1, ' ');
  text += '\n';
  std::string header = magic.str() + std::string("\1\0", 2);
  header.push_back(char(text.size()));
  header.push_back(char(text.size() >> 8));
  return header + text;
}

static Error checkWritable(StringRef path, const HostTensor &tensor) {
  if (isNpyType(tensor.getType()) && size_t(tensor.getRank()) <= maxRank)
    return Error::success();
  return unsupportedError(
      "cannot write '" + path + "': NumPy has no tensors of " +
      getName(tensor.getType()) + " of rank " + Twine(tensor.getRank()));
}

Error inlay::writeNpy(StringRef path, const HostTensor &tensor) {
  if (Error error = checkWritable(path, tensor))
    return error;
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = (*file)->write(getHeader(tensor)))
    return error;
  if (Error error = (*file)->write(tensor.getBytes()))
    return error;
  return (*file)->commit();
}

Error inlay::writeNpz(StringRef path, ArrayRef<NamedTensor> tensors) {
  for (const NamedTensor &named : tensors)
    if (Error error = checkWritable(path, named.tensor))
      return error;
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  ZipWriter zip(**file);
  for (const NamedTensor &named : tensors)
    if (Error error = zip.add(named.name + ".npy", getHeader(named.tensor),
                              named.tensor.getBytes()))
      return error;
  if (Error error = zip.finish())
    return error;
  return (*file)->commit();
}
