//===- RangeCells.cpp - What one sees of a tensor at a glance -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeCells.h"
#include "inlay/Tensor/Dispatch.h"
#include <cmath>
#include <limits>

using namespace inlay;

RangeCells inlay::measureRange(const HostTensor &tensor) {
  if (!isNumeric(tensor.getType()) || tensor.getNumElements() == 0)
    return {};
  double min = std::numeric_limits<double>::infinity(), max = -min, sum = 0;
  std::vector<double> chunk(chunkSize);
  int64_t count = tensor.getNumElements();
  for (int64_t begin = 0; begin < count; begin += chunkSize) {
    auto part = llvm::MutableArrayRef(chunk).take_front(
        std::min(chunkSize, count - begin));
    loadElements(tensor, begin, part);
    for (double value : part) {
      min = std::fmin(min, value);
      max = std::fmax(max, value);
      sum += value;
    }
  }
  return {Cell::number(min), Cell::number(max),
          Cell::number(sum / double(count))};
}
