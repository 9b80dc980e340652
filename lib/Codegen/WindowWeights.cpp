//===- WindowWeights.cpp - Weights of windows side by side ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

SmallVector<int64_t> WindowWeights::getShape(const Window &window) {
  SmallVector<int64_t> shape = {window.getNumChannels()};
  for (const WindowDim &dim : window.dims)
    shape.push_back(dim.kernel);
  return shape;
}

bool WindowWeights::plan() {
  LoopIndex index = space.getIndex();
  index.insert(index.begin() + 1, Linear());
  std::optional<unsigned> wanted = reader.want(window.weight, index);
  element = wanted.value_or(0);
  return wanted && !space.getBetterPlan(1);
}

bool WindowWeights::emit(KernelBuilder &builder) const {
  bool hasCode = true;
  builder.loop(builder.getBegin(), builder.getEnd(), 1, [&](Value tap) {
    Reader::Scope scope = reader.getScope();
    Value rest = tap;
    for (size_t dim = shape.size(); dim-- > 1;) {
      Value extent = builder.number(shape[dim]);
      scope.variables[dim] = builder.create<arith::RemUIOp>(rest, extent);
      rest = builder.create<arith::DivUIOp>(rest, extent);
    }
    Value line = builder.mul(tap, shape.front());
    builder.loop(builder.number(0), builder.number(shape.front()), 1,
                 [&](Value channel) {
                   Reader::Scope inner = scope;
                   inner.variables[0] = channel;
                   hasCode = hasCode && reader.emit(builder, inner);
                   if (hasCode)
                     builder.storeFloats(inner.elements[element],
                                         builder.getOther(0),
                                         builder.add(line, channel));
                 });
  });
  return hasCode;
}
