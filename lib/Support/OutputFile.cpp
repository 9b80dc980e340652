//===- OutputFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/OutputFile.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/StandardStreams.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

/// Small writes are gathered up to this size; copies go through a buffer of
/// this size where the kernel cannot copy.
constexpr size_t bufferSize = 256 * 1024;
/// The most that is written without asking whether it is still wanted.
constexpr size_t maxPart = size_t(16) << 20;

//===----------------------------------------------------------------------===//
// Creation and completion
//===----------------------------------------------------------------------===//

Error OutputFile::fail(int error) const {
  return ioError("cannot write '" + path + "': " + llvm::sys::StrError(error));
}

/// Names of streams that are open already.
static bool isStream(StringRef path) {
  for (StringRef prefix : {"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"})
    if (path.starts_with(prefix))
      return true;
  return false;
}

/// Whether bytes go to the destination itself: renaming would replace a device
/// or a pipe by a file.
static bool isWrittenDirectly(StringRef path) {
  struct stat status;
  return ::stat(path.str().c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

Error OutputFile::openTemporary() {
  llvm::SmallString<256> folder = llvm::sys::path::parent_path(destination);
  // A name that is taken is rare, one taken a hundred times is another problem.
  for (unsigned attempt = 0; attempt != 100; ++attempt) {
    llvm::SmallString<256> name = folder;
    llvm::sys::path::append(
        name, ".inlay-" + Twine::utohexstr(::getpid()) + "-" +
                  Twine::utohexstr(llvm::sys::Process::GetRandomNumber()) +
                  ".tmp");
    descriptor =
        ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      temporary = name.str().str();
      llvm::sys::RemoveFileOnSignal(temporary);
      return Error::success();
    }
    if (errno != EEXIST)
      break;
  }
  return fail(errno);
}

/// The path without links, or `path` itself where there is nothing yet. A link
/// keeps pointing at what it points at, and that must lie in the same folder:
/// what is stored elsewhere may be shared by others, as in model hubs.
static llvm::Expected<std::string> getDestination(StringRef path) {
  if (isStream(path))
    return path.str();
  llvm::SmallString<256> target, folder;
  bool exists = !fs::real_path(path, target);
  if (!fs::is_symlink_file(path))
    return exists ? target.str().str() : path.str();
  StringRef parent = llvm::sys::path::parent_path(path);
  if (exists && !fs::real_path(parent.empty() ? "." : parent, folder) &&
      llvm::sys::path::parent_path(target) == folder)
    return target.str().str();
  std::string where = exists ? "'" + target.str().str() + "' in another folder"
                             : "a file that does not exist";
  return ioError("cannot write '" + path + "': it is a link to " + where +
                 "; remove the link or choose another name");
}

llvm::Expected<std::unique_ptr<OutputFile>> OutputFile::create(StringRef path) {
  if (path.empty() || path.contains('\0'))
    return ioError("cannot write to a file without a name");
  std::unique_ptr<OutputFile> file(new OutputFile());
  if (isStandardStream(path)) {
    file->path = "standard output";
    // A copy: to close it says whether all was written.
    file->descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file->descriptor < 0)
      return file->fail(errno);
    return file;
  }
  if (fs::is_directory(path))
    return ioError("cannot write '" + path + "': it is a folder");
  file->path = path.str();
  auto destination = getDestination(path);
  if (!destination)
    return destination.takeError();
  if (isStream(path) || isWrittenDirectly(*destination)) {
    file->descriptor = ::open(destination->c_str(), O_WRONLY | O_CLOEXEC);
    if (file->descriptor < 0)
      return file->fail(errno);
    return file;
  }
  file->destination = std::move(*destination);
  if (Error error = file->openTemporary())
    return std::move(error);
  return file;
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (temporary.empty())
    return;
  ::unlink(temporary.c_str());
  llvm::sys::DontRemoveFileOnSignal(temporary);
}

Error OutputFile::commit() {
  if (Error error = flush())
    return error;
  if (Error error = checkCancelled())
    return error;
  if (!temporary.empty()) {
    // The size counts a hole at the end.
    if (::ftruncate(descriptor, flushed) != 0)
      return fail(errno);
    struct stat old;
    if (::stat(destination.c_str(), &old) == 0 &&
        ::fchmod(descriptor, old.st_mode & 07777) != 0)
      return fail(errno);
  }
  if (::close(std::exchange(descriptor, -1)) != 0)
    return fail(errno);
  if (temporary.empty())
    return Error::success();
  if (::rename(temporary.c_str(), destination.c_str()) != 0)
    return fail(errno);
  llvm::sys::DontRemoveFileOnSignal(std::exchange(temporary, ""));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Error OutputFile::writeThrough(ArrayRef<char> bytes) {
  while (!bytes.empty()) {
    if (Error error = checkCancelled())
      return error;
    ArrayRef<char> part = bytes.take_front(maxPart);
    // Files with holes are written by position; pipes have none.
    ssize_t written =
        temporary.empty()
            ? ::write(descriptor, part.data(), part.size())
            : ::pwrite(descriptor, part.data(), part.size(), flushed);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return fail(errno);
    flushed += written;
    bytes = bytes.drop_front(written);
  }
  return Error::success();
}

Error OutputFile::flush() {
  Error error = writeThrough(buffer);
  buffer.clear();
  return error;
}

Error OutputFile::write(ArrayRef<char> bytes) {
  if (buffer.size() + bytes.size() <= bufferSize) {
    buffer.append(bytes.begin(), bytes.end());
    return Error::success();
  }
  if (Error error = flush())
    return error;
  if (bytes.size() >= bufferSize)
    return writeThrough(bytes);
  buffer.append(bytes.begin(), bytes.end());
  return Error::success();
}

Error OutputFile::overwrite(uint64_t offset, ArrayRef<char> bytes) {
  if (Error error = flush())
    return error;
  while (!bytes.empty()) {
    ssize_t count = ::pwrite(descriptor, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return fail(count < 0 ? errno : EIO);
    offset += count;
    bytes = bytes.drop_front(count);
  }
  return Error::success();
}

Error OutputFile::writeZeros(uint64_t count) {
  static const char zeros[4096] = {};
  if (count <= sizeof(zeros))
    return write(ArrayRef<char>(zeros, count));
  if (!temporary.empty()) {
    if (Error error = flush())
      return error;
    flushed += count;
    return Error::success();
  }
  for (; count != 0; count -= std::min<uint64_t>(count, sizeof(zeros)))
    if (Error error = write(
            ArrayRef<char>(zeros, std::min<uint64_t>(count, sizeof(zeros)))))
      return error;
  return Error::success();
}

Error OutputFile::padTo(uint64_t alignment) {
  return writeZeros(llvm::alignTo(getPosition(), alignment) - getPosition());
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

Error OutputFile::copyByChunks(int source, uint64_t offset, uint64_t length,
                               StringRef sourcePath) {
  llvm::SmallVector<char, 0> chunk;
  chunk.resize_for_overwrite(std::min<uint64_t>(length, bufferSize));
  while (length != 0) {
    ssize_t got = ::pread(source, chunk.data(),
                          std::min<uint64_t>(length, chunk.size()), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return ioError("cannot read '" + sourcePath +
                     "': " + llvm::sys::StrError(errno));
    if (got == 0)
      return ioError("cannot read '" + sourcePath + "': it has become shorter");
    if (Error error = writeThrough(ArrayRef<char>(chunk.data(), got)))
      return error;
    offset += got;
    length -= got;
  }
  return Error::success();
}

Error OutputFile::copyData(int source, uint64_t offset, uint64_t length,
                           StringRef sourcePath) {
  while (length != 0 && !temporary.empty()) {
    if (Error error = checkCancelled())
      return error;
    off_t from = offset, to = flushed;
    ssize_t copied = ::copy_file_range(source, &from, descriptor, &to,
                                       std::min<uint64_t>(length, maxPart), 0);
    if (copied < 0 && errno == EINTR)
      continue;
    // Between some file systems the kernel cannot copy; other errors show
    // themselves again when copying by chunks.
    if (copied <= 0)
      break;
    offset += copied;
    length -= copied;
    flushed += copied;
  }
  return copyByChunks(source, offset, length, sourcePath);
}

/// Opens the file behind a mapping, or returns -1 when another file has taken
/// its place.
static int reopen(const MappedFile &file) {
  if (file.isInMemory())
    return -1;
  int descriptor =
      ::open(file.getPath().str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return -1;
  struct stat status;
  if (::fstat(descriptor, &status) == 0 &&
      MappedFile::Identity(status.st_dev, status.st_ino) ==
          file.getIdentity() &&
      uint64_t(status.st_size) >= file.getSize())
    return descriptor;
  ::close(descriptor);
  return -1;
}

/// The first run of data in [begin, end) of a file, empty at `end` when there
/// is none. Where the file system knows no holes all is data.
static std::pair<uint64_t, uint64_t> findData(int file, uint64_t begin,
                                              uint64_t end) {
  off_t data = ::lseek(file, begin, SEEK_DATA);
  if (data < 0 && errno == ENXIO)
    return {end, end};
  uint64_t dataBegin = data < 0 ? begin : std::min<uint64_t>(data, end);
  off_t hole = ::lseek(file, dataBegin, SEEK_HOLE);
  if (hole < 0 || uint64_t(hole) <= dataBegin)
    return {dataBegin, end};
  return {dataBegin, std::min<uint64_t>(hole, end)};
}

Error OutputFile::copyRange(const MappedFile &source, uint64_t offset,
                            uint64_t length) {
  assert(isRangeWithin(offset, length, source.getSize()) && "not in the file");
  // A short range is cheaper through the buffer.
  int input = length < bufferSize / 4 ? -1 : reopen(source);
  if (input < 0) {
    Error error = write(source.getBytes().slice(offset, length));
    source.releasePages(offset, length);
    return error;
  }
  auto close = llvm::make_scope_exit([&] { ::close(input); });
  uint64_t end = offset + length;
  while (offset < end) {
    auto [dataBegin, dataEnd] = findData(input, offset, end);
    if (Error error = writeZeros(dataBegin - offset))
      return error;
    if (Error error = flush())
      return error;
    if (Error error =
            copyData(input, dataBegin, dataEnd - dataBegin, source.getPath()))
      return error;
    offset = dataEnd;
  }
  return Error::success();
}
