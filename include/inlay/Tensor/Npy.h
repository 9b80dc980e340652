//===- Npy.h - NumPy's files ------------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// .npy holds one tensor, .npz is a zip archive of them. Element types that
// NumPy lacks (bfloat16, the 8-bit floats, sub-byte integers) and strings are
// refused with an unsupported error.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_NPY_H
#define INLAY_TENSOR_NPY_H

#include "inlay/Support/MappedFile.h"
#include "inlay/Tensor/HostTensor.h"

namespace inlay {

struct NamedTensor {
  std::string name;
  HostTensor tensor;
};

/// Reads format versions 1 to 3, little-endian, of either storage order; the
/// result looks at the file where order and alignment permit.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path);
llvm::Expected<HostTensor> readNpy(const FileRange &range,
                                   llvm::StringRef nameForMessages);
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

/// Members in the archive's order, without the ".npy" of their names. Reading
/// takes stored and deflated members; writing stores them.
llvm::Expected<std::vector<NamedTensor>> readNpz(llvm::StringRef path);
llvm::Expected<std::vector<NamedTensor>>
readNpz(const std::shared_ptr<const MappedFile> &file);
llvm::Error writeNpz(llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors);

/// Whether NumPy has this element type.
bool isNpyType(ElementType type);

} // namespace inlay

#endif // INLAY_TENSOR_NPY_H
