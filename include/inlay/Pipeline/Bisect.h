//===- Bisect.h - inlay bisect ----------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_BISECT_H
#define INLAY_PIPELINE_BISECT_H

#include "inlay/Pipeline/Compare.h"

namespace inlay {

/// Compares every tensor that two models share by name (Layers.h), and says
/// which node is the first that differs, how far the difference grows behind it
/// and what the node reads. With `request.isNative` the second one runs as
/// machine code, and what its steps compute is compared with the reference.
///
/// `shownBy`, unless it is empty, is a .npz that gets the tensors which the
/// first node reads: they are the inputs of the part that `inlay extract` cuts
/// out there.
llvm::Expected<CompareResult> compareByLayer(const CompareRequest &request,
                                             llvm::StringRef shownBy);

} // namespace inlay

#endif // INLAY_PIPELINE_BISECT_H
