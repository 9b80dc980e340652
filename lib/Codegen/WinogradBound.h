//===- WinogradBound.h - What Winograd's products lose ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINOGRADBOUND_H
#define INLAY_LIB_CODEGEN_WINOGRADBOUND_H

#include "WinogradPlan.h"
#include "inlay/Tensor/HostTensor.h"

namespace inlay {

/// By how much each element of a convolution may be off when it is computed by
/// tiles, of data and weights that are no larger than `data` and `weights`:
/// with N roundings on the way of each term, by 4 * sqrt(N) * 2^-24 times the
/// sum of the terms' magnitudes, |A'| ((|G| w |G'|) * (|B'| x |B|)) |A|.
std::vector<double> boundWinograd(const WinogradLayer &layer, int64_t outputs,
                                  const HostTensor &data,
                                  const HostTensor &weights);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINOGRADBOUND_H
