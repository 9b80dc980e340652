//===- Matmul.cpp - Reference MatMul and Gemm -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedGemm.h"
#include "ContractionCore.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Broadcast.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Tensor/Strides.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;

Error kernels::checkFactors(const HostTensor &a, const HostTensor &b) {
  if (a.getType() == b.getType() &&
      (isFloat(a.getType()) || isInteger(a.getType())))
    return Error::success();
  return modelError(
      "operands of a product must be numbers of one type, found " +
      getName(a.getType()) + " and " + getName(b.getType()));
}

//===----------------------------------------------------------------------===//
// MatMul
//===----------------------------------------------------------------------===//

namespace {
/// A stack of products: operands of rank 2 or more, batch axes in front.
struct Stack {
  HostTensor a;
  HostTensor b;
  HostTensor::Shape batch;
  int64_t rows;
  int64_t columns;
  int64_t depth;
  /// The result's shape as ONNX has it.
  HostTensor::Shape shape;
};
} // namespace

static HostTensor::Shape withoutMatrix(const HostTensor &x) {
  return HostTensor::Shape(x.getShape().drop_back(2));
}

/// Rank 1 operands become a row or a column; the axis added is not in the
/// result.
static Expected<Stack> getStack(const HostTensor &a, const HostTensor &b) {
  if (a.getRank() == 0 || b.getRank() == 0)
    return modelError("matmul does not take scalars, found " +
                      formatShape(a.getShape()) + " and " +
                      formatShape(b.getShape()));
  Stack stack{a, b, {}, 1, 1, 0, {}};
  if (a.getRank() == 1)
    stack.a = a.reshaped({1, a.getDim(0)});
  if (b.getRank() == 1)
    stack.b = b.reshaped({b.getDim(0), 1});
  stack.rows = stack.a.getShape().end()[-2];
  stack.depth = stack.a.getShape().back();
  stack.columns = stack.b.getShape().back();
  if (stack.b.getShape().end()[-2] != stack.depth)
    return modelError("matmul needs equal inner sizes, found " +
                      formatShape(a.getShape()) + " and " +
                      formatShape(b.getShape()));
  Expected<HostTensor::Shape> batch =
      broadcastShapes(withoutMatrix(stack.a), withoutMatrix(stack.b));
  if (!batch)
    return batch.takeError();
  stack.batch = stack.shape = *batch;
  if (a.getRank() > 1)
    stack.shape.push_back(stack.rows);
  if (b.getRank() > 1)
    stack.shape.push_back(stack.columns);
  return stack;
}

/// Many matrices times one are one product of more rows.
static void mergeBatchIntoRows(Stack &stack) {
  if (stack.b.getRank() != 2)
    return;
  stack.rows *= product(stack.batch);
  stack.batch.clear();
  stack.a = stack.a.reshaped({stack.rows, stack.depth});
}

template <typename T>
static void multiplyStack(const Stack &stack, HostTensor &result) {
  HostTensor::Shape batchA = withoutMatrix(stack.a);
  HostTensor::Shape batchB = withoutMatrix(stack.b);
  auto stridesA = getBroadcastStrides(batchA, stack.batch);
  auto stridesB = getBroadcastStrides(batchB, stack.batch);
  BlockedGemm<T> gemm;
  int64_t matrix = 0;
  for (IndexCounter i(stack.batch); !i.atEnd(); i.next(), ++matrix) {
    int64_t fromA = i.getOffset(stridesA) * stack.rows * stack.depth;
    int64_t fromB = i.getOffset(stridesB) * stack.depth * stack.columns;
    int64_t to = matrix * stack.rows * stack.columns;
    auto loadA = [&](int64_t row, int64_t k, MutableArrayRef<T> values) {
      loadElements(stack.a, fromA + row * stack.depth + k, values);
    };
    auto loadB = [&](int64_t k, int64_t column, MutableArrayRef<T> values) {
      loadElements(stack.b, fromB + k * stack.columns + column, values);
    };
    auto store = [&](int64_t row, int64_t column, MutableArrayRef<T> sums) {
      storeElements(result, to + row * stack.columns + column,
                    ArrayRef<T>(sums));
    };
    gemm.run({stack.rows, stack.columns, stack.depth, loadA, loadB, store});
  }
}

Expected<HostTensor> kernels::matmulTo(ElementType resultType,
                                       const HostTensor &a,
                                       const HostTensor &b) {
  if (Error error = checkFactors(a, b))
    return std::move(error);
  Expected<Stack> stack = getStack(a, b);
  if (!stack)
    return stack.takeError();
  Expected<HostTensor> result = HostTensor::allocate(resultType, stack->shape);
  if (!result || result->getNumElements() == 0)
    return result;
  mergeBatchIntoRows(*stack);
  if (sumsInDouble(a.getType()))
    multiplyStack<double>(*stack, *result);
  else
    multiplyStack<uint64_t>(*stack, *result);
  return result;
}

Expected<HostTensor> kernels::matmul(const HostTensor &a, const HostTensor &b) {
  return matmulTo(a.getType(), a, b);
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

static Expected<HostTensor> transposeIf(bool condition, const HostTensor &x) {
  if (!condition)
    return x;
  return transpose(x, {1, 0});
}

/// alpha * x[i] + beta * c[i], c being 0 where it is absent. Without fractions
/// integers stay exact and wrap.
static double scaleAndAdd(double x, double c, float alpha, float beta) {
  return alpha * x + beta * c;
}
static uint64_t scaleAndAdd(uint64_t x, uint64_t c, float alpha, float beta) {
  if (alpha == std::trunc(alpha) && beta == std::trunc(beta))
    return uint64_t(truncateToInt64(alpha)) * x +
           uint64_t(truncateToInt64(beta)) * c;
  return uint64_t(truncateToInt64(double(alpha) * double(int64_t(x)) +
                                  double(beta) * double(int64_t(c))));
}

template <typename T>
static void scaleAndAdd(const HostTensor &sums, const HostTensor *c,
                        float alpha, float beta, HostTensor &result) {
  int64_t columns = result.getDim(1);
  Strides strides(2, 0);
  if (c)
    strides = getBroadcastStrides(c->getShape(), result.getShape());
  std::vector<T> row(columns), addend(columns, T(0));
  for (int64_t i = 0; i < result.getDim(0); ++i) {
    loadElements(sums, i * columns, MutableArrayRef<T>(row));
    if (c && strides[1] != 0)
      loadElements(*c, i * strides[0], MutableArrayRef<T>(addend));
    if (c && strides[1] == 0) {
      loadElements(*c, i * strides[0], MutableArrayRef<T>(addend[0]));
      std::fill(addend.begin(), addend.end(), addend[0]);
    }
    for (int64_t j = 0; j < columns; ++j)
      row[j] = scaleAndAdd(row[j], addend[j], alpha, beta);
    storeElements(result, i * columns, ArrayRef<T>(row));
  }
}

static Error checkAddend(const HostTensor &c, const HostTensor &result) {
  if (c.getType() != result.getType())
    return modelError("addend of gemm must be " + getName(result.getType()) +
                      ", found " + getName(c.getType()));
  if (!isBroadcastableTo(c.getShape(), result.getShape()))
    return modelError("addend of gemm must broadcast to " +
                      formatShape(result.getShape()) + ", found " +
                      formatShape(c.getShape()));
  return Error::success();
}

Expected<HostTensor> kernels::gemm(const HostTensor &a, const HostTensor &b,
                                   const HostTensor *c, float alpha, float beta,
                                   bool transA, bool transB) {
  if (Error error = checkFactors(a, b))
    return std::move(error);
  if (a.getRank() != 2 || b.getRank() != 2)
    return modelError("gemm needs matrices, found " +
                      formatShape(a.getShape()) + " and " +
                      formatShape(b.getShape()));
  Expected<HostTensor> left = transposeIf(transA, a);
  if (!left)
    return left;
  Expected<HostTensor> right = transposeIf(transB, b);
  if (!right)
    return right;
  bool isDouble = isFloat(a.getType());
  // Rounded once, at the end.
  Expected<HostTensor> sums = matmulTo(
      isDouble ? ElementType::Double : ElementType::Int64, *left, *right);
  if (!sums)
    return sums;
  Expected<HostTensor> result =
      HostTensor::allocate(a.getType(), sums->getShape());
  if (!result)
    return result;
  if (c)
    if (Error error = checkAddend(*c, *result))
      return std::move(error);
  if (result->getNumElements() == 0)
    return result;
  // As runtimes do: what beta takes away may be NaN.
  if (beta == 0)
    c = nullptr;
  if (isDouble)
    scaleAndAdd<double>(*sums, c, alpha, beta, *result);
  else
    scaleAndAdd<uint64_t>(*sums, c, alpha, beta, *result);
  return result;
}
