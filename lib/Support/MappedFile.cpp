//===- MappedFile.cpp - Files read through the page cache -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/MappedFile.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace inlay;
using llvm::StringRef;
using llvm::Twine;

static llvm::Error cannotRead(StringRef path, const Twine &why) {
  return ioError("cannot read '" + path + "': " + why);
}

// Without O_NONBLOCK opening a named pipe waits for its writer.
static constexpr int readFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
static constexpr int folderFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;

static llvm::Error checkName(StringRef path) {
  if (!path.contains('\0'))
    return llvm::Error::success();
  return cannotRead(path.take_until([](char c) { return c == '\0'; }),
                    "the name contains a zero byte");
}

llvm::Expected<std::shared_ptr<const MappedFile>>
MappedFile::open(StringRef path) {
  if (llvm::Error error = checkName(path))
    return std::move(error);
  return take(::open(path.str().c_str(), readFlags), path.str());
}

llvm::Expected<std::shared_ptr<const MappedFile>>
MappedFile::openBelow(StringRef folder, StringRef inner) {
  std::string path =
      (folder + (folder.ends_with("/") ? "" : "/") + inner).str();
  if (llvm::Error error = checkName(path))
    return std::move(error);
  llvm::SmallVector<StringRef> parts;
  inner.split(parts, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (parts.empty() || llvm::is_contained(parts, ".."))
    return cannotRead(path, "it is not below '" + folder + "'");
  int place = ::open(folder.str().c_str(), folderFlags);
  for (StringRef part : llvm::ArrayRef(parts).drop_back()) {
    int next = ::openat(place, part.str().c_str(), folderFlags | O_NOFOLLOW);
    int error = errno;
    ::close(place);
    place = next;
    errno = error;
  }
  if (place < 0)
    return cannotRead(path, llvm::sys::StrError(errno));
  auto close = llvm::make_scope_exit([&] { ::close(place); });
  return take(
      ::openat(place, parts.back().str().c_str(), readFlags | O_NOFOLLOW),
      path);
}

llvm::Expected<std::shared_ptr<const MappedFile>>
MappedFile::take(int descriptor, std::string path) {
  if (descriptor < 0)
    return cannotRead(path, llvm::sys::StrError(errno));
  auto close = llvm::make_scope_exit([&] { ::close(descriptor); });

  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return cannotRead(path, llvm::sys::StrError(errno));
  if (S_ISDIR(status.st_mode))
    return cannotRead(path, "it is a folder");
  if (!S_ISREG(status.st_mode))
    return cannotRead(path, "it is not a regular file");

  std::shared_ptr<MappedFile> file(new MappedFile());
  file->path = std::move(path);
  file->identity = {status.st_dev, status.st_ino};
  file->size = status.st_size;
  if (file->size == 0)
    return file;
  void *mapping =
      ::mmap(nullptr, file->size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (mapping == MAP_FAILED) {
    file->size = 0;
    return cannotRead(file->path, llvm::sys::StrError(errno));
  }
  file->data = static_cast<const char *>(mapping);
  return file;
}

std::shared_ptr<const MappedFile>
MappedFile::fromMemory(std::unique_ptr<char[]> bytes, size_t size,
                       StringRef name) {
  std::shared_ptr<MappedFile> file(new MappedFile());
  file->path = name.str();
  file->size = size;
  file->data = bytes.get();
  file->owned = std::move(bytes);
  return file;
}

std::shared_ptr<const MappedFile>
MappedFile::fromMemory(llvm::ArrayRef<char> bytes, StringRef name) {
  auto copy = std::make_unique<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return fromMemory(std::move(copy), bytes.size(), name);
}

MappedFile::~MappedFile() {
  if (data && !isInMemory())
    ::munmap(const_cast<char *>(data), size);
}

std::optional<uint64_t> MappedFile::getOffset(llvm::ArrayRef<char> view) const {
  // Addresses of different objects are only comparable as numbers.
  auto begin = reinterpret_cast<uintptr_t>(data);
  auto start = reinterpret_cast<uintptr_t>(view.data());
  if (start < begin || start - begin > size || view.size() > size ||
      start - begin > size - view.size())
    return std::nullopt;
  return start - begin;
}

void MappedFile::releasePages(uint64_t offset, uint64_t length) const {
  assert(isRangeWithin<uint64_t>(offset, length, size) && "not in the file");
  if (isInMemory())
    return;
  uint64_t page = ::sysconf(_SC_PAGESIZE);
  uint64_t begin = llvm::alignTo(offset, page);
  uint64_t end = llvm::alignDown(offset + length, page);
  // A failure only means that the pages stay.
  if (begin < end)
    ::madvise(const_cast<char *>(data) + begin, end - begin, MADV_DONTNEED);
}
