//===- KernelBuilder.h - What templates write code with ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors are dense, addresses are pointers and numbers of elements. A boolean
// is a byte in memory and one bit in a register; floats of 16 bits are computed
// with as f32.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_KERNELBUILDER_H
#define INLAY_LIB_CODEGEN_KERNELBUILDER_H

#include "KernelBody.h"
#include "LoopIndex.h"
#include "inlay/Codegen/KernelCode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// What an element of a tensor is in a register.
mlir::Type getRegisterType(mlir::Type element);
/// What it is in memory.
mlir::Type getMemoryType(mlir::Type element);
/// As many as `width`; one is no vector.
mlir::Type getWide(mlir::Type type, unsigned width);

/// The function of a kernel while it is written.
class KernelBuilder {
public:
  /// Adds a function to `module` that reads and writes what `body` does, and
  /// has `numOthers` buffers behind that, then those of the body's lengths.
  KernelBuilder(mlir::ModuleOp module, llvm::StringRef name,
                const KernelBody &body, unsigned numOthers = 0);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  /// The part of the outermost loop to run.
  mlir::Value getBegin() { return function.getArgument(1); }
  mlir::Value getEnd() { return function.getArgument(2); }
  /// Takes the function away again.
  void discard() { function.erase(); }

  template <typename OpT, typename... Args> OpT create(Args &&...args) {
    return builder.create<OpT>(loc, std::forward<Args>(args)...);
  }
  mlir::Value number(int64_t value);
  /// A constant of a register's type, or of vectors of it.
  mlir::Value constant(mlir::Type type, double value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t factor);
  /// a / by, rounded up.
  mlir::Value divideUp(mlir::Value a, int64_t by);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  /// a * b + sum; floats are rounded once.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value sum);
  /// Where each of `dims`, the last one innermost, is at a count over all of
  /// them.
  void splitCount(llvm::ArrayRef<unsigned> dims,
                  llvm::ArrayRef<int64_t> extents, mlir::Value count,
                  llvm::MutableArrayRef<mlir::Value> variables);
  /// As many of a number as `width`.
  mlir::Value spread(mlir::Value value, unsigned width);

  /// One vector of several, as many as a power of two.
  mlir::Value join(llvm::ArrayRef<mlir::Value> vectors);

  /// As many vectors as they are long: what was along them is across.
  llvm::SmallVector<mlir::Value> transpose(llvm::ArrayRef<mlir::Value> rows);

  /// Elements of what is read as number `read`, `stride` apart.
  mlir::Value load(unsigned read, mlir::Value offset, int64_t stride,
                   unsigned width);
  /// From now on, vectors of large tensors that are loaded, or stored, ask for
  /// what is so many elements ahead; 0 for nothing.
  struct Ahead {
    int64_t loads = 0, stores = 0;
  };
  void setAhead(const Ahead &elements) { ahead = elements; }
  /// One element of a result that was written before.
  mlir::Value loadResult(unsigned result, mlir::Value offset);
  /// Writes to result number `result`.
  void store(mlir::Value element, unsigned result, mlir::Value offset,
             int64_t stride);
  mlir::Value getRead(unsigned number) const { return pointers[number]; }
  /// What no code reads so far.
  llvm::SmallVector<unsigned> getUnusedReads() const;
  /// A buffer behind those of the results.
  mlir::Value getOther(unsigned number) const {
    return pointers[body.reads.size() + body.results.size() + number];
  }
  /// One of the body's lengths, of a run.
  mlir::Value getLength(unsigned number);
  /// Whether dimensions of a value are of lengths.
  bool hasLengths(mlir::Value value) const;
  /// The length of a dimension of a value; null where it is of none.
  mlir::Value findLength(mlir::Value value, unsigned dim);
  /// Memory of the function itself, for so many floats.
  mlir::Value allocate(int64_t count);
  /// Floats of such memory, or what else has 32 bits.
  mlir::Value loadFloats(mlir::Value pointer, mlir::Value offset,
                         unsigned width, mlir::Type element = {});
  /// Asks for floats that will be read. Nothing happens where nothing is.
  void prefetchFloats(mlir::Value pointer, mlir::Value offset, int64_t count);
  /// What is loaded behind this is not loaded in front of it: LLVM would, and
  /// registers would be too few for that.
  void keepLoadsBehind();
  void storeFloats(mlir::Value floats, mlir::Value pointer, mlir::Value offset);
  /// Rounds what was computed to the element type of a tensor.
  mlir::Value round(mlir::Value value, mlir::Type element);

  /// A loop with `body` inside; what is carried from turn to turn starts as
  /// `carried` and is what `body` returns.
  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value count, mlir::ValueRange carried)>;
  mlir::ValueRange loop(mlir::Value from, mlir::Value to, int64_t step,
                        mlir::ValueRange carried, LoopBody body);
  /// The same that carries nothing.
  void loop(mlir::Value from, mlir::Value to, int64_t step,
            llvm::function_ref<void(mlir::Value count)> body);
  /// Starts a loop; what follows is inside of it.
  void enterLoop(mlir::Value from, mlir::Value to, mlir::Value &count);
  /// `body` with vectors of `width` as long as there are enough, then with
  /// single elements. Where it is known how many there are, narrower vectors
  /// are between them, and there is only what has turns.
  void loopInVectors(mlir::Value from, mlir::Value to, unsigned width,
                     llvm::function_ref<void(mlir::Value, unsigned)> body);
  /// One of both, by a condition.
  void choose(mlir::Value condition, llvm::function_ref<void()> whenTrue,
              llvm::function_ref<void()> whenFalse);
  /// How wide vectors are that follow those of `width`; 1 for single elements.
  static unsigned getNarrower(mlir::Value from, mlir::Value to, unsigned width);
  /// Where vectors of `width` end.
  mlir::Value getLastVector(mlir::Value from, mlir::Value to, unsigned width);

  /// Whether both are the same known number.
  static bool areEqual(mlir::Value a, mlir::Value b);

private:
  mlir::Value getAddress(unsigned buffer, mlir::Type memory,
                         mlir::Value offset);
  void askAhead(mlir::Value tensor, mlir::Value vector, mlir::Value address,
                bool isStore);
  mlir::Value toRegister(mlir::Value loaded, mlir::Type element);
  mlir::Value toMemory(mlir::Value value, mlir::Type element);

  const KernelBody &body;
  unsigned numOthers;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Value> pointers;
  Ahead ahead;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_KERNELBUILDER_H
