//===- RandomInputs.h - Seeded inputs for a graph ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_RANDOMINPUTS_H
#define INLAY_RUNTIME_RANDOMINPUTS_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/ValueDemand.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

struct RandomOptions {
  uint64_t seed = 0;
  /// What dimensions without an extent get: the extent in `fallback` where
  /// that has the input's rank and one, else `defaultExtent`.
  llvm::ArrayRef<int64_t> fallback;
  int64_t defaultExtent = 1;
  /// Which values suit.
  ValueDemand demand = {};
};

/// Numbers in [0, 1) that depend on the seed and the name alone, on every
/// machine.
class RandomStream {
public:
  RandomStream(uint64_t seed, llvm::StringRef name);
  double next();

private:
  uint32_t state;
};

/// A tensor of values that suit `demand`: floats in [-1, 1), integers in
/// [0, 7], or what is nearest to these. Of a mask three quarters count, and the
/// first element of each row does. Booleans are no mask unless the demand says
/// so; strings are "s0", "s1"...
llvm::Expected<HostTensor> getRandomTensor(ElementType type,
                                           llvm::ArrayRef<int64_t> shape,
                                           const ValueDemand &demand,
                                           RandomStream &stream);

/// A tensor for input number `index` of the graph. Its elements follow from
/// the seed, the input's name and the demand, not from the other inputs. Fails
/// where the input's type says too little to make one.
llvm::Expected<HostTensor> getRandomInput(mlir::func::FuncOp graph,
                                          unsigned index,
                                          const RandomOptions &options = {});

} // namespace inlay

#endif // INLAY_RUNTIME_RANDOMINPUTS_H
