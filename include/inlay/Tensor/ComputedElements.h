//===- ComputedElements.h - Elements computed when asked for ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor that is a product: each element is one of a file times one of each
// of some small tensors. Where each of them lies is a rearrangement, in which a
// dimension that is stretched has the stride 0.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_COMPUTEDELEMENTS_H
#define INLAY_TENSOR_COMPUTEDELEMENTS_H

#include "inlay/Tensor/Rearrangement.h"
#include <memory>
#include <vector>

namespace inlay {

class ComputedElements {
public:
  using Elements = std::unique_ptr<RearrangedElements>;

  /// All have equally many elements; factors are float64, and with any the base
  /// and `type` are floats of at least 16 bits. Products are rounded once to
  /// `type`, which is the base's without factors.
  ComputedElements(Elements base, std::vector<Elements> factors,
                   ElementType type);

  ElementType getType() const { return type; }
  int64_t getNumElements() const { return count; }

  /// Stores all elements in the representation of HostTensor. `out` is zeros.
  void readAll(llvm::MutableArrayRef<char> out) const;

  /// Stores all elements, which are floats, without rounding them to the type.
  void readExactly(llvm::MutableArrayRef<double> out) const;

  /// Calls `use` with all elements in order as files hold them, in pieces of at
  /// most `limit` bytes, or one element. No more than `limit` bytes are kept in
  /// memory for it.
  llvm::Error
  forEachTile(uint64_t limit,
              llvm::function_ref<llvm::Error(llvm::ArrayRef<char>)> use) const;

private:
  /// The elements from `first` on, rounded or not.
  HostTensor computeRange(int64_t first, int64_t length) const;
  std::vector<double> computeExactly(int64_t first, int64_t length) const;

  Elements base;
  std::vector<Elements> factors;
  ElementType type;
  int64_t count;
};

} // namespace inlay

#endif // INLAY_TENSOR_COMPUTEDELEMENTS_H
