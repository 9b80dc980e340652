//===- Arrays.h - Tensors as arrays of NumPy --------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PYTHON_ARRAYS_H
#define INLAY_PYTHON_ARRAYS_H

#include "inlay/Tensor/HostTensor.h"
#include <pybind11/numpy.h>

namespace inlay::python {

/// Looks at the elements of an array, which it keeps alive. What is not dense
/// and row-major is copied. Throws a Failure that names `input` where the type
/// is none of a tensor's.
HostTensor fromArray(const pybind11::object &array, llvm::StringRef input);

/// An array that looks at the elements of a tensor and keeps them alive.
pybind11::array toArray(const HostTensor &tensor, llvm::StringRef output);

} // namespace inlay::python

#endif // INLAY_PYTHON_ARRAYS_H
