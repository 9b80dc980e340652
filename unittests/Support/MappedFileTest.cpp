//===- MappedFileTest.cpp -------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/MappedFile.h"
#include "TemporaryFolder.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace inlay;

static llvm::StringRef textOf(const MappedFile &file) {
  return {file.getBytes().data(), file.getBytes().size()};
}

TEST(MappedFile, ShowsTheBytesOfAFile) {
  TemporaryFolder folder;
  auto file = MappedFile::open(folder.add("a", "hello"));
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(textOf(**file), "hello");
  EXPECT_EQ((*file)->getPath(), folder / "a");
  EXPECT_FALSE((*file)->isInMemory());
}

TEST(MappedFile, AnEmptyFileHasNoBytes) {
  TemporaryFolder folder;
  auto file = MappedFile::open(folder.add("a", ""));
  ASSERT_TRUE(bool(file));
  EXPECT_EQ((*file)->getSize(), 0u);
  (*file)->releasePages(0, 0);
}

TEST(MappedFile, IdentityIsThatOfTheFileNotOfItsName) {
  TemporaryFolder folder;
  auto a = MappedFile::open(folder.add("a", "x"));
  auto b = MappedFile::open(folder.add("b", "x"));
  ASSERT_EQ(::link((folder / "a").c_str(), (folder / "c").c_str()), 0);
  auto c = MappedFile::open(folder / "c");
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ((*a)->getIdentity(), (*c)->getIdentity());
  EXPECT_NE((*a)->getIdentity(), (*b)->getIdentity());
}

TEST(MappedFile, RefusesWhatIsNoReadableFile) {
  TemporaryFolder folder;
  std::string missing =
      messageOf(MappedFile::open(folder / "missing"), ExitCode::IO);
  EXPECT_CONTAINS(missing, folder / "missing");
  EXPECT_CONTAINS(messageOf(MappedFile::open(folder / ""), ExitCode::IO),
                  "it is a folder");
  EXPECT_CONTAINS(messageOf(MappedFile::open("/dev/null"), ExitCode::IO),
                  "not a regular file");
  // Opening must not wait for a writer.
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_CONTAINS(messageOf(MappedFile::open(folder / "pipe"), ExitCode::IO),
                  "not a regular file");
  EXPECT_CONTAINS(
      messageOf(MappedFile::open(llvm::StringRef("a\0b", 3)), ExitCode::IO),
      "zero byte");
}

TEST(MappedFile, ReleasedPagesAreReadAgain) {
  TemporaryFolder folder;
  std::string bytes(1 << 20, 'x');
  auto file = MappedFile::open(folder.add("a", bytes));
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(textOf(**file), bytes);
  (*file)->releasePages(10, bytes.size() - 20);
  EXPECT_EQ(textOf(**file), bytes);
}

TEST(MappedFile, MemoryKeepsItsBytesWhenReleased) {
  std::string bytes(1 << 20, 'x');
  auto file = MappedFile::fromMemory(bytes, "memory");
  file->releasePages(0, bytes.size());
  EXPECT_EQ(textOf(*file), bytes);
  EXPECT_TRUE(file->isInMemory());
}

TEST(MappedFile, OffsetsAreOfViewsInsideOnly) {
  auto file = MappedFile::fromMemory(llvm::StringRef("0123456789"), "memory");
  llvm::ArrayRef<char> bytes = file->getBytes();
  EXPECT_EQ(file->getOffset(bytes.slice(3, 4)), 3u);
  EXPECT_EQ(file->getOffset(bytes.slice(10, 0)), 10u);
  EXPECT_FALSE(file->getOffset({bytes.data() + 8, 3}));
  char elsewhere = 'x';
  EXPECT_FALSE(file->getOffset({&elsewhere, 1}));
}

TEST(MappedFile, OpensBelowAFolderWithoutFollowingLinks) {
  TemporaryFolder folder;
  ASSERT_FALSE(llvm::sys::fs::create_directories(folder / "top/sub"));
  folder.add("outside", "secret");
  folder.add("top/a", "a");
  folder.add("top/sub/b", "b");
  ASSERT_EQ(::symlink("../outside", (folder / "top/link").c_str()), 0);
  ASSERT_EQ(::symlink("sub", (folder / "top/linked").c_str()), 0);
  auto open = [&](llvm::StringRef inner) {
    return MappedFile::openBelow(folder / "top", inner);
  };
  auto a = open("a"), b = open("sub/b");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(textOf(**a), "a");
  EXPECT_EQ(textOf(**b), "b");
  EXPECT_EQ((*b)->getPath(), folder / "top/sub/b");
  for (const char *inner : {"link", "linked/b", "missing", "missing/b", "a/b"})
    EXPECT_CONTAINS(messageOf(open(inner), ExitCode::IO), "cannot read");
  for (const char *inner : {"", "/", "..", "../outside", "sub/../../outside"})
    EXPECT_CONTAINS(messageOf(open(inner), ExitCode::IO), "not below");
  EXPECT_CONTAINS(messageOf(open("sub"), ExitCode::IO), "it is a folder");
  EXPECT_CONTAINS(messageOf(open(llvm::StringRef("a\0b", 3)), ExitCode::IO),
                  "zero byte");
}
