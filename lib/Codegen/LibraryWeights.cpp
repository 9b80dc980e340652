//===- LibraryWeights.cpp - The weights of a library ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryWeights.h"
#include "inlay/IR/Constants.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

uint64_t LibraryWeights::append(Piece piece, uint64_t size) {
  piece.offset = llvm::alignTo(bytes, BufferPlan::alignment);
  pieces.push_back(piece);
  bytes = piece.offset + size;
  return piece.offset;
}

/// Elements lie as the host has them.
static uint64_t getHostBytes(Attribute constant) {
  auto type = cast<RankedTensorType>(cast<TypedAttr>(constant).getType());
  return uint64_t(type.getNumElements()) *
         getHostByteWidth(*getOnnxElementType(type.getElementType()));
}

void LibraryWeights::add(Attribute constant) {
  auto [it, isNew] = constants.try_emplace(constant, 0);
  if (isNew)
    it->second = append({constant}, getHostBytes(constant));
}

void LibraryWeights::add(const ProgramStep &step) {
  packed[&step] = append({{}, &step}, step.packing->bytes);
}

static llvm::Error writeConstant(Attribute constant,
                                 LibraryWeights::Sink sink) {
  auto tensor = getHostTensor(constant);
  if (!tensor)
    return tensor.takeError();
  return sink(tensor->getBytes());
}

static llvm::Error writePacked(const ProgramStep &step,
                               const NativeKernels &kernels,
                               LibraryWeights::Sink sink) {
  auto function = kernels.lookup(getPackingName(step));
  if (!function)
    return function.takeError();
  uint64_t size = step.packing->bytes;
  std::shared_ptr<char> memory = allocateAligned(size);
  if (!memory)
    return unsupportedError("packed weights of " + Twine(size) +
                            " bytes do not fit into memory");
  // What a packing leaves out is the same in every file.
  std::fill_n(memory.get(), size, 0);
  if (llvm::Error error = packConstants(step, *function, memory.get()))
    return error;
  return sink({memory.get(), size});
}

llvm::Error LibraryWeights::write(const std::optional<NativeKernels> &kernels,
                                  Sink sink) const {
  uint64_t position = 0;
  auto count = [&](ArrayRef<char> own) {
    position += own.size();
    return sink(own);
  };
  for (const Piece &piece : pieces) {
    SmallVector<char> gap(piece.offset - position, 0);
    if (llvm::Error error = count(gap))
      return error;
    if (llvm::Error error = piece.step
                                ? writePacked(*piece.step, *kernels, count)
                                : writeConstant(piece.constant, count))
      return error;
  }
  return llvm::Error::success();
}
