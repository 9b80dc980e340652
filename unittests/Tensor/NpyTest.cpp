//===- NpyTest.cpp --------------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Npy.h"
#include "../Support/TemporaryFolder.h"
#include "inlay/Support/OutputFile.h"
#include <zlib.h>

using namespace inlay;
using llvm::ArrayRef;
using llvm::StringRef;

/// A file as NumPy writes it.
static std::string npyOf(StringRef header, StringRef data,
                         unsigned version = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += {char(version), '\0'};
  for (unsigned i = 0; i != (version == 1 ? 2 : 4); ++i)
    bytes.push_back(char(header.size() >> (8 * i)));
  return bytes + header.str() + data.str();
}

static std::string headerOf(StringRef descriptor, StringRef shape,
                            StringRef order = "False") {
  return ("{'descr': '" + descriptor + "', 'fortran_order': " + order +
          ", 'shape': " + shape + ", }\n")
      .str();
}

static llvm::Expected<HostTensor> readBytesAsNpy(StringRef bytes) {
  auto file = MappedFile::fromMemory(bytes, "x.npy");
  return readNpy(FileRange{file, 0, file->getSize()}, "x.npy");
}

static std::string fail(StringRef bytes, ExitCode code = ExitCode::IO) {
  return messageOf(readBytesAsNpy(bytes), code);
}

static const std::string sixBytes = "\1\2\3\4\5\6";

TEST(Npy, ReadsAllVersionsOfTheFormat) {
  for (unsigned version : {1, 2, 3}) {
    auto tensor =
        readBytesAsNpy(npyOf(headerOf("|u1", "(2, 3)"), sixBytes, version));
    ASSERT_TRUE(bool(tensor));
    EXPECT_EQ(tensor->getShape(), ArrayRef<int64_t>({2, 3}));
    EXPECT_EQ(tensor->getData<uint8_t>(),
              ArrayRef<uint8_t>({1, 2, 3, 4, 5, 6}));
  }
  EXPECT_CONTAINS(fail(npyOf(headerOf("|u1", "(2, 3)"), sixBytes, 4)),
                  "format version 4");
}

TEST(Npy, ReadsColumnMajorFiles) {
  auto tensor =
      readBytesAsNpy(npyOf(headerOf("|u1", "(2, 3)", "True"), sixBytes));
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->getData<uint8_t>(), ArrayRef<uint8_t>({1, 3, 5, 2, 4, 6}));
}

TEST(Npy, ReadsScalarsVectorsAndEmptyTensors) {
  auto scalar = readBytesAsNpy(npyOf(headerOf("|i1", "()"), "\xff"));
  ASSERT_TRUE(bool(scalar));
  EXPECT_EQ(scalar->getRank(), 0);
  EXPECT_EQ(scalar->getInt(0), -1);
  auto vector = readBytesAsNpy(npyOf(headerOf("<u2", "(1L,)"), "\1\2"));
  ASSERT_TRUE(bool(vector));
  EXPECT_EQ(vector->getInt(0), 0x201);
  auto empty = readBytesAsNpy(npyOf(headerOf("<f8", "(0, 5)"), ""));
  ASSERT_TRUE(bool(empty));
  EXPECT_EQ(empty->getNumElements(), 0);
}

TEST(Npy, TakesKeysInAnyOrderAndEitherQuote) {
  auto tensor = readBytesAsNpy(npyOf(
      "{\"shape\": (1,), \"fortran_order\": False, \"descr\": \"|b1\"}", "\1"));
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->getType(), ElementType::Bool);
}

TEST(Npy, RefusesOtherElementTypes) {
  EXPECT_CONTAINS(fail(npyOf(headerOf(">f4", "(1,)"), "1234")), "big-endian");
  for (StringRef type : {"|V2", "<U3", "|O", "<f16", "f4", "", "<", "<i1x"})
    EXPECT_CONTAINS(
        fail(npyOf(headerOf(type, "()"), "1234"), ExitCode::Unsupported),
        "is not supported");
  EXPECT_CONTAINS(fail(npyOf("{'descr': [('a', '<f4')], }", "1234")),
                  "structured");
}

TEST(Npy, RefusesDamagedFiles) {
  std::string whole = npyOf(headerOf("|u1", "(2, 3)"), sixBytes);
  for (size_t size = 0; size != whole.size(); ++size)
    fail(StringRef(whole).take_front(size));
  for (StringRef header :
       {"", "{", "{}", "{'descr': '|u1'}", "{'descr: }",
        "{'descr': '|u1', 'fortran_order': 1, 'shape': ()}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': 3}",
        "{'descr': '|u1', 'other': False, 'shape': ()}"})
    fail(npyOf(header, sixBytes));
}

TEST(Npy, RefusesShapesThatTheFileCannotHold) {
  EXPECT_CONTAINS(fail(npyOf(headerOf("<f4", "(2,)"), "1234")),
                  "requires 8 bytes, found 4");
  EXPECT_CONTAINS(
      fail(npyOf(headerOf("<f4", "(4611686018427387904, 4)"), "1234")),
      "does not fit into 63 bits");
  fail(npyOf(headerOf("<f4", "(99999999999999999999999,)"), "1234"));
  std::string ones = "(";
  for (unsigned i = 0; i != 65; ++i)
    ones += "1,";
  EXPECT_CONTAINS(fail(npyOf(headerOf("|u1", ones + ")"), "1")), "the rank");
}

TEST(Npy, SurvivesWrongBits) {
  std::string bytes = npyOf(headerOf("<f4", "(2,)"), "12345678");
  for (size_t i = 0; i != bytes.size() * 8; ++i) {
    bytes[i / 8] ^= char(1 << (i % 8));
    llvm::consumeError(readBytesAsNpy(bytes).takeError());
    bytes[i / 8] ^= char(1 << (i % 8));
  }
}

TEST(Npy, GivesBackWhatWasWritten) {
  TemporaryFolder folder;
  for (unsigned code = 1; code <= lastElementType; ++code) {
    ElementType type = ElementType(code);
    if (!isNpyType(type))
      continue;
    for (HostTensor::Shape shape :
         {HostTensor::Shape{}, {3}, {2, 3}, {0}, {1, 2, 1}}) {
      HostTensor tensor(type, shape);
      for (int64_t i = 0; i != tensor.getNumElements() && !isComplex(type); ++i)
        tensor.setInt(i, i % 2);
      ASSERT_FALSE(bool(writeNpy(folder / "t.npy", tensor)));
      auto result = readNpy(folder / "t.npy");
      ASSERT_TRUE(bool(result));
      EXPECT_EQ(result->getType(), type);
      EXPECT_EQ(result->getShape(), tensor.getShape());
      EXPECT_EQ(result->getBytes(), tensor.getBytes());
    }
  }
}

TEST(Npy, ElementsAreAlignedForReadingInPlace) {
  TemporaryFolder folder;
  ASSERT_FALSE(bool(writeNpy(folder / "t.npy", HostTensor::getInts({1, 2}))));
  EXPECT_EQ(readBytes(folder / "t.npy").size(), 128u + 16u);
}

TEST(Npy, RefusesToWriteTypesThatNumPyLacks) {
  TemporaryFolder folder;
  EXPECT_CONTAINS(messageOf(writeNpy(folder / "t.npy",
                                     HostTensor(ElementType::BFloat16, {1})),
                            ExitCode::Unsupported),
                  "no tensors of bfloat16");
  EXPECT_EQ(folder.countFiles(), 0u);
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

TEST(Npz, GivesBackWhatWasWritten) {
  TemporaryFolder folder;
  NamedTensor tensors[] = {{"x", HostTensor::getInts({1, 2, 3})},
                           {"a/b", HostTensor(ElementType::Float, {})}};
  ASSERT_FALSE(bool(writeNpz(folder / "t.npz", tensors)));
  auto result = readNpz(folder / "t.npz");
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_EQ(result->size(), 2u);
  EXPECT_EQ((*result)[0].name, "x");
  EXPECT_EQ((*result)[0].tensor.getInts(), tensors[0].tensor.getInts());
  EXPECT_EQ((*result)[1].name, "a/b");
  EXPECT_EQ((*result)[1].tensor.getRank(), 0);
}

TEST(Npz, MayBeEmpty) {
  TemporaryFolder folder;
  ASSERT_FALSE(bool(writeNpz(folder / "t.npz", {})));
  auto result = readNpz(folder / "t.npz");
  ASSERT_TRUE(bool(result));
  EXPECT_TRUE(result->empty());
}

/// Raw deflate, as zip has it.
static std::string deflated(StringRef bytes) {
  z_stream stream = {};
  ::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = bytes.size();
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = out.size();
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

static std::string number(uint64_t value, unsigned width) {
  std::string bytes;
  for (unsigned i = 0; i != width; ++i)
    bytes.push_back(char(value >> (8 * i)));
  return bytes;
}

/// An archive with one deflated member; `size` is what the directory claims.
static std::string archiveOf(StringRef name, StringRef content, uint64_t size,
                             unsigned method = 8, unsigned flags = 0) {
  std::string packed = method == 8 ? deflated(content) : content.str();
  uint32_t crc = ::crc32_z(0, reinterpret_cast<const Bytef *>(content.data()),
                           content.size());
  std::string common = number(20, 2) + number(flags, 2) + number(method, 2) +
                       number(0, 4) + number(crc, 4) +
                       number(packed.size(), 4) + number(size, 4) +
                       number(name.size(), 2) + number(0, 2);
  std::string bytes = "PK\3\4" + common + name.str() + packed;
  std::string directory = "PK\1\2" + number(20, 2) + common + number(0, 2) +
                          number(0, 2) + number(0, 2) + number(0, 4) +
                          number(0, 4) + name.str();
  return bytes + directory + "PK\5\6" + number(0, 4) + number(1, 2) +
         number(1, 2) + number(directory.size(), 4) + number(bytes.size(), 4) +
         number(0, 2);
}

static std::string failArchive(StringRef bytes) {
  return messageOf(readNpz(MappedFile::fromMemory(bytes, "t.npz")),
                   ExitCode::IO);
}

static std::string sampleNpy() {
  return npyOf(headerOf("|u1", "(2, 3)"), sixBytes);
}

TEST(Npz, ReadsDeflatedMembers) {
  TemporaryFolder folder;
  std::string npy = sampleNpy();
  auto result =
      readNpz(folder.add("t.npz", archiveOf("x.npy", npy, npy.size())));
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ((*result)[0].tensor.getData<uint8_t>(),
            ArrayRef<uint8_t>({1, 2, 3, 4, 5, 6}));
}

TEST(Npz, RefusesSizesThatAreNotTrue) {
  std::string npy = sampleNpy();
  EXPECT_CONTAINS(failArchive(archiveOf("x.npy", npy, npy.size() + 1)),
                  "is damaged");
  EXPECT_CONTAINS(failArchive(archiveOf("x.npy", npy, npy.size() - 1)),
                  "is damaged");
  EXPECT_CONTAINS(failArchive(archiveOf("x.npy", npy, 0xfffffffe)),
                  "cannot unpack to 4294967294 bytes");
  EXPECT_CONTAINS(failArchive(archiveOf("x.npy", npy, 1, /*method=*/0)),
                  "has two sizes");
}

TEST(Npz, RefusesWhatItCannotRead) {
  std::string npy = sampleNpy();
  EXPECT_CONTAINS(failArchive(archiveOf("x.txt", npy, npy.size())),
                  "is no .npy file");
  EXPECT_CONTAINS(failArchive(archiveOf("x.npy", npy, npy.size(), 14)),
                  "method 14");
  EXPECT_CONTAINS(failArchive(archiveOf("x.npy", npy, npy.size(), 8, 1)),
                  "is encrypted");
  EXPECT_CONTAINS(failArchive("not an archive, but long enough"),
                  "no directory");
  EXPECT_CONTAINS(failArchive("short"), "too short");
}

TEST(Npz, RefusesTwoMembersOfOneName) {
  TemporaryFolder folder;
  NamedTensor tensors[] = {{"x", HostTensor::getInts({1})},
                           {"x", HostTensor::getInts({2})}};
  ASSERT_FALSE(bool(writeNpz(folder / "t.npz", tensors)));
  EXPECT_CONTAINS(messageOf(readNpz(folder / "t.npz"), ExitCode::IO),
                  "two members");
}

TEST(Npz, SurvivesDamage) {
  std::string npy = sampleNpy();
  std::string bytes = archiveOf("x.npy", npy, npy.size());
  for (size_t size = 0; size != bytes.size(); ++size)
    failArchive(StringRef(bytes).take_front(size));
  for (size_t i = 0; i != bytes.size() * 8; ++i) {
    bytes[i / 8] ^= char(1 << (i % 8));
    llvm::consumeError(
        readNpz(MappedFile::fromMemory(bytes, "t.npz")).takeError());
    bytes[i / 8] ^= char(1 << (i % 8));
  }
}
