//===- OutputFileTest.cpp -------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/OutputFile.h"
#include "TemporaryFolder.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace inlay;
using llvm::StringRef;

static std::unique_ptr<OutputFile> createFile(llvm::StringRef path) {
  auto file = OutputFile::create(path);
  EXPECT_TRUE(bool(file));
  return std::move(*file);
}

static void succeed(llvm::Error error) {
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
}

/// Bytes that the file takes on disk.
static uint64_t getAllocatedSize(const std::string &path) {
  struct stat status;
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return uint64_t(status.st_blocks) * 512;
}

TEST(OutputFile, AppearsWhenCommitted) {
  TemporaryFolder folder;
  auto file = createFile(folder / "out");
  succeed(file->write("hello"));
  EXPECT_FALSE(llvm::sys::fs::exists(folder / "out"));
  succeed(file->commit());
  EXPECT_EQ(readBytes(folder / "out"), "hello");
  EXPECT_EQ(folder.countFiles(), 1u);
}

TEST(OutputFile, WritesOverWhatWasWritten) {
  TemporaryFolder folder;
  auto file = createFile(folder / "out");
  succeed(file->write("hello"));
  succeed(file->overwrite(1, llvm::ArrayRef<char>("uml", 3)));
  succeed(file->write("t"));
  succeed(file->commit());
  EXPECT_EQ(readBytes(folder / "out"), "humlot");
}

TEST(OutputFile, LeavesTheOldFileWhenNotCommitted) {
  TemporaryFolder folder;
  folder.add("out", "old");
  succeed(createFile(folder / "out")->write("new"));
  EXPECT_EQ(readBytes(folder / "out"), "old");
  EXPECT_EQ(folder.countFiles(), 1u);
}

TEST(OutputFile, KeepsThePermissionsOfTheFileItReplaces) {
  TemporaryFolder folder;
  std::string path = folder.add("out", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  succeed(createFile(path)->commit());
  struct stat status;
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(OutputFile, ReplacesWhatALinkPointsAt) {
  TemporaryFolder folder;
  folder.add("target", "old");
  ASSERT_EQ(::symlink("target", (folder / "link").c_str()), 0);
  auto file = createFile(folder / "link");
  succeed(file->write("new"));
  succeed(file->commit());
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(folder / "link"));
  EXPECT_EQ(readBytes(folder / "target"), "new");
}

TEST(OutputFile, RefusesLinksOutOfTheirFolder) {
  TemporaryFolder folder;
  ASSERT_FALSE(llvm::sys::fs::create_directory(folder / "blobs"));
  ASSERT_FALSE(llvm::sys::fs::create_directory(folder / "names"));
  folder.add("blobs/a", "old");
  auto link = [&](const char *target, StringRef name) {
    ASSERT_EQ(::symlink(target, (folder / name).c_str()), 0);
  };
  link("../blobs/a", "names/out");
  link("out", "names/chain");
  link("/dev/null", "names/device");
  link("nothing", "names/dangling");
  for (const char *name : {"names/out", "names/chain", "names/device"})
    EXPECT_CONTAINS(messageOf(OutputFile::create(folder / name), ExitCode::IO),
                    "in another folder; remove the link");
  EXPECT_CONTAINS(
      messageOf(OutputFile::create(folder / "names/dangling"), ExitCode::IO),
      "a link to a file that does not exist");
  EXPECT_EQ(readBytes(folder / "blobs/a"), "old");
}

TEST(OutputFile, TheFolderItselfMayBeBehindALink) {
  TemporaryFolder folder;
  ASSERT_FALSE(llvm::sys::fs::create_directory(folder / "real"));
  ASSERT_EQ(::symlink("real", (folder / "named").c_str()), 0);
  folder.add("real/target", "old");
  ASSERT_EQ(::symlink("target", (folder / "real/link").c_str()), 0);
  for (const char *name : {"named/new", "named/link"}) {
    auto file = createFile(folder / name);
    succeed(file->write("new"));
    succeed(file->commit());
  }
  EXPECT_EQ(readBytes(folder / "real/new"), "new");
  EXPECT_EQ(readBytes(folder / "real/target"), "new");
}

TEST(OutputFile, NamesTheDestinationWhenItCannotBeWritten) {
  TemporaryFolder folder;
  EXPECT_CONTAINS(
      messageOf(OutputFile::create(folder / "no/out"), ExitCode::IO),
      folder / "no/out");
  EXPECT_CONTAINS(messageOf(OutputFile::create(folder / ""), ExitCode::IO),
                  "it is a folder");
  messageOf(OutputFile::create(""), ExitCode::IO);
}

TEST(OutputFile, ReportsAFullDisk) {
  auto file = createFile("/dev/full");
  succeed(file->write("x"));
  EXPECT_CONTAINS(messageOf(file->commit(), ExitCode::IO), "/dev/full");
}

TEST(OutputFile, WritesToADeviceWithoutReplacingIt) {
  auto file = createFile("/dev/null");
  succeed(file->write("x"));
  succeed(file->writeZeros(1 << 20));
  EXPECT_EQ(file->getPosition(), (1u << 20) + 1);
  succeed(file->commit());
  EXPECT_FALSE(llvm::sys::fs::is_regular_file("/dev/null"));
}

TEST(OutputFile, WritesMoreThanItsBuffer) {
  TemporaryFolder folder;
  std::string expected;
  auto file = createFile(folder / "out");
  for (unsigned i = 0; i != 200; ++i) {
    std::string part(i * 97, char('a' + i % 26));
    succeed(file->write(part));
    expected += part;
    EXPECT_EQ(file->getPosition(), expected.size());
  }
  std::string large(1 << 20, 'z');
  succeed(file->write(large));
  succeed(file->commit());
  EXPECT_EQ(readBytes(folder / "out"), expected + large);
}

TEST(OutputFile, PadsWithZeros) {
  TemporaryFolder folder;
  auto file = createFile(folder / "out");
  succeed(file->write("abc"));
  succeed(file->padTo(8));
  succeed(file->padTo(8));
  succeed(file->commit());
  EXPECT_EQ(readBytes(folder / "out"), std::string("abc\0\0\0\0\0", 8));
}

TEST(OutputFile, CopiesRangesOfAnySize) {
  TemporaryFolder folder;
  std::string bytes;
  for (unsigned i = 0; i != 1 << 20; ++i)
    bytes.push_back(char(i * 7 + i / 251));
  auto source = MappedFile::open(folder.add("in", bytes));
  ASSERT_TRUE(bool(source));
  auto file = createFile(folder / "out");
  succeed(file->write("x"));
  succeed(file->copyRange(**source, 3, 10));
  succeed(file->copyRange(**source, 5, 900000));
  succeed(file->copyRange(**source, bytes.size(), 0));
  succeed(file->write("y"));
  succeed(file->commit());
  EXPECT_EQ(readBytes(folder / "out"),
            "x" + bytes.substr(3, 10) + bytes.substr(5, 900000) + "y");
}

TEST(OutputFile, CopiesMemoryAndFilesThatWereReplaced) {
  TemporaryFolder folder;
  std::string bytes(300000, 'm');
  auto memory = MappedFile::fromMemory(bytes, "memory");
  auto source = MappedFile::open(folder.add("in", bytes));
  ASSERT_TRUE(bool(source));
  ASSERT_EQ(::unlink((folder / "in").c_str()), 0);
  folder.add("in", std::string(300000, 'n'));
  auto file = createFile(folder / "out");
  succeed(file->copyRange(*memory, 0, bytes.size()));
  succeed(file->copyRange(**source, 0, bytes.size()));
  succeed(file->commit());
  EXPECT_EQ(readBytes(folder / "out"), bytes + bytes);
}

/// A file of `size` bytes with "data" at its middle, the rest a hole.
static std::string addSparseFile(const TemporaryFolder &folder, uint64_t size) {
  std::string path = folder.add("sparse", "");
  int file = ::open(path.c_str(), O_WRONLY);
  EXPECT_EQ(::ftruncate(file, size), 0);
  EXPECT_EQ(::pwrite(file, "data", 4, size / 2), 4);
  ::close(file);
  return path;
}

TEST(OutputFile, HolesStayHoles) {
  TemporaryFolder folder;
  constexpr uint64_t size = uint64_t(8) << 30;
  auto source = MappedFile::open(addSparseFile(folder, size));
  ASSERT_TRUE(bool(source));
  if (getAllocatedSize(folder / "sparse") > 1 << 20)
    GTEST_SKIP() << "the file system has no holes";
  auto file = createFile(folder / "out");
  succeed(file->write("head"));
  succeed(file->copyRange(**source, 0, size));
  succeed(file->commit());

  EXPECT_LT(getAllocatedSize(folder / "out"), uint64_t(1) << 20);
  auto copy = MappedFile::open(folder / "out");
  ASSERT_TRUE(bool(copy));
  ASSERT_EQ((*copy)->getSize(), size + 4);
  EXPECT_EQ(llvm::StringRef((*copy)->getBytes().data() + size / 2 + 3, 6),
            llvm::StringRef("\0data\0", 6));
}

TEST(OutputFile, HolesBecomeZerosInAPipe) {
  TemporaryFolder folder;
  auto source = MappedFile::open(addSparseFile(folder, 1 << 20));
  ASSERT_TRUE(bool(source));
  std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  auto file = createFile(pipe);
  // A range that fits into the pipe's buffer.
  succeed(file->copyRange(**source, 0, 10));
  succeed(file->commit());
  char bytes[16];
  EXPECT_EQ(::read(reader, bytes, sizeof(bytes)), 10);
  EXPECT_EQ(llvm::StringRef(bytes, 10), std::string(10, '\0'));
  ::close(reader);
}
