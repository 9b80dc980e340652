//===- Library.h - Models as shared libraries -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model `M` becomes M.so, which needs nothing but libc and libm, M.h, which
// says what it takes and gives, and M.weights, where these are not small.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_LIBRARY_H
#define INLAY_CODEGEN_LIBRARY_H

#include "inlay/Analysis/Samples.h"
#include "inlay/Codegen/NativeProgram.h"

namespace inlay {

/// Where the weights of a library are.
enum class WeightsHome : uint8_t {
  /// In the library below 16 MB, otherwise in a file of their own.
  Auto,
  File,
  Inside
};

/// A length of inputs that a library leaves open. What is compiled is the model
/// for the largest one; that it computes the same for others is seen in the
/// same model for some of these.
struct OpenLength {
  struct Probe {
    int64_t length;
    mlir::OwningOpRef<mlir::ModuleOp> module;
  };
  /// What it is called.
  std::string symbol;
  int64_t largest = 0;
  /// Of this length, where others are the largest.
  std::vector<Probe> probes = {};
  /// The largest one and shorter ones, simplified and no more: how code is made
  /// for short lengths differs, but what is computed must not.
  std::vector<Probe> simplified = {};
};

struct LibraryOptions {
  Machine machine;
  /// "folder/M.so"; the other files lie beside it.
  std::string path;
  /// What the library's functions begin with; empty: the file's name as a C
  /// identifier.
  std::string prefix;
  WeightsHome weights = WeightsHome::Auto;
  CompileJobs jobs;
  CodeChoices choices = {};
  /// Where the module is that of one sample, and the library takes any number.
  std::optional<Samples> samples = {};
  std::vector<OpenLength> lengths = {};
};

/// What was written.
struct LibraryFiles {
  std::string header, weights;
  uint64_t libraryBytes = 0, weightsBytes = 0;
  uint64_t arenaBytes = 0;
  unsigned numSteps = 0, numKernels = 0;
};

/// Writes the files, all of them or none. A step without machine code or a
/// value whose size is known only when it is computed is an error of exit code
/// 5 that lists them.
llvm::Expected<LibraryFiles> writeLibrary(mlir::ModuleOp module,
                                          const LibraryOptions &options);

} // namespace inlay

#endif // INLAY_CODEGEN_LIBRARY_H
