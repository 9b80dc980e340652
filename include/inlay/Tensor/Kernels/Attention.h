//===- Attention.h - Reference attention and rotary embedding ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums are taken in double. What a step of attention gives (scores, scores with
// mask, softmax) is rounded to the type of the query, as a model that consists
// of the steps would: a mask of -1e9 swallows the score that it is added to.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_ATTENTION_H
#define INLAY_TENSOR_KERNELS_ATTENTION_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Modes.h"
#include <optional>

namespace inlay::kernels {

struct AttentionOperands {
  /// (batch, heads, length, head size), or (batch, length, heads * head size).
  HostTensor query, key, value;
  /// Absent ones are null. The mask broadcasts to (batch, query heads, query
  /// length, key length), except that what its last dimension lacks is masked.
  const HostTensor *mask = nullptr;
  /// What comes before the key and value: (batch, key heads, length, size).
  const HostTensor *pastKey = nullptr, *pastValue = nullptr;
  /// How many keys of each batch are to be looked at.
  const HostTensor *lengths = nullptr;
};

struct AttentionOptions {
  /// Of operands of rank 3.
  int64_t queryHeads = 0, keyHeads = 0;
  bool isCausal = false;
  /// 1 / sqrt(head size) when not given.
  std::optional<float> scale;
  /// None when 0.
  float softcap = 0;
  ScoreStep scoreStep = ScoreStep::Product;
  MaskedRows maskedRows = MaskedRows::Zero;
};

struct AttentionResults {
  HostTensor result;
  /// (batch, key heads, length, size).
  HostTensor presentKey, presentValue;
  /// (batch, query heads, query length, key length).
  HostTensor scores;
};

/// Heads of the query that share a head of the key are neighbours. Query i
/// looks, when causal, at the keys up to the one of its own position; the last
/// query stands at the last key that `lengths` counts, and without lengths the
/// first one stands behind the past.
llvm::Expected<AttentionResults> attention(const AttentionOperands &operands,
                                           const AttentionOptions &options);

struct RotaryOptions {
  /// Of an input of rank 3.
  int64_t numHeads = 0;
  /// Elements of a head that are turned, all when 0.
  int64_t dim = 0;
  /// Whether pairs are neighbours; else they are halves apart.
  bool interleaved = false;
};

/// The caches are (batch, length, dim / 2), or rows that `positions` (batch,
/// length) index when it is not null.
llvm::Expected<HostTensor> rotaryEmbedding(const HostTensor &input,
                                           const HostTensor &cosCache,
                                           const HostTensor &sinCache,
                                           const HostTensor *positions,
                                           const RotaryOptions &options);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_ATTENTION_H
