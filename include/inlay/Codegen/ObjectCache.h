//===- ObjectCache.h - Machine code that was made before --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files in a folder that only its user may write to. What is found there was
// written whole, by this build of Inlay, and has not changed since; anything
// else is as if it were not there. Several processes may use one folder.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_OBJECTCACHE_H
#define INLAY_CODEGEN_OBJECTCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>

namespace inlay {

class ObjectCache {
public:
  /// Bytes that a folder may have.
  static constexpr uint64_t maxBytes = 512'000'000;

  /// Makes the folder where it is not there. One of somebody else's, that
  /// others may write to, or that is a link, is an error.
  static llvm::Expected<std::shared_ptr<ObjectCache>>
  open(llvm::StringRef folder, uint64_t maxBytes = ObjectCache::maxBytes);
  /// The user's own folder for such files: where it is, empty where there is
  /// none, and the folder itself, null where it is not good.
  static std::string getDefaultFolder();
  static std::shared_ptr<ObjectCache> openDefault();

  ~ObjectCache();
  ObjectCache(const ObjectCache &) = delete;
  ObjectCache &operator=(const ObjectCache &) = delete;

  /// The name of what is made of `text` for a machine that `machine` describes,
  /// by this build.
  static std::string getKey(llvm::StringRef text, llvm::StringRef machine);

  /// Null where there is none that is whole.
  std::unique_ptr<llvm::MemoryBuffer> find(llvm::StringRef key) const;
  /// Files that were not used for longest make room. What cannot be written is
  /// not there the next time, and no error.
  void store(llvm::StringRef key, llvm::StringRef bytes) const;

private:
  ObjectCache(int folder, uint64_t maxBytes)
      : folder(folder), maxBytesHere(maxBytes) {}

  void makeRoom() const;

  /// A descriptor: what is opened lies there, wherever the path leads now.
  int folder;
  uint64_t maxBytesHere;
};

} // namespace inlay

#endif // INLAY_CODEGEN_OBJECTCACHE_H
