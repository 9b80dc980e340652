//===- Families.h - Rewrites that go together -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each family is one file, which ends in its part of the table.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_FAMILIES_H
#define INLAY_LIB_TRANSFORMS_REWRITE_FAMILIES_H

#include "inlay/Transforms/Rewrite/Rewrite.h"

namespace inlay::rewrites {

/// BatchNormalization into the weights in front of it.
llvm::ArrayRef<Rewrite> getBatchNormFolding();

/// Gelu, HardSwish, Mish, Swish and the like out of their parts.
llvm::ArrayRef<Rewrite> getActivations();

/// Attention out of products and a softmax.
llvm::ArrayRef<Rewrite> getAttentions();

/// LayerNormalization and RMSNormalization out of their parts.
llvm::ArrayRef<Rewrite> getAxisNormalizations();

/// InstanceNormalization and GroupNormalization out of theirs.
llvm::ArrayRef<Rewrite> getFeatureNormalizations();

/// Scales, biases and conversions around normalisations.
llvm::ArrayRef<Rewrite> getNormalizationSteps();

/// Softmax and LogSoftmax.
llvm::ArrayRef<Rewrite> getSoftmaxes();

/// Mul, Div, Add and Sub by constants into the weights in front of them.
llvm::ArrayRef<Rewrite> getScaleShiftFolding();
/// What a Gemm computes besides the product.
llvm::ArrayRef<Rewrite> getGemmForming();
/// Pad into what pads itself.
llvm::ArrayRef<Rewrite> getPadFolding();
/// Convolutions without taps that see nothing.
llvm::ArrayRef<Rewrite> getUnseenTaps();
/// Convolutions as parts whose windows see the same taps.
llvm::ArrayRef<Rewrite> getSeenRegions();
/// Integer operators out of what lies between quantisers.
llvm::ArrayRef<Rewrite> getIntegerOperators();
/// Constants that follow one another.
llvm::ArrayRef<Rewrite> getConstantChains();

/// RotaryEmbedding out of halves and products.
llvm::ArrayRef<Rewrite> getRotaryEmbeddings();

/// Views of views.
llvm::ArrayRef<Rewrite> getViews();

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_FAMILIES_H
