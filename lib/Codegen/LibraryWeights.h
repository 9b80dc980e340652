//===- LibraryWeights.h - The weights of a library --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_LIBRARYWEIGHTS_H
#define INLAY_LIB_CODEGEN_LIBRARYWEIGHTS_H

#include "ProgramBuilder.h"
#include "inlay/NativeRuntime/Program.h"
#include "inlay/Support/OutputFile.h"

namespace inlay {

/// Where the constants of a program lie in its weights: as they are, or as its
/// steps have packed them. Known before any byte is written.
class LibraryWeights {
public:
  /// A constant that a kernel reads as it is.
  void add(mlir::Attribute constant);
  /// What a step packs.
  void add(const ProgramStep &step);

  uint64_t getOffset(mlir::Attribute constant) const {
    return constants.lookup(constant);
  }
  uint64_t getOffset(const ProgramStep &step) const {
    return packed.lookup(&step);
  }
  uint64_t getBytes() const { return bytes; }

  /// Hands all bytes over, one piece after the other; steps pack by `kernels`.
  using Sink = llvm::function_ref<llvm::Error(llvm::ArrayRef<char> bytes)>;
  llvm::Error write(const std::optional<NativeKernels> &kernels,
                    Sink sink) const;

private:
  /// One of both.
  struct Piece {
    mlir::Attribute constant;
    const ProgramStep *step = nullptr;
    uint64_t offset = 0;
  };

  uint64_t append(Piece piece, uint64_t size);

  std::vector<Piece> pieces;
  llvm::DenseMap<mlir::Attribute, uint64_t> constants;
  llvm::DenseMap<const ProgramStep *, uint64_t> packed;
  uint64_t bytes = 0;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_LIBRARYWEIGHTS_H
