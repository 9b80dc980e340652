//===- FirstDifference.h - The first node that differs ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_FIRSTDIFFERENCE_H
#define INLAY_RUNTIME_FIRSTDIFFERENCE_H

#include "inlay/Runtime/Compare.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace inlay {

/// A graph, what to call it, and the inputs it is executed on; an empty tensor
/// stands for a default.
struct JudgedGraph {
  std::string name;
  mlir::ModuleOp module;
  llvm::ArrayRef<HostTensor> inputs;
  std::function<void(uint64_t done, uint64_t all)> progress;
  /// Execute what can be executed.
  bool isPartial = false;
};

/// What a node read: the tensor's name, and its least and largest number, NaNs
/// left out.
struct TensorRange {
  std::string name;
  ElementType type = ElementType::Undefined;
  HostTensor::Shape shape;
  double min = 0, max = 0;
  uint64_t numNaNs = 0;
};

TensorRange measureTensor(llvm::StringRef name, const HostTensor &tensor);

/// The first node of a graph, in its order, whose result is another one in a
/// second graph that has a tensor of the same name.
struct FirstDifference {
  std::string node;
  std::string opType;
  /// The result: its name, where it differs most, and both elements there.
  TensorComparison tensor;
  std::vector<TensorRange> operands;
};

/// Executes both graphs with f32 in f64, so that what differs is not rounding;
/// nothing where all that both have is equal up to `tolerance`. A tensor that
/// is equal in both is the same in what follows.
llvm::Expected<std::optional<FirstDifference>>
findFirstDifference(const JudgedGraph &a, const JudgedGraph &b,
                    double tolerance);

/// "node 'c1' (Conv): 'y' at [0,1] is 1.5 and 1.25; it reads x (float 1x3, -1
/// to 1)".
std::string describe(const FirstDifference &difference);

/// "[0,1]".
std::string formatIndex(llvm::ArrayRef<int64_t> index);

} // namespace inlay

#endif // INLAY_RUNTIME_FIRSTDIFFERENCE_H
