//===- TensorFiles.h - Tensors in files of any format -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format follows from the name: .npy and .pb (a TensorProto) hold one
// tensor, .npz several with names.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_TENSORFILES_H
#define INLAY_PIPELINE_TENSORFILES_H

#include "inlay/Tensor/Npy.h"

namespace inlay {

/// Whether the name ends as one of the formats does.
bool isTensorFileName(llvm::StringRef path);

/// The tensors of a file. A .npy's tensor is named after the file; so is a
/// .pb's that has no name inside.
llvm::Expected<std::vector<NamedTensor>> readTensors(llvm::StringRef path);

/// Every tensor of a folder's tensor files, ordered by name. Names that occur
/// twice are an error.
llvm::Expected<std::vector<NamedTensor>>
readTensorFolder(llvm::StringRef folder);

/// Writes one tensor into `folder`, as .npy, or as .pb where that format lacks
/// the element type. `stem` is the file's name without extension. Returns its
/// path.
llvm::Expected<std::string> writeTensor(llvm::StringRef folder,
                                        llvm::StringRef stem,
                                        const NamedTensor &tensor);

/// A file name (without extension) for each name: what is not a letter, digit,
/// dot, dash or underscore becomes an underscore, and all differ, also where
/// case does not count.
std::vector<std::string> chooseFileNames(llvm::ArrayRef<std::string> names);

/// A name for a member of a .npz, and back: what would lead into a folder or
/// could not be printed is written as %2F.
std::string escapeMemberName(llvm::StringRef name);
std::string unescapeMemberName(llvm::StringRef name);

} // namespace inlay

#endif // INLAY_PIPELINE_TENSORFILES_H
