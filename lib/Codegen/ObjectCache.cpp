//===- ObjectCache.cpp - Machine code that was made before ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/ObjectCache.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <atomic>
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace inlay;

/// What files begin with; the digest of the rest follows.
static constexpr llvm::StringLiteral magic = "inlayo1\n";
static constexpr size_t digestSize = 32;

/// The number in the name of a file that is being written.
static unsigned getNextNumber() {
  static std::atomic<unsigned> number = 0;
  return ++number;
}

//===----------------------------------------------------------------------===//
// This build
//===----------------------------------------------------------------------===//

namespace {
/// Looks for the note of the linker in the file that this function is of.
struct BuildNote {
  uintptr_t inside;
  std::string id;
};
} // namespace

static void readNotes(const char *at, size_t size, std::string &id) {
  while (size >= sizeof(ElfW(Nhdr))) {
    auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
    size_t name = llvm::alignTo(note->n_namesz, 4),
           text = llvm::alignTo(note->n_descsz, 4);
    if (sizeof(*note) + name + text > size)
      return;
    if (note->n_type == NT_GNU_BUILD_ID)
      id.assign(at + sizeof(*note) + name, note->n_descsz);
    at += sizeof(*note) + name + text;
    size -= sizeof(*note) + name + text;
  }
}

static int visitObject(dl_phdr_info *info, size_t, void *data) {
  auto *found = static_cast<BuildNote *>(data);
  auto contains = [&](const ElfW(Phdr) & segment) {
    uintptr_t start = info->dlpi_addr + segment.p_vaddr;
    return segment.p_type == PT_LOAD && found->inside >= start &&
           found->inside < start + segment.p_memsz;
  };
  llvm::ArrayRef segments(info->dlpi_phdr, info->dlpi_phnum);
  if (llvm::none_of(segments, contains))
    return 0;
  for (const ElfW(Phdr) & segment : segments)
    if (segment.p_type == PT_NOTE)
      readNotes(
          reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr),
          segment.p_memsz, found->id);
  return 1;
}

/// What the linker calls the file that this function is of; empty where it gave
/// no name.
static const std::string &getBuildId() {
  static const std::string id = [] {
    BuildNote note{reinterpret_cast<uintptr_t>(&visitObject), {}};
    dl_iterate_phdr(visitObject, &note);
    return note.id;
  }();
  return id;
}

static std::string getDigest(llvm::ArrayRef<llvm::StringRef> parts) {
  llvm::SHA256 hash;
  for (llvm::StringRef part : parts) {
    // Where one ends is part of what they say.
    uint64_t size = part.size();
    hash.update(llvm::StringRef(reinterpret_cast<char *>(&size), sizeof(size)));
    hash.update(part);
  }
  std::array<uint8_t, 32> digest = hash.final();
  return std::string(digest.begin(), digest.end());
}

std::string ObjectCache::getKey(llvm::StringRef text, llvm::StringRef machine) {
  return llvm::toHex(getDigest({getBuildId(), machine, text}),
                     /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

llvm::Expected<std::shared_ptr<ObjectCache>>
ObjectCache::open(llvm::StringRef path, uint64_t maxBytes) {
  auto fail = [&](const llvm::Twine &why) {
    return ioError("cache '" + path + "': " + why);
  };
  if (getBuildId().empty())
    return fail("this build has no name that the linker gave it");
  std::string name = path.str();
  if (std::error_code code = llvm::sys::fs::create_directories(
          name, true, llvm::sys::fs::owner_all))
    return fail(code.message());
  int folder =
      ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return fail(llvm::sys::StrError(errno));
  std::shared_ptr<ObjectCache> cache(new ObjectCache(folder, maxBytes));
  struct stat status;
  if (::fstat(folder, &status) != 0)
    return fail(llvm::sys::StrError(errno));
  if (status.st_uid != ::geteuid())
    return fail("belongs to somebody else");
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fail("others may write to it");
  return cache;
}

std::string ObjectCache::getDefaultFolder() {
  llvm::SmallString<128> path;
  if (!llvm::sys::path::cache_directory(path))
    return "";
  llvm::sys::path::append(path, "inlay");
  return path.str().str();
}

std::shared_ptr<ObjectCache> ObjectCache::openDefault() {
  std::string path = getDefaultFolder();
  if (path.empty())
    return nullptr;
  auto cache = open(path);
  if (cache)
    return std::move(*cache);
  llvm::consumeError(cache.takeError());
  return nullptr;
}

ObjectCache::~ObjectCache() { ::close(folder); }

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// A file that is open.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  explicit operator bool() const { return number >= 0; }
  int get() const { return number; }

private:
  int number;
};
} // namespace

/// All bytes, or nothing.
static bool readAll(int file, llvm::SmallVectorImpl<char> &bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = ::read(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += count;
  }
  return true;
}

static bool writeAll(int file, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes = bytes.drop_front(count);
  }
  return true;
}

std::unique_ptr<llvm::MemoryBuffer>
ObjectCache::find(llvm::StringRef key) const {
  std::string name = key.str();
  Descriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != ::geteuid() ||
      uint64_t(status.st_size) < magic.size() + digestSize ||
      uint64_t(status.st_size) > maxBytesHere)
    return nullptr;
  llvm::SmallVector<char, 0> bytes(status.st_size);
  if (!readAll(file.get(), bytes))
    return nullptr;
  llvm::StringRef all(bytes.data(), bytes.size());
  llvm::StringRef digest = all.substr(magic.size(), digestSize);
  llvm::StringRef object = all.drop_front(magic.size() + digestSize);
  if (!all.starts_with(magic) || digest != getDigest({key, object}))
    return nullptr;
  // It was used now.
  ::futimens(file.get(), nullptr);
  return llvm::MemoryBuffer::getMemBufferCopy(object, name);
}

void ObjectCache::store(llvm::StringRef key, llvm::StringRef bytes) const {
  std::string name = key.str();
  std::string temporary = name + "." + std::to_string(::getpid()) + "." +
                          std::to_string(getNextNumber());
  {
    Descriptor file(
        ::openat(folder, temporary.c_str(),
                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                 S_IRUSR | S_IWUSR));
    if (!file)
      return;
    bool isWritten = writeAll(file.get(), magic) &&
                     writeAll(file.get(), getDigest({key, bytes})) &&
                     writeAll(file.get(), bytes);
    if (!isWritten ||
        ::renameat(folder, temporary.c_str(), folder, name.c_str()) != 0) {
      ::unlinkat(folder, temporary.c_str(), 0);
      return;
    }
  }
  makeRoom();
}

namespace {
struct CachedFile {
  std::string name;
  uint64_t bytes;
  /// When it was used.
  timespec time;
};
} // namespace

static std::vector<CachedFile> listFiles(int folder) {
  std::vector<CachedFile> files;
  // The stream takes the descriptor over, and its position.
  int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = own < 0 ? nullptr : ::fdopendir(own);
  if (!stream) {
    if (own >= 0)
      ::close(own);
    return files;
  }
  while (dirent *entry = ::readdir(stream)) {
    struct stat status;
    if (::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode))
      files.push_back(
          {entry->d_name, uint64_t(status.st_size), status.st_mtim});
  }
  ::closedir(stream);
  return files;
}

void ObjectCache::makeRoom() const {
  std::vector<CachedFile> files = listFiles(folder);
  uint64_t total = 0;
  for (const CachedFile &file : files)
    total += file.bytes;
  if (total <= maxBytesHere)
    return;
  llvm::sort(files, [](const CachedFile &a, const CachedFile &b) {
    return std::tuple(a.time.tv_sec, a.time.tv_nsec, a.name) <
           std::tuple(b.time.tv_sec, b.time.tv_nsec, b.name);
  });
  for (const CachedFile &file : files) {
    if (total <= maxBytesHere)
      return;
    if (::unlinkat(folder, file.name.c_str(), 0) == 0)
      total -= file.bytes;
  }
}
