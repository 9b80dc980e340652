//===- DataFiles.h - The bytes that constants refer to ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_DATAFILES_H
#define INLAY_IR_DATAFILES_H

#include "inlay/Support/ExternalFiles.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <optional>

namespace inlay {

/// The files and buffers that `#inlay.data` attributes refer to by name.
class DataFiles {
public:
  /// Bytes that are in no file.
  struct Buffer {
    std::string name;
    std::shared_ptr<const MappedFile> bytes;
  };

  /// Makes a file known under its path.
  void add(std::shared_ptr<const MappedFile> file);

  /// Keeps a copy of `bytes`; returns the name it goes by.
  std::string addBuffer(llvm::ArrayRef<char> bytes);
  /// A buffer of no bytes, to be given some once they are read.
  const Buffer &declareBuffer();
  void fillBuffer(llvm::StringRef name, llvm::ArrayRef<char> bytes);
  /// The buffer of that name; null where there is none.
  const Buffer *findBuffer(llvm::StringRef name) const;

  /// Lets names that have not been added be opened where `files` allows it.
  /// Without it they are refused: no attribute opens a file by itself.
  void allow(ExternalFiles files);

  llvm::Expected<std::shared_ptr<const MappedFile>>
  lookup(llvm::StringRef name);

  /// Every file in use, in the order of its first use.
  llvm::SmallVector<std::shared_ptr<const MappedFile>> getFiles() const;

  /// A path beside a model for its data that no file in use has.
  std::string chooseDataPath(llvm::StringRef modelPath) const;

private:
  bool isInUse(llvm::StringRef path) const;

  mutable std::mutex mutex;
  llvm::StringMap<std::shared_ptr<const MappedFile>> byName;
  llvm::SmallVector<std::shared_ptr<const MappedFile>> files;
  llvm::StringMap<std::unique_ptr<Buffer>> buffers;
  std::optional<ExternalFiles> allowed;
};

} // namespace inlay

#endif // INLAY_IR_DATAFILES_H
