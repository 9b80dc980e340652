//===- TensorTesting.h - Small tensors and results for tests ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_TENSOR_TENSORTESTING_H
#define INLAY_UNITTESTS_TENSOR_TENSORTESTING_H

#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "gtest/gtest.h"

namespace inlay::testing {

/// A tensor of any numeric type with the given values.
inline HostTensor makeTensor(ElementType type, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<double> values) {
  HostTensor tensor(type, shape);
  EXPECT_EQ(tensor.getNumElements(), int64_t(values.size()));
  storeElements(tensor, 0, values);
  return tensor;
}
inline HostTensor floats(llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<double> values) {
  return makeTensor(ElementType::Float, shape, values);
}

/// The value of a kernel that must succeed.
template <typename T> T take(llvm::Expected<T> result) {
  if (result)
    return std::move(*result);
  ADD_FAILURE() << "unexpected error: " << llvm::toString(result.takeError());
  return T();
}

/// The message of a kernel that must fail; empty if it did not.
template <typename T> std::string takeMessage(llvm::Expected<T> result) {
  return result ? "" : llvm::toString(result.takeError());
}

inline std::vector<int64_t> shapeOf(const HostTensor &tensor) {
  return tensor.getShape().vec();
}

/// Compares element by element, NaN equal to NaN.
inline void expectValues(const HostTensor &tensor,
                         llvm::ArrayRef<double> expected,
                         double tolerance = 0) {
  ASSERT_EQ(tensor.getNumElements(), int64_t(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    double value = tensor.getDouble(i);
    if (expected[i] != expected[i])
      EXPECT_TRUE(value != value) << "element " << i << " is " << value;
    else if (expected[i] != value) // also equal infinities
      EXPECT_NEAR(value, expected[i], tolerance) << "element " << i;
  }
}

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_TENSOR_TENSORTESTING_H
