//===- DataFiles.h - The bytes that constants refer to ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_DATAFILES_H
#define INLAY_IR_DATAFILES_H

#include "inlay/Support/MappedFile.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace inlay {

/// The files and buffers that `#inlay.data` attributes refer to by name. A
/// name that has not been added is opened as a path on first use, so that IR
/// can be printed and read again.
class DataFiles {
public:
  /// Makes a file known under its path.
  void add(std::shared_ptr<const MappedFile> file);

  /// Keeps a copy of `bytes`; returns the name it goes by.
  std::string addBuffer(llvm::ArrayRef<char> bytes);

  llvm::Expected<std::shared_ptr<const MappedFile>>
  lookup(llvm::StringRef name);

  /// Every file in use, in the order of its first use.
  llvm::SmallVector<std::shared_ptr<const MappedFile>> getFiles() const;

private:
  mutable std::mutex mutex;
  llvm::StringMap<std::shared_ptr<const MappedFile>> byName;
  llvm::SmallVector<std::shared_ptr<const MappedFile>> files;
  unsigned numBuffers = 0;
};

} // namespace inlay

#endif // INLAY_IR_DATAFILES_H
