//===- Layout.h - How a tensor is stored ------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout says what the dimensions of a tensor mean (its class and the names
// of its axes) and in which order its elements lie in memory.
//
// A storage order is a sequence of atoms, outermost in memory first. An atom
// is a whole logical dimension or a factor of one. The factors of a dimension
// are numbered from the minor end, as in NC1HWC0: index c of C is
// C1 * extent(C0) + C0. A *blocked* dimension has as many blocks as it needs,
// so its last block may be padded; a *split* dimension is exactly the product
// of its factors. The notation, by example:
//
//   NCHW                             axes named, stored row-major
//   NCHW as NHWC                     stored permuted
//   NCHW as NC1HWC0 block 16         blocked: C1 = ceil(C / 16), C0 = 16
//   NCHW as NC1HWC0 block 16 pad zero
//                                    ... and the padding is known to be zero
//   OIHW as I1HWO1O0I0 block 16      two blocked dimensions (FRACTAL_Z)
//   OIHW as I1HWO1O0I0 block O=16, I=32
//                                    ... of different block sizes
//   OIHW as O1I2HWI1O0I0 block O=16, I=4*2
//                                    blocks of I are blocked again
//   Tensor                           no names, any rank, row-major
//   Tensor as (0,2,3,1)              dimensions by number
//   Tensor as (0,1:1,1:0,1:2) split 1=64*7*7
//       a reordered merge: dimension 1 is C * H * W = 64 * 7 * 7, that is
//       C is factor 1:2, H is 1:1 and W is 1:0, and is stored as H, W, C
//   Tensor as (0,1:1,1:0,1:2) split 1=C*H*"w/32"
//       the same with extents that are dimension symbols of the model
//
//   shape [1,50,7,7] in NCHW as NC1HWC0 block 16 is physically [1,4,7,7,16];
//   element [0,49,2,3] lies at [0,3,2,3,1], and C0 of 2 to 15 in C1 = 3 is
//   padding.
//
//   layout  = (axes | "Tensor" | "NTensor") ["as" order] {clause}
//   axes    = letters A to Z, each once: N and C for a Feature, O and I for a
//             Weight, and any others
//   order   = {letter [factor]} | "(" [dim [":" factor] {"," ...}] ")"
//   clause  = "block" (integer | sizes) | "split" sizes
//           | "pad" ("zero" | "any")
//   sizes   = dim "=" extent {"*" extent} {"," ...}, major factor first
//   dim     = letter | number
//   extent  = integer | symbol | quoted symbol
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUT_LAYOUT_H
#define INLAY_LAYOUT_LAYOUT_H

#include "inlay/Layout/AxisMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inlay {

/// What a tensor is for. Earlier classes win where several are possible.
enum class LayoutClass : uint8_t {
  /// Data of convolutions and pools; axes N, C and spatial ones.
  Feature,
  /// Filters of convolutions; axes O, I and spatial ones.
  Weight,
  /// Operands and results of matrix products.
  NTensor,
  /// All else.
  Tensor,
};

/// What the padding of blocked dimensions holds.
enum class Padding : uint8_t { Any, Zero };

/// The extent of an atom: a number, a dimension symbol of the model, or what
/// the other factors leave of the dimension: as many blocks as hold it, whose
/// last one may be padded with zeros or with anything. Orders are copied by the
/// million: the names of symbols are kept once, for as long as the program
/// runs.
class AtomExtent {
public:
  static AtomExtent rest(Padding padding = Padding::Any) {
    return AtomExtent(padding == Padding::Any ? dynamicExtent : zeroPadded,
                      nullptr);
  }
  static AtomExtent of(int64_t value) { return AtomExtent(value, nullptr); }
  static AtomExtent symbol(llvm::StringRef name) {
    return AtomExtent(dynamicExtent, internSymbol(name));
  }

  bool isRest() const { return value <= zeroPadded && !name; }
  bool isSymbol() const { return name; }
  bool isKnown() const { return value > zeroPadded; }
  /// The number, or dynamicExtent where it is not one.
  int64_t getValue() const { return isKnown() ? value : dynamicExtent; }
  /// What pads the last block, of a rest.
  Padding getPadding() const {
    return value == zeroPadded ? Padding::Zero : Padding::Any;
  }
  llvm::StringRef getSymbol() const {
    return name ? llvm::StringRef(*name) : llvm::StringRef();
  }

  bool operator==(const AtomExtent &) const = default;
  friend llvm::hash_code hash_value(const AtomExtent &extent) {
    return llvm::hash_combine(extent.value, extent.name);
  }

private:
  /// Stands for a rest that is padded with zeros.
  static constexpr int64_t zeroPadded = dynamicExtent + 1;

  AtomExtent(int64_t value, const std::string *name)
      : value(value), name(name) {}

  /// The one string that stands for `name`; null for an empty one.
  static const std::string *internSymbol(llvm::StringRef name);

  int64_t value;
  const std::string *name;
};

/// A logical dimension (factor 0, extent `rest`) or a factor of one.
struct Atom {
  unsigned dim = 0;
  /// Position among the factors of the dimension, counted from the minor end.
  unsigned factor = 0;
  AtomExtent extent = AtomExtent::rest();

  bool operator==(const Atom &) const = default;
  friend llvm::hash_code hash_value(const Atom &atom) {
    return llvm::hash_combine(atom.dim, atom.factor, atom.extent);
  }
};

using AtomSequence = llvm::SmallVector<Atom, 4>;

/// Whether `atom` counts the blocks of a blocked dimension.
inline bool countsBlocks(const Atom &atom) {
  return atom.factor > 0 && atom.extent.isRest();
}
/// Whether some dimension is blocked, so that there may be padding.
bool isBlocked(llvm::ArrayRef<Atom> order);
/// What is known of the padding of all blocked dimensions.
Padding getPadding(llvm::ArrayRef<Atom> order);
/// `order` with padding of which that is known.
AtomSequence withPadding(llvm::ArrayRef<Atom> order, Padding padding);
/// `order` as it is for a tensor of `shape`: a blocked dimension whose extent
/// is a multiple of the block has no padding and is exactly split. Nothing
/// where the extent of a blocked dimension is not known.
std::optional<AtomSequence> resolveBlocks(llvm::ArrayRef<Atom> order,
                                          llvm::ArrayRef<int64_t> shape);
/// `shape` with blocked dimensions as long as their blocks.
llvm::SmallVector<int64_t> getPaddedShape(llvm::ArrayRef<Atom> order,
                                          llvm::ArrayRef<int64_t> shape);

/// The dimensions in the order in which they lie in memory, where the factors
/// of each lie together; nothing where those of one do not. `order` is written
/// out.
std::optional<llvm::SmallVector<unsigned>>
getDimOrder(llvm::ArrayRef<Atom> order);
/// `order` with its dimensions as `dims` has them, the factors of each as they
/// lie; empty where that is row-major.
AtomSequence arrangeDims(llvm::ArrayRef<Atom> order,
                         llvm::ArrayRef<unsigned> dims);

/// A value type. Equality compares class, axis names and atoms: two
/// orders that place the elements alike but factor a dimension differently
/// are different layouts.
class Layout {
public:
  /// More atoms than any order needs; it bounds what untrusted text can cost.
  static constexpr size_t maxAtoms = 64;

  /// Row-major, without names.
  static Layout getTensor() { return Layout(LayoutClass::Tensor); }
  static Layout getNTensor() { return Layout(LayoutClass::NTensor); }

  /// A layout of class Feature or Weight, as the letters of `axes` say. An
  /// empty `order` is row-major.
  static llvm::Expected<Layout> getNamed(llvm::StringRef axes,
                                         AtomSequence order = {},
                                         Padding padding = Padding::Any);

  /// A layout of class Tensor or NTensor.
  static llvm::Expected<Layout> getUnnamed(LayoutClass layoutClass,
                                           AtomSequence order,
                                           Padding padding = Padding::Any);

  /// Reads the notation above; `print` writes it.
  static llvm::Expected<Layout> parse(llvm::StringRef text);
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  LayoutClass getClass() const { return layoutClass; }
  /// One letter per dimension; empty for Tensor and NTensor.
  llvm::StringRef getAxes() const { return axes; }
  Padding getPadding() const { return inlay::getPadding(order); }
  /// The storage order, empty when it is row-major.
  llvm::ArrayRef<Atom> getOrder() const { return order; }
  /// The storage order of a tensor of `rank`, row-major ones written out.
  AtomSequence getAtoms(unsigned rank) const;

  /// The extents of the factors of a dimension, major first; one that is `rest`
  /// when the dimension is whole.
  llvm::SmallVector<AtomExtent> getFactors(unsigned dim) const;

  /// Nothing when any rank will do: a row-major Tensor or NTensor.
  std::optional<unsigned> getRank() const;
  bool isRowMajor() const { return order.empty(); }
  /// Whether some dimension is blocked, so that there may be padding.
  bool isBlocked() const { return inlay::isBlocked(order); }

  /// Position i of the storage is dimension result[i]; nothing when a
  /// dimension is blocked or split.
  std::optional<llvm::SmallVector<unsigned>>
  getPermutation(unsigned rank) const;

  /// An error unless a tensor of `shape` can be stored so. Extents may be
  /// dynamicExtent.
  llvm::Error verify(llvm::ArrayRef<int64_t> shape) const;

  /// One extent per atom, padding included; dynamicExtent where it depends on
  /// an unknown extent or a symbol. `shape` passes `verify`.
  llvm::SmallVector<int64_t>
  getPhysicalShape(llvm::ArrayRef<int64_t> shape) const;

  /// Where the element at logical `index` lies, one index per atom; nothing
  /// when that depends on a symbol.
  std::optional<llvm::SmallVector<int64_t>>
  getPhysicalIndex(llvm::ArrayRef<int64_t> index) const;

  bool operator==(const Layout &) const = default;
  friend llvm::hash_code hash_value(const Layout &layout);

private:
  explicit Layout(LayoutClass layoutClass) : layoutClass(layoutClass) {}

  /// Takes over `atoms` after checking that they are an order of the
  /// dimensions.
  llvm::Error setOrder(AtomSequence atoms, Padding state);

  LayoutClass layoutClass;
  std::string axes;
  AtomSequence order;
};

/// "Feature", "Weight", "NTensor" or "Tensor".
llvm::StringRef getName(LayoutClass layoutClass);
/// "axis C", or "dimension 1" when `axes` is empty.
std::string describeDim(llvm::StringRef axes, unsigned dim);

} // namespace inlay

#endif // INLAY_LAYOUT_LAYOUT_H
