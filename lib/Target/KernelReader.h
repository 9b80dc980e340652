//===- KernelReader.h - Reading the kernels of a target ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_KERNELREADER_H
#define INLAY_LIB_TARGET_KERNELREADER_H

#include "Fields.h"
#include "inlay/Target/KernelTarget.h"

namespace inlay {

/// The section `kernels`.
KernelTarget readKernels(const YamlNode &node,
                         llvm::ArrayRef<llvm::StringRef> knownOps,
                         FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_KERNELREADER_H
