//===- Packing.h - Elements as files hold them ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_PACKING_H
#define INLAY_TENSOR_PACKING_H

#include "inlay/Support/MappedFile.h"
#include "inlay/Tensor/HostTensor.h"

namespace inlay {

/// A tensor of elements that lie in a file row-major, little-endian, those
/// narrower than a byte packed from the low bits up: a view where the bytes can
/// be used as they are, a copy where alignment or packing prevent it. Fails
/// when the range has not exactly the bytes that the shape needs.
llvm::Expected<HostTensor> unpackElements(ElementType type,
                                          llvm::ArrayRef<int64_t> shape,
                                          const FileRange &range);

/// Bytes that somebody keeps alive.
struct Blob {
  llvm::ArrayRef<char> bytes;
  std::shared_ptr<const void> owner;
};

/// The elements as files hold them; shares the tensor's bytes where they are
/// the same. Not for strings.
Blob packElements(const HostTensor &tensor);

} // namespace inlay

#endif // INLAY_TENSOR_PACKING_H
