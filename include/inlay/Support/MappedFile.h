//===- MappedFile.h - Files read through the page cache ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of any size are mapped, never read into memory: only the pages that
// somebody looks at become resident.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_MAPPEDFILE_H
#define INLAY_SUPPORT_MAPPEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace inlay {

/// A regular file mapped read-only. It keeps no file descriptor, so that a
/// model may have thousands of external files.
class MappedFile {
public:
  /// Device and inode: equal exactly for the same file.
  using Identity = std::pair<uint64_t, uint64_t>;

  static llvm::Expected<std::shared_ptr<const MappedFile>>
  open(llvm::StringRef path);

  /// Opens a file below `folder` and follows no link on the way from there, so
  /// that whatever happens meanwhile, what is opened lies below it.
  static llvm::Expected<std::shared_ptr<const MappedFile>>
  openBelow(llvm::StringRef folder, llvm::StringRef inner);

  /// Bytes that are in no file, copied; `name` is what messages call them.
  static std::shared_ptr<const MappedFile>
  fromMemory(llvm::ArrayRef<char> bytes, llvm::StringRef name);
  static std::shared_ptr<const MappedFile> fromMemory(llvm::StringRef bytes,
                                                      llvm::StringRef name) {
    return fromMemory(llvm::ArrayRef<char>(bytes.data(), bytes.size()), name);
  }
  /// The same, taking the bytes over.
  static std::shared_ptr<const MappedFile>
  fromMemory(std::unique_ptr<char[]> bytes, size_t size, llvm::StringRef name);

  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile();

  llvm::ArrayRef<char> getBytes() const { return {data, size}; }
  uint64_t getSize() const { return size; }
  llvm::StringRef getPath() const { return path; }
  Identity getIdentity() const { return identity; }
  /// Whether there is no file behind the bytes.
  bool isInMemory() const { return owned != nullptr; }

  /// Where `view` begins in the file, or nothing when it lies elsewhere.
  std::optional<uint64_t> getOffset(llvm::ArrayRef<char> view) const;

  /// Lets go of the resident pages wholly inside a range; looking at them
  /// again reads them again.
  void releasePages(uint64_t offset, uint64_t length) const;

private:
  MappedFile() = default;

  /// Maps and closes an open file.
  static llvm::Expected<std::shared_ptr<const MappedFile>>
  take(int descriptor, std::string path);

  const char *data = nullptr;
  size_t size = 0;
  std::string path;
  Identity identity;
  std::unique_ptr<char[]> owned;
};

/// A range of a file, keeping the file mapped.
struct FileRange {
  std::shared_ptr<const MappedFile> file;
  uint64_t offset = 0;
  uint64_t length = 0;

  llvm::ArrayRef<char> getBytes() const {
    return file->getBytes().slice(offset, length);
  }
};

} // namespace inlay

#endif // INLAY_SUPPORT_MAPPEDFILE_H
