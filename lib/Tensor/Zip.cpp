//===- Zip.cpp - The zip archives that .npz files are ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes and offsets of 4 GiB and more are in the zip64 extension: a 32-bit
// field of all ones says that the number is in an extra field.
//
//===----------------------------------------------------------------------===//

#include "Zip.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Endian.h"
#include <new>
#include <zlib.h>

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

constexpr uint32_t localSignature = 0x04034b50;
constexpr uint32_t centralSignature = 0x02014b50;
constexpr uint32_t endSignature = 0x06054b50;
constexpr uint32_t end64Signature = 0x06064b50;
constexpr uint32_t locator64Signature = 0x07064b50;
constexpr size_t localSize = 30, centralSize = 46, endSize = 22, end64Size = 56,
                 locator64Size = 20;
constexpr uint16_t extra64Tag = 1;
constexpr uint32_t in64 = 0xffffffff;

/// Deflate's best case, 258 bytes in 2 bits, which bounds what a file can
/// unpack to.
constexpr uint64_t maxDeflateRatio = 1032;

//===----------------------------------------------------------------------===//
// Reading the directory
//===----------------------------------------------------------------------===//

namespace {

class ZipReader {
public:
  explicit ZipReader(std::shared_ptr<const MappedFile> file)
      : file(std::move(file)), bytes(this->file->getBytes()) {}

  llvm::Expected<std::vector<ZipMember>> list();

private:
  /// The bytes at an offset, empty when the file is shorter.
  ArrayRef<char> at(uint64_t offset, uint64_t length) const {
    return isRangeWithin<uint64_t>(offset, length, bytes.size())
               ? bytes.slice(offset, length)
               : ArrayRef<char>();
  }
  Error fail(const Twine &what) const {
    return ioError("'" + file->getPath() + "' is no zip archive: " + what);
  }

  Error findDirectory();
  Error readMember(ZipMember &member);
  Error readExtra64(ArrayRef<char> extra, uint64_t &size, uint64_t &packed,
                    uint64_t &offset) const;
  Error locate(ZipMember &member, uint64_t offset, uint64_t packed) const;

  std::shared_ptr<const MappedFile> file;
  ArrayRef<char> bytes;
  uint64_t position = 0;
  uint64_t count = 0;
};

} // namespace

Error ZipReader::findDirectory() {
  // The end record is followed by a comment of up to 64 KiB.
  if (bytes.size() < endSize)
    return fail("it is too short");
  uint64_t end = bytes.size() - endSize;
  uint64_t first = end > 0xffff ? end - 0xffff : 0;
  while (read32le(&bytes[end]) != endSignature ||
         read16le(&bytes[end + 20]) != bytes.size() - end - endSize)
    if (end-- == first)
      return fail("it has no directory");
  count = read16le(&bytes[end + 10]);
  position = read32le(&bytes[end + 16]);
  if (end < locator64Size ||
      read32le(&bytes[end - locator64Size]) != locator64Signature)
    return Error::success();
  ArrayRef<char> end64 =
      at(read64le(&bytes[end - locator64Size + 8]), end64Size);
  if (end64.empty() || read32le(&end64[0]) != end64Signature)
    return fail("its 64-bit directory is missing");
  count = read64le(&end64[32]);
  position = read64le(&end64[48]);
  return Error::success();
}

/// Replaces those numbers that did not fit into 32 bits.
Error ZipReader::readExtra64(ArrayRef<char> extra, uint64_t &size,
                             uint64_t &packed, uint64_t &offset) const {
  while (extra.size() >= 4) {
    uint16_t tag = read16le(&extra[0]), length = read16le(&extra[2]);
    if (length > extra.size() - 4)
      return fail("an extra field is cut off");
    ArrayRef<char> field = extra.slice(4, length);
    extra = extra.drop_front(4 + length);
    if (tag != extra64Tag)
      continue;
    for (uint64_t *number : {&size, &packed, &offset}) {
      if (*number != in64)
        continue;
      if (field.size() < 8)
        return fail("a 64-bit field is cut off");
      *number = read64le(field.data());
      field = field.drop_front(8);
    }
  }
  return Error::success();
}

Error ZipReader::locate(ZipMember &member, uint64_t offset,
                        uint64_t packed) const {
  ArrayRef<char> header = at(offset, localSize);
  if (header.empty() || read32le(&header[0]) != localSignature)
    return fail("member '" + member.name + "' is missing");
  uint64_t start =
      offset + localSize + read16le(&header[26]) + read16le(&header[28]);
  if (!isRangeWithin<uint64_t>(start, packed, bytes.size()))
    return fail("member '" + member.name + "' of " + Twine(packed) +
                " bytes passes its end");
  member.data = {file, start, packed};
  return Error::success();
}

Error ZipReader::readMember(ZipMember &member) {
  ArrayRef<char> header = at(position, centralSize);
  if (header.empty() || read32le(&header[0]) != centralSignature)
    return fail("its directory is cut off");
  uint16_t flags = read16le(&header[8]), method = read16le(&header[10]);
  member.crc = read32le(&header[16]);
  uint64_t packed = read32le(&header[20]);
  member.size = read32le(&header[24]);
  uint64_t nameSize = read16le(&header[28]), extraSize = read16le(&header[30]);
  uint64_t commentSize = read16le(&header[32]);
  uint64_t offset = read32le(&header[42]);
  ArrayRef<char> name = at(position + centralSize, nameSize);
  ArrayRef<char> extra = at(position + centralSize + nameSize, extraSize);
  member.name.assign(name.begin(), name.end());
  position += centralSize + nameSize + extraSize + commentSize;
  if (Error error = readExtra64(extra, member.size, packed, offset))
    return error;
  if (flags & 1)
    return fail("member '" + member.name + "' is encrypted");
  if (method != 0 && method != 8)
    return fail("member '" + member.name + "' is packed by method " +
                Twine(method) + ", required 0 (stored) or 8 (deflated)");
  member.isDeflated = method == 8;
  if (!member.isDeflated && member.size != packed)
    return fail("stored member '" + member.name + "' has two sizes");
  return locate(member, offset, packed);
}

llvm::Expected<std::vector<ZipMember>> ZipReader::list() {
  if (Error error = findDirectory())
    return std::move(error);
  std::vector<ZipMember> members;
  uint64_t total = 0;
  for (uint64_t i = 0; i != count; ++i) {
    if (Error error = readMember(members.emplace_back()))
      return std::move(error);
    // Members that overlap could unpack to any size.
    total += members.back().data.length;
    if (total > bytes.size())
      return fail("its members overlap");
  }
  return members;
}

llvm::Expected<std::vector<ZipMember>>
inlay::listZip(const std::shared_ptr<const MappedFile> &file) {
  return ZipReader(file).list();
}

//===----------------------------------------------------------------------===//
// Unpacking
//===----------------------------------------------------------------------===//

static uint32_t computeCrc(uint32_t crc, ArrayRef<char> bytes) {
  return ::crc32_z(crc, reinterpret_cast<const Bytef *>(bytes.data()),
                   bytes.size());
}

/// Unpacks exactly out.size() bytes; false when the data are others.
static bool inflateInto(ArrayRef<char> packed,
                        llvm::MutableArrayRef<char> out) {
  z_stream stream = {};
  // Negative: raw deflate, without zlib's own header.
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  auto end = llvm::make_scope_exit([&] { ::inflateEnd(&stream); });
  // zlib counts in 32 bits.
  constexpr size_t most = 1u << 30;
  int status = Z_OK;
  while (status == Z_OK) {
    ArrayRef<char> input = packed.take_front(most);
    size_t room = std::min(out.size(), most);
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(input.data()));
    stream.avail_in = input.size();
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = room;
    status = ::inflate(&stream, Z_NO_FLUSH);
    packed = packed.drop_front(input.size() - stream.avail_in);
    out = out.drop_front(room - stream.avail_out);
  }
  return status == Z_STREAM_END && out.empty();
}

static llvm::Expected<FileRange> inflateMember(const ZipMember &member) {
  auto fail = [&](const Twine &why) {
    return ioError("member '" + member.name + "' of '" +
                   member.data.file->getPath() + "' " + why);
  };
  if (member.size / maxDeflateRatio > member.data.length)
    return fail("cannot unpack to " + Twine(member.size) + " bytes");
  std::unique_ptr<char[]> bytes(new (std::nothrow) char[member.size]);
  if (!bytes)
    return fail("does not fit into memory");
  if (!inflateInto(member.data.getBytes(),
                   llvm::MutableArrayRef<char>(bytes.get(), member.size)))
    return fail("is damaged");
  return FileRange{MappedFile::fromMemory(std::move(bytes), member.size,
                                          member.data.file->getPath()),
                   0, member.size};
}

llvm::Expected<FileRange> inlay::unpackMember(const ZipMember &member) {
  llvm::Expected<FileRange> range =
      member.isDeflated ? inflateMember(member) : member.data;
  if (range && computeCrc(0, range->getBytes()) != member.crc)
    return ioError("member '" + member.name + "' of '" +
                   member.data.file->getPath() + "' has a wrong checksum");
  return range;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

/// Little-endian numbers, in the order of a record.
class Record {
public:
  Record &u16(uint16_t value) { return add(value, 2); }
  Record &u32(uint32_t value) { return add(value, 4); }
  Record &u64(uint64_t value) { return add(value, 8); }
  /// A number that is in an extra field when it is large.
  Record &clamped(uint64_t value) {
    return u32(std::min<uint64_t>(value, in64));
  }

  std::string bytes;

private:
  Record &add(uint64_t value, unsigned width) {
    for (unsigned i = 0; i != width; ++i)
      bytes.push_back(char(value >> (8 * i)));
    return *this;
  }
};

} // namespace

/// The fields from the version needed up to the length of the name, which the
/// local and the central header share.
static void addCommonHeader(Record &record, uint32_t crc, uint64_t size,
                            StringRef name) {
  // Version 4.5 has zip64; no flags; stored; midnight of 1 January 1980.
  record.u16(45).u16(0).u16(0).u16(0).u16(0x21);
  record.u32(crc).clamped(size).clamped(size).u16(name.size());
}

static std::string getExtra64(uint64_t size, uint64_t offset) {
  Record numbers;
  if (size >= in64)
    numbers.u64(size).u64(size);
  if (offset >= in64)
    numbers.u64(offset);
  if (numbers.bytes.empty())
    return "";
  Record extra;
  extra.u16(extra64Tag).u16(numbers.bytes.size());
  return extra.bytes + numbers.bytes;
}

Error ZipWriter::add(StringRef name, StringRef first, ArrayRef<char> second) {
  if (name.size() > 0xffff)
    return ioError("the name of an archive's member is too long");
  uint32_t crc =
      computeCrc(computeCrc(0, {first.data(), first.size()}), second);
  uint64_t size = first.size() + second.size(), offset = file.getPosition();

  Record local;
  addCommonHeader(local.u32(localSignature), crc, size, name);
  std::string extra = getExtra64(size, /*offset=*/0);
  local.u16(extra.size());

  Record central;
  addCommonHeader(central.u32(centralSignature).u16(45), crc, size, name);
  std::string centralExtra = getExtra64(size, offset);
  // No comment, on the first disk, no attributes.
  central.u16(centralExtra.size()).u16(0).u16(0).u16(0).u32(0).clamped(offset);
  directory += central.bytes + name.str() + centralExtra;
  ++count;

  if (Error error = file.write(local.bytes + name.str() + extra))
    return error;
  if (Error error = file.write(first))
    return error;
  return file.write(second);
}

Error ZipWriter::finish() {
  uint64_t start = file.getPosition();
  Record end;
  if (count >= 0xffff || start >= in64) {
    uint64_t end64 = start + directory.size();
    end.u32(end64Signature).u64(end64Size - 12).u16(45).u16(45).u32(0).u32(0);
    end.u64(count).u64(count).u64(directory.size()).u64(start);
    end.u32(locator64Signature).u32(0).u64(end64).u32(1);
  }
  uint16_t shown = std::min<uint64_t>(count, 0xffff);
  end.u32(endSignature).u16(0).u16(0).u16(shown).u16(shown);
  end.clamped(directory.size()).clamped(start).u16(0);
  return file.write(directory + end.bytes);
}
