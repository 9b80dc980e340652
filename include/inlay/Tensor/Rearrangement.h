//===- Rearrangement.h - Elements in another order --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rearrangement says where each element of a row-major tensor lies among the
// elements of another one: at the sum of its indices times strides. Indices
// that pass a bound are padding, which is zero. A tensor of 2x5 elements
// transposed, and stored as 2x3 blocks of 2 along its second dimension:
//
//   {{5, 2}, {1, 5}, {}}
//   {{2, 3, 2}, {5, 2, 1}, {{{0, 2, 1}, 5}}}
//
// Elements are read box by box from where they lie in a file, so that neither
// tensor is ever in memory as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_REARRANGEMENT_H
#define INLAY_TENSOR_REARRANGEMENT_H

#include "inlay/Support/MappedFile.h"
#include "inlay/Tensor/Strides.h"

namespace inlay {

struct Rearrangement {
  /// An index is padding where the sum of its parts times `units` is not below
  /// `extent`.
  struct Bound {
    Strides units;
    int64_t extent;
  };

  HostTensor::Shape shape;
  Strides strides;
  llvm::SmallVector<Bound, 2> bounds;

  /// Where element `position` (row-major) of the result lies in the source;
  /// nothing when it is padding.
  std::optional<int64_t> locate(int64_t position) const;

  /// The same with as few dimensions and bounds as possible, at least one
  /// dimension.
  Rearrangement simplified() const;
};

/// A part of a tensor: `extents` elements from `begin` on along each dimension.
struct Box {
  llvm::SmallVector<int64_t, 6> begin, extents;
};

/// The elements of a tensor that is a rearrangement of a range of a file.
class RearrangedElements {
public:
  /// `maps` lead from the result to the elements that lie in `source` as files
  /// hold them, the first being the result's; there is at least one, and all
  /// stay within what they lead to. Not for strings.
  RearrangedElements(ElementType type, FileRange source,
                     llvm::ArrayRef<Rearrangement> maps);
  /// Gives back the pages of the file that were looked at.
  ~RearrangedElements();
  RearrangedElements(const RearrangedElements &) = delete;
  RearrangedElements &operator=(const RearrangedElements &) = delete;

  ElementType getType() const { return type; }
  /// A shape of the result's elements in their order, not its own: dimensions
  /// that lie alike are merged.
  llvm::ArrayRef<int64_t> getShape() const { return map.shape; }

  /// Stores the elements of `box`, row-major, in the representation of
  /// HostTensor. `out` is zeros.
  void read(const Box &box, llvm::MutableArrayRef<char> out) const;
  /// The same for the elements from `first` on.
  void readRange(int64_t first, int64_t count,
                 llvm::MutableArrayRef<char> out) const;
  /// All of them.
  void readAll(llvm::MutableArrayRef<char> out) const;

  /// Calls `use` with all elements in order as files hold them, in pieces.
  /// No piece and no buffer has more than `limit` bytes, or one element (and
  /// the few that share a byte with it) where that is more.
  llvm::Error
  forEachTile(uint64_t limit,
              llvm::function_ref<llvm::Error(llvm::ArrayRef<char>)> use) const;

private:
  void readPart(const Box &part, char *out, llvm::ArrayRef<int64_t> to) const;
  /// The first source element of a part and how many there are to the last.
  std::pair<int64_t, int64_t> getSpan(const Box &part) const;
  void release(int64_t first, int64_t count) const;

  ElementType type;
  FileRange source;
  Rearrangement map;
  /// From what `map` leads to on.
  llvm::SmallVector<Rearrangement, 0> inner;
  int64_t numSourceElements;
  /// Whether the source is too large to be resident as a whole.
  bool isWindowed;
};

} // namespace inlay

#endif // INLAY_TENSOR_REARRANGEMENT_H
