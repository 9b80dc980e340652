//===- ProtoWriterTest.cpp ------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"

using namespace inlay;
using namespace inlay::proto;

static std::string bytesOf(Build build) {
  MessageWriter message;
  build(message);
  std::string bytes = toBytes(message);
  EXPECT_EQ(bytes.size(), message.getSize());
  return bytes;
}

TEST(ProtoWriter, EncodesNumbers) {
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addInt(1, 300); }),
            "\x08\xac\x02");
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addInt(1, -1); }),
            "\x08" + std::string(9, '\xff') + "\x01");
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addUInt(16, 0); }),
            std::string("\x80\x01\0", 3));
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addFloat(2, 1.0f); }),
            std::string("\x15\0\0\x80\x3f", 5));
}

TEST(ProtoWriter, EncodesStringsAndLists) {
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addString(4, "ab"); }), "\x22\x02"
                                                                     "ab");
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addPackedInts(8, {1, 300}); }),
            "\x42\x03\x01\xac\x02");
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addInts(8, {1, 300}); }),
            "\x40\x01\x40\xac\x02");
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addPackedFloats(7, {1}); }),
            std::string("\x3a\x04\0\0\x80\x3f", 6));
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addFloats(7, {1}); }),
            std::string("\x3d\0\0\x80\x3f", 5));
}

TEST(ProtoWriter, EncodesNestedMessages) {
  EXPECT_EQ(bytesOf([](MessageWriter &m) { m.addEntry(14, "k", "v"); }),
            "\x72\x06\x0a\x01k\x12\x01v");
}

TEST(ProtoWriter, LargeChildrenAndDataComeInOrder) {
  std::string large(100000, 'x');
  auto file = MappedFile::fromMemory(large, "memory");
  auto kept = std::make_shared<std::string>(50000, 'y');
  MessageWriter outer;
  outer.addString(1, "before");
  outer.addMessage(2, [&](MessageWriter &child) {
    child.addString(3, "a");
    child.addData(4, FileRange{file, 10, 90000});
    child.addData(4, Blob{ArrayRef<char>(kept->data(), kept->size()), kept});
    child.addData(
        4, StreamedData{5, [](OutputFile &out) { return out.write("12345"); }});
    child.addString(5, "b");
  });
  outer.addString(6, "after");

  MessageWriter expected;
  expected.addString(1, "before");
  MessageWriter child;
  child.addString(3, "a");
  child.addString(4, large.substr(10, 90000));
  child.addString(4, *kept);
  child.addString(4, "12345");
  child.addString(5, "b");
  expected.addString(2, toBytes(child));
  expected.addString(6, "after");
  EXPECT_EQ(toBytes(outer), toBytes(expected));
  EXPECT_EQ(outer.getSize(), expected.getSize());
}

TEST(ProtoWriter, StreamedDataMustKeepItsWord) {
  TemporaryFolder folder;
  MessageWriter message;
  message.addData(
      1, StreamedData{6, [](OutputFile &out) { return out.write("12345"); }});
  auto file = OutputFile::create(folder / "out");
  ASSERT_TRUE(bool(file));
  EXPECT_CONTAINS(messageOf(message.writeTo(**file), ExitCode::Internal),
                  "wrote 5 bytes of data, announced 6");
}

TEST(ProtoWriter, RefusesMessagesBeyondTheLimitOfProtobuf) {
  TemporaryFolder folder;
  auto message = [](uint64_t size) {
    MessageWriter message;
    message.addData(1, StreamedData{size, [=](OutputFile &out) {
                                      return out.writeZeros(size);
                                    }});
    return message;
  };
  auto file = OutputFile::create(folder / "out");
  ASSERT_TRUE(bool(file));
  // Tag and length take six bytes.
  std::string text =
      messageOf(message(maxMessageSize - 5).writeTo(**file), ExitCode::Usage);
  EXPECT_CONTAINS(text, "2147483648 bytes");
  EXPECT_CONTAINS(text, "--external-data");
  EXPECT_EQ((*file)->getPosition(), 0u);
  EXPECT_FALSE(bool(message(maxMessageSize - 6).writeTo(**file)));
}

TEST(ProtoWriter, NestingDeeplyDoesNotCopy) {
  // Copying at every level would move 100 GB.
  MessageWriter message;
  message.addString(1, std::string(100 << 20, 'x'));
  for (unsigned i = 0; i != 1000; ++i) {
    MessageWriter outer;
    outer.addMessage(1, std::move(message));
    message = std::move(outer);
  }
  EXPECT_GT(message.getSize(), uint64_t(100 << 20));
}
