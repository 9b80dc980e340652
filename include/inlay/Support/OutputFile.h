//===- OutputFile.h - Files that appear whole or not at all -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   auto file = OutputFile::create("out.onnx");
//   if (!file)
//     return file.takeError();
//   if (Error error = (*file)->write(bytes))
//     return error;
//   return (*file)->commit();
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_OUTPUTFILE_H
#define INLAY_SUPPORT_OUTPUTFILE_H

#include "inlay/Support/MappedFile.h"
#include "llvm/ADT/SmallVector.h"

namespace inlay {

/// A file under construction. It is written to a temporary beside its
/// destination, which commit() puts in its place; without a commit (a failure,
/// a signal) the temporary is removed and the destination is untouched. What
/// exists and is no regular file (/dev/null, a pipe) is written to directly,
/// and so is standard output, "-". A link out of its folder is refused.
class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef path);

  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  llvm::StringRef getPath() const { return path; }
  /// Bytes written so far.
  uint64_t getPosition() const { return flushed + buffer.size(); }

  llvm::Error write(llvm::ArrayRef<char> bytes);
  llvm::Error write(llvm::StringRef bytes) {
    return write(llvm::ArrayRef<char>(bytes.data(), bytes.size()));
  }
  llvm::Error write(const char *text) { return write(llvm::StringRef(text)); }
  /// Writes over what was written at `offset`; not to pipes.
  llvm::Error overwrite(uint64_t offset, llvm::ArrayRef<char> bytes);

  /// Copies a range of `source` from file to file, without making its pages
  /// resident; holes stay holes.
  llvm::Error copyRange(const MappedFile &source, uint64_t offset,
                        uint64_t length);

  /// Writes `count` zeros, as a hole where the file can have one.
  llvm::Error writeZeros(uint64_t count);
  /// Zeros up to the next multiple of `alignment`.
  llvm::Error padTo(uint64_t alignment);

  llvm::Error commit();

private:
  OutputFile() = default;

  llvm::Error fail(int error) const;
  llvm::Error openTemporary();
  llvm::Error flush();
  llvm::Error writeThrough(llvm::ArrayRef<char> bytes);
  llvm::Error copyData(int source, uint64_t offset, uint64_t length,
                       llvm::StringRef sourcePath);
  llvm::Error copyByChunks(int source, uint64_t offset, uint64_t length,
                           llvm::StringRef sourcePath);

  std::string path;
  /// Where commit() puts the file: `path` with links resolved.
  std::string destination;
  /// Empty when the destination is written to directly.
  std::string temporary;
  int descriptor = -1;
  uint64_t flushed = 0;
  llvm::SmallVector<char, 0> buffer;
};

} // namespace inlay

#endif // INLAY_SUPPORT_OUTPUTFILE_H
