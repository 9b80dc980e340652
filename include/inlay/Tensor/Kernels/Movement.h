//===- Movement.h - Reference data movement ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators whose result holds elements of their operands, moved. They work on
// every element type, strings included, unless they say otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_MOVEMENT_H
#define INLAY_TENSOR_KERNELS_MOVEMENT_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

/// Axis i of the result is axis perm[i] of `x`; an empty `perm` reverses.
llvm::Expected<HostTensor> transpose(const HostTensor &x,
                                     llvm::ArrayRef<int64_t> perm);

llvm::Expected<HostTensor> concat(llvm::ArrayRef<HostTensor> xs, int64_t axis);

llvm::Expected<llvm::SmallVector<HostTensor>>
split(const HostTensor &x, int64_t axis, llvm::ArrayRef<int64_t> sizes);

/// The part sizes Split has without its `split` operand: equal, the last one
/// smaller. Opsets below 18 require an even division; callers check that.
llvm::Expected<llvm::SmallVector<int64_t>> getSplitSizes(int64_t dim,
                                                         int64_t parts);

/// Starts and ends are clamped as ONNX says; negative ones count from the end.
/// Empty `axes` means all of starts' length from the front, empty `steps` 1.
llvm::Expected<HostTensor> slice(const HostTensor &x,
                                 llvm::ArrayRef<int64_t> starts,
                                 llvm::ArrayRef<int64_t> ends,
                                 llvm::ArrayRef<int64_t> axes,
                                 llvm::ArrayRef<int64_t> steps);

/// One axis of a slice after clamping: `count` elements, from `start` by
/// `step`. Also for shape inference. `step` must not be 0.
struct SliceRange {
  int64_t start;
  int64_t count;
  int64_t step;
};
SliceRange clampSlice(int64_t dim, int64_t start, int64_t end, int64_t step);

/// Broadcasts in both directions: the result may be larger than `shape`.
llvm::Expected<HostTensor> expand(const HostTensor &x,
                                  llvm::ArrayRef<int64_t> shape);

llvm::Expected<HostTensor> tile(const HostTensor &x,
                                llvm::ArrayRef<int64_t> repeats);

enum class PadMode : uint8_t { Constant, Reflect, Edge, Wrap };
std::optional<PadMode> parsePadMode(llvm::StringRef name);

/// `pads` holds the begins of `axes`, then the ends; negative ones crop. Empty
/// `axes` means all. A null `value` is zero (the empty string).
llvm::Expected<HostTensor> pad(const HostTensor &x,
                               llvm::ArrayRef<int64_t> pads,
                               llvm::ArrayRef<int64_t> axes, PadMode mode,
                               const HostTensor *value);

enum class DepthToSpaceMode : uint8_t { DCR, CRD };
llvm::Expected<HostTensor> depthToSpace(const HostTensor &x, int64_t blockSize,
                                        DepthToSpaceMode mode);
llvm::Expected<HostTensor> spaceToDepth(const HostTensor &x, int64_t blockSize);

/// Keeps one triangle of the last two axes; diagonal `k` belongs to it.
llvm::Expected<HostTensor> trilu(const HostTensor &x, bool upper, int64_t k);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_MOVEMENT_H
