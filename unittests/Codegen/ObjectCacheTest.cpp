//===- ObjectCacheTest.cpp ------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/ObjectCache.h"
#include "../Support/TemporaryFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace inlay;

static std::shared_ptr<ObjectCache>
openCache(const std::string &path, uint64_t maxBytes = ObjectCache::maxBytes) {
  return llvm::cantFail(ObjectCache::open(path, maxBytes));
}

static std::string find(const ObjectCache &cache, llvm::StringRef key) {
  auto found = cache.find(key);
  return found ? found->getBuffer().str() : "nothing";
}

TEST(ObjectCache, FindsWhatWasStored) {
  TemporaryFolder folder;
  auto cache = openCache(folder / "cache");
  std::string key = ObjectCache::getKey("kernel", "machine");
  EXPECT_EQ(find(*cache, key), "nothing");
  cache->store(key, "code");
  EXPECT_EQ(find(*cache, key), "code");
  // Another process.
  EXPECT_EQ(find(*openCache(folder / "cache"), key), "code");
  cache->store(key, "other code");
  EXPECT_EQ(find(*cache, key), "other code");
}

TEST(ObjectCache, NamesAreOfAllThatMatters) {
  std::string key = ObjectCache::getKey("ab", "c");
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(key, ObjectCache::getKey("ab", "c"));
  EXPECT_NE(key, ObjectCache::getKey("a", "bc"));
  EXPECT_NE(key, ObjectCache::getKey("ab", "d"));
}

TEST(ObjectCache, TheFolderIsTheUsersAlone) {
  TemporaryFolder folder;
  openCache(folder / "cache");
  struct stat status;
  ASSERT_EQ(::stat((folder / "cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(::chmod((folder / "cache").c_str(), 0777), 0);
  auto open = ObjectCache::open(folder / "cache");
  ASSERT_FALSE(bool(open));
  EXPECT_NE(llvm::toString(open.takeError()).find("others may write to it"),
            std::string::npos);
}

TEST(ObjectCache, FollowsNoLinks) {
  TemporaryFolder folder;
  auto cache = openCache(folder / "cache");
  std::string key = ObjectCache::getKey("kernel", "machine");
  cache->store(key, "code");
  ASSERT_EQ(::symlink((folder / "cache").c_str(), (folder / "link").c_str()),
            0);
  auto open = ObjectCache::open(folder / "link");
  EXPECT_FALSE(bool(open));
  llvm::consumeError(open.takeError());
  std::string file = folder / ("cache/" + key), moved = folder / "moved";
  ASSERT_EQ(::rename(file.c_str(), moved.c_str()), 0);
  ASSERT_EQ(::symlink(moved.c_str(), file.c_str()), 0);
  EXPECT_EQ(find(*cache, key), "nothing");
}

/// Any byte of a file that is another one, and any end that is missing.
TEST(ObjectCache, TakesNothingThatIsDamaged) {
  TemporaryFolder folder;
  auto cache = openCache(folder / "cache");
  std::string key = ObjectCache::getKey("kernel", "machine");
  std::string file = folder / ("cache/" + key);
  cache->store(key, "code");
  uint64_t size = 0;
  ASSERT_FALSE(llvm::sys::fs::file_size(file, size));
  for (uint64_t i = 0; i < size; ++i) {
    cache->store(key, "code");
    {
      std::fstream stream(file, std::ios::in | std::ios::out);
      stream.seekg(i);
      char byte = stream.get();
      stream.seekp(i);
      stream.put(char(byte ^ 1));
    }
    EXPECT_EQ(find(*cache, key), "nothing") << i;
    cache->store(key, "code");
    ASSERT_EQ(::truncate(file.c_str(), i), 0);
    EXPECT_EQ(find(*cache, key), "nothing") << i;
  }
  // What stands there under another name is not what was asked for.
  cache->store(key, "code");
  std::string other = ObjectCache::getKey("other kernel", "machine");
  ASSERT_EQ(::rename(file.c_str(), (folder / ("cache/" + other)).c_str()), 0);
  EXPECT_EQ(find(*cache, other), "nothing");
}

TEST(ObjectCache, WhatWasNotUsedForLongestMakesRoom) {
  TemporaryFolder folder;
  auto cache = openCache(folder / "cache", 3000);
  std::string code(1000, 'x');
  auto store = [&](llvm::StringRef name, time_t time) {
    std::string key = ObjectCache::getKey(name, "machine");
    cache->store(key, code);
    timespec times[] = {{time, 0}, {time, 0}};
    ::utimensat(AT_FDCWD, (folder / ("cache/" + key)).c_str(), times, 0);
    return key;
  };
  std::string a = store("a", 1000), b = store("b", 2000);
  EXPECT_EQ(find(*cache, a), code);
  std::string c = store("c", 3000);
  // `a` was used a moment ago.
  EXPECT_EQ(find(*cache, a), code);
  EXPECT_EQ(find(*cache, b), "nothing");
  EXPECT_EQ(find(*cache, c), code);
}

TEST(ObjectCache, SeveralWriteAtOnce) {
  TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      auto cache = openCache(folder / "cache");
      for (unsigned i = 0; i < 50; ++i) {
        std::string key = ObjectCache::getKey(std::to_string(i % 5), "machine");
        std::string found = find(*cache, key);
        EXPECT_TRUE(found == "nothing" || found == std::string(9999, 'x'));
        cache->store(key, std::string(9999, 'x'));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
