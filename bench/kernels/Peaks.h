//===- Peaks.h - What the machine can do at most ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_BENCH_KERNELS_PEAKS_H
#define INLAY_BENCH_KERNELS_PEAKS_H

#include <cstddef>

namespace inlay::benching {

/// Products and sums of f32 in a second of one thread: as many chains as
/// registers hold, of numbers that are loaded from the nearest cache.
double measurePeak();

/// Bytes read and written in a second by copying so many bytes.
double measureCopy(size_t bytes);

} // namespace inlay::benching

#endif // INLAY_BENCH_KERNELS_PEAKS_H
