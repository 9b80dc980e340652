//===- RotaryEmbedding.cpp - Reference rotary embedding -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Kernels/Attention.h"
#include "inlay/Tensor/Kernels/Gather.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;

namespace {
/// The extents of the input, of rank 3 or 4. Heads of one position are
/// `headStride` elements apart, positions of one head `lengthStride`.
struct RotaryShape {
  int64_t batch, heads, length, size, dim;
  int64_t headStride, lengthStride;
};
} // namespace

static Expected<RotaryShape> getRotaryShape(const HostTensor &input,
                                            const RotaryOptions &options) {
  ArrayRef<int64_t> dims = input.getShape();
  RotaryShape shape;
  if (dims.size() == 4) {
    shape = {dims[0], dims[1], dims[2], dims[3], 0, dims[2] * dims[3], dims[3]};
  } else if (dims.size() == 3 && options.numHeads > 0 &&
             dims[2] % options.numHeads == 0) {
    int64_t size = dims[2] / options.numHeads;
    shape = {dims[0], options.numHeads, dims[1], size, 0, size, dims[2]};
  } else {
    return modelError("the input of RotaryEmbedding must have rank 4, or rank "
                      "3 with " +
                      llvm::Twine(options.numHeads) + " heads, but has shape " +
                      formatShape(dims));
  }
  shape.dim = options.dim == 0 ? shape.size : options.dim;
  if (shape.dim < 0 || shape.dim % 2 != 0 || shape.dim > shape.size)
    return modelError("RotaryEmbedding must turn an even number of up to " +
                      llvm::Twine(shape.size) + " elements, but turns " +
                      llvm::Twine(shape.dim));
  return shape;
}

/// The cache's rows of every position of the input.
static Expected<HostTensor> getAngles(const HostTensor &cache,
                                      const HostTensor *positions,
                                      const RotaryShape &shape) {
  if (Error error = checkFloat(cache, "a cache of RotaryEmbedding"))
    return std::move(error);
  HostTensor::Shape expected{shape.batch, shape.length, shape.dim / 2};
  Expected<HostTensor> angles =
      positions ? gather(cache, *positions, 0) : Expected<HostTensor>(cache);
  if (angles && angles->getShape() != ArrayRef<int64_t>(expected))
    return modelError("a cache of RotaryEmbedding must give shape " +
                      formatShape(expected) + ", but gives " +
                      formatShape(angles->getShape()));
  return angles;
}

/// Turns the pairs of one head at one position.
static void turn(MutableArrayRef<double> head, ArrayRef<double> cos,
                 ArrayRef<double> sin, bool interleaved) {
  size_t half = cos.size();
  for (size_t i = 0; i < half; ++i) {
    double &real = head[interleaved ? 2 * i : i];
    double &imag = head[interleaved ? 2 * i + 1 : i + half];
    double turned = cos[i] * real - sin[i] * imag;
    imag = sin[i] * real + cos[i] * imag;
    real = turned;
  }
}

Expected<HostTensor> kernels::rotaryEmbedding(const HostTensor &input,
                                              const HostTensor &cosCache,
                                              const HostTensor &sinCache,
                                              const HostTensor *positions,
                                              const RotaryOptions &options) {
  if (Error error = checkFloat(input, "the input of RotaryEmbedding"))
    return std::move(error);
  Expected<RotaryShape> shape = getRotaryShape(input, options);
  if (!shape)
    return shape.takeError();
  Expected<HostTensor> cos = getAngles(cosCache, positions, *shape);
  if (!cos)
    return cos;
  Expected<HostTensor> sin = getAngles(sinCache, positions, *shape);
  if (!sin)
    return sin;
  Expected<HostTensor> result =
      HostTensor::allocate(input.getType(), input.getShape());
  if (!result)
    return result;
  std::vector<double> head(shape->size), c(shape->dim / 2), s(shape->dim / 2);
  int64_t batchStride = shape->heads * shape->length * shape->size;
  for (int64_t batch = 0; batch < shape->batch; ++batch)
    for (int64_t i = 0; i < shape->length; ++i) {
      int64_t angle = (batch * shape->length + i) * int64_t(c.size());
      loadElements(*cos, angle, MutableArrayRef<double>(c));
      loadElements(*sin, angle, MutableArrayRef<double>(s));
      for (int64_t h = 0; h < shape->heads; ++h) {
        int64_t at = batch * batchStride + h * shape->headStride +
                     i * shape->lengthStride;
        loadElements(input, at, MutableArrayRef<double>(head));
        turn(head, c, s, options.interleaved);
        storeElements(*result, at, ArrayRef<double>(head));
      }
    }
  return result;
}
