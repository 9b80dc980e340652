//===- KernelCode.h - Kernels as code ---------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a function of pointers to what it reads and writes, which runs
// any part of its outermost loop: several threads run one part each.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_KERNELCODE_H
#define INLAY_CODEGEN_KERNELCODE_H

#include "inlay/Codegen/CodeChoices.h"
#include "inlay/Codegen/Machine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace llvm {
class MemoryBuffer;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace inlay {

class OpenDims;

/// Runs turns `begin` to `end` of the outermost loop.
using KernelFunction = void (*)(void *const *buffers, int64_t begin,
                                int64_t end);

/// What code is made for, and how.
struct CodeTarget {
  VectorUnit unit = {};
  CodeChoices choices = {};
  /// Which dimensions have lengths that are known when the code runs; null
  /// where none has.
  const OpenDims *open = nullptr;
};

/// What the code of a step is called and takes: the buffers of its reads, then
/// those of its results that somebody uses, all dense and row-major. Constants
/// of the step's own body are among the reads.
struct KernelCode {
  /// Of a loop over a length of OpenDims: so many turns for each block of its
  /// elements, and no others. Where there are no blocks, all turns are run for
  /// every length.
  struct OpenTurns {
    int64_t block = 0, turns = 0;
    unsigned length = 0;
  };

  /// What a read has to be behind the lengths of a run, by length so many
  /// elements: numbers of these bits.
  struct Clear {
    unsigned read;
    uint32_t bits;
    llvm::SmallDenseMap<unsigned, int64_t, 2> borders;
  };

  /// Where elements along lengths meet, which dimensions code looks along at
  /// what lies behind them: that may be anything along others.
  enum class Behind : uint8_t { All, Last, None };

  /// A second function that arranges what is read as the kernel wants it, in
  /// memory that both find behind the results. It runs before the kernel, or
  /// once for all where it reads nothing but constants.
  struct Packing {
    std::string name;
    int64_t extent = 0;
    uint64_t bytes = 0;
    bool isConstant = false;
    /// Numbers of reads that only this function looks at.
    llvm::SmallVector<unsigned> ownReads = {};
    OpenTurns open = {};
  };

  /// A read of places in another tensor, which code does not check: number i
  /// lies between -extents[i % n] and extents[i % n] - 1.
  struct Indices {
    unsigned read;
    llvm::SmallVector<int64_t, 1> extents;
  };

  std::string name;
  llvm::SmallVector<mlir::Value> reads, results;
  /// Turns of the outermost loop.
  int64_t extent = 0;
  std::optional<Packing> packing = {};
  /// The template that made it: "elements", "upsample", "rows", "windows",
  /// "lanes", "scatter", "attention", "contraction", "winograd 2x2" or
  /// "winograd 4x4".
  llvm::StringRef templateName = "";
  /// What products or a window compute at once, in words; empty elsewhere.
  std::string plan = {};
  /// Products and sums of a contraction.
  uint64_t operations = 0;
  llvm::SmallVector<Indices, 0> indices = {};
  /// Results of a tile of Winograd's products along a dimension; 0 elsewhere.
  int64_t outputsOfTile = 0;
  /// Why this template, where there was a choice.
  std::string reason = {};
  OpenTurns open = {};
  /// Those that it, and a packing that runs each time, find behind all other
  /// buffers.
  llvm::SmallVector<unsigned> lengths = {};
  Behind looksBehind = Behind::All;
};

/// Adds to `module` the code of an operator, or of a kernel, of static shapes:
/// the templates are asked one after another. Nothing where there is none.
std::optional<KernelCode> emitKernel(mlir::Operation *step,
                                     mlir::ModuleOp module,
                                     llvm::StringRef name,
                                     const CodeTarget &target);

/// Whether `emitKernel` has code for it; tries, and keeps nothing.
bool hasKernelCode(mlir::Operation *step, const CodeTarget &target);

/// Kernels as machine code in memory.
class NativeKernels {
public:
  /// Consumes `module`. `machine` is one whose code this machine runs.
  static llvm::Expected<NativeKernels>
  compile(mlir::OwningOpRef<mlir::ModuleOp> module, const Machine &machine);
  /// Of object files of this machine.
  static llvm::Expected<NativeKernels>
  load(std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects);

  /// The same code as text, of any machine that LLVM knows.
  static llvm::Expected<std::string>
  printAssembly(mlir::OwningOpRef<mlir::ModuleOp> module,
                const Machine &machine);

  NativeKernels(NativeKernels &&) noexcept;
  NativeKernels &operator=(NativeKernels &&) noexcept;
  ~NativeKernels();

  llvm::Expected<KernelFunction> lookup(llvm::StringRef name) const;

private:
  explicit NativeKernels(std::unique_ptr<llvm::orc::LLJIT> linker);

  std::unique_ptr<llvm::orc::LLJIT> linker;
};

} // namespace inlay

#endif // INLAY_CODEGEN_KERNELCODE_H
