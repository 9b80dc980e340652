//===- StandardStreams.cpp - "-" in place of a file -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/StandardStreams.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <mutex>
#include <unistd.h>

using namespace inlay;

namespace {
/// Bytes of which nobody knows how many come.
struct Growing {
  size_t size = 0, capacity = size_t(1) << 20;
  std::unique_ptr<char[]> bytes{new char[capacity]};

  void makeRoom() {
    if (size != capacity)
      return;
    std::unique_ptr<char[]> larger(new char[capacity * 2]);
    std::copy_n(bytes.get(), size, larger.get());
    bytes = std::move(larger);
    capacity *= 2;
  }
};
} // namespace

static llvm::Expected<std::shared_ptr<const MappedFile>> readAll() {
  Growing all;
  while (true) {
    all.makeRoom();
    ssize_t count = ::read(STDIN_FILENO, all.bytes.get() + all.size,
                           all.capacity - all.size);
    if (llvm::Error error = checkCancelled())
      return std::move(error);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return ioError("cannot read standard input: " +
                     llvm::sys::StrError(errno));
    if (count == 0)
      return MappedFile::fromMemory(std::move(all.bytes), all.size,
                                    standardInputName);
    all.size += count;
  }
}

llvm::Expected<std::shared_ptr<const MappedFile>> inlay::readStandardInput() {
  static std::mutex mutex;
  static std::shared_ptr<const MappedFile> known;
  std::lock_guard lock(mutex);
  if (known)
    return known;
  auto read = readAll();
  if (read)
    known = *read;
  return read;
}
