//===- Zip.h - The zip archives that .npz files are -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TENSOR_ZIP_H
#define INLAY_LIB_TENSOR_ZIP_H

#include "inlay/Support/MappedFile.h"
#include "inlay/Support/OutputFile.h"
#include <vector>

namespace inlay {

struct ZipMember {
  std::string name;
  bool isDeflated = false;
  /// Bytes when unpacked, and their checksum.
  uint64_t size = 0;
  uint32_t crc = 0;
  /// Where the packed bytes are.
  FileRange data;
};

/// The members of an archive in its own order. Their ranges lie in the file
/// and together do not exceed it.
llvm::Expected<std::vector<ZipMember>>
listZip(const std::shared_ptr<const MappedFile> &file);

/// The bytes of a member, in the archive itself when they are stored.
llvm::Expected<FileRange> unpackMember(const ZipMember &member);

/// Writes an archive of stored members.
class ZipWriter {
public:
  explicit ZipWriter(OutputFile &file) : file(file) {}

  /// Adds a member whose bytes are `first` followed by `second`.
  llvm::Error add(llvm::StringRef name, llvm::StringRef first,
                  llvm::ArrayRef<char> second);
  llvm::Error finish();

private:
  OutputFile &file;
  std::string directory;
  uint64_t count = 0;
};

} // namespace inlay

#endif // INLAY_LIB_TENSOR_ZIP_H
