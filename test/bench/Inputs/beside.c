//===- beside.c - Kernels to be measured beside ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <math.h>

/// Slower than any other would be.
void softmax(const float *const *inputs, float *y, long rows, long columns) {
  for (long r = 0; r < rows; ++r) {
    const float *x = inputs[0] + r * columns;
    double sum = 0;
    for (long c = 0; c < columns; ++c)
      sum += exp(x[c]);
    for (long c = 0; c < columns; ++c)
      y[r * columns + c] = (float)(exp(x[c]) / sum);
  }
}

/// The one of tanh, which is another function.
void gelu(const float *const *inputs, float *y, long rows, long columns) {
  for (long i = 0; i < rows * columns; ++i) {
    float x = inputs[0][i];
    y[i] = x / 2 * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  }
}
