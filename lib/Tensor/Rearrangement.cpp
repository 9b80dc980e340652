//===- Rearrangement.cpp - Elements in another order ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Rearrangement.h"
#include "inlay/Tensor/Packing.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace inlay;
using llvm::ArrayRef;
using llvm::MutableArrayRef;

/// Bytes of a source that may be resident. Larger sources are read window by
/// window, and a window's pages are given back before the next.
static constexpr int64_t windowBytes = 64 << 20;
/// The most that reading one element makes resident.
static constexpr int64_t pageBytes = 4096;
/// The system makes neighbours of a page resident with it, also those that were
/// given back before.
static constexpr uint64_t neighbourBytes = 2 << 20;

//===----------------------------------------------------------------------===//
// Rearrangement
//===----------------------------------------------------------------------===//

std::optional<int64_t> Rearrangement::locate(int64_t position) const {
  int64_t place = 0;
  llvm::SmallVector<int64_t, 2> sums(bounds.size(), 0);
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t index = position % shape[i];
    position /= shape[i];
    place += index * strides[i];
    for (auto [sum, bound] : llvm::zip_equal(sums, bounds))
      sum += index * bound.units[i];
  }
  for (auto [sum, bound] : llvm::zip_equal(sums, bounds))
    if (sum >= bound.extent)
      return std::nullopt;
  return place;
}

/// Whether dimension `i` of `map` continues the last one of `merged`: a step
/// along that is as many steps along `i` as it has.
static bool continues(const Rearrangement &merged, const Rearrangement &map,
                      size_t i) {
  if (merged.shape.empty() ||
      merged.strides.back() != map.strides[i] * map.shape[i])
    return false;
  return llvm::all_of(llvm::zip_equal(merged.bounds, map.bounds), [&](auto b) {
    auto &[before, bound] = b;
    return before.units.back() == bound.units[i] * map.shape[i];
  });
}

/// Whether no index passes the bound.
static bool isIdle(const Rearrangement::Bound &bound, ArrayRef<int64_t> shape) {
  int64_t last = 0;
  for (auto [unit, extent] : llvm::zip_equal(bound.units, shape))
    last += unit * (extent - 1);
  return last < bound.extent;
}

Rearrangement Rearrangement::simplified() const {
  if (llvm::is_contained(shape, 0))
    return {{0}, {1}, {}};
  Rearrangement merged, active = *this;
  llvm::erase_if(active.bounds,
                 [&](const Bound &bound) { return isIdle(bound, shape); });
  for (const Bound &bound : active.bounds)
    merged.bounds.push_back({{}, bound.extent});
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1)
      continue;
    bool isMerged = continues(merged, active, i);
    if (isMerged) {
      merged.shape.back() *= shape[i];
      merged.strides.back() = strides[i];
    } else {
      merged.shape.push_back(shape[i]);
      merged.strides.push_back(strides[i]);
    }
    for (auto [to, from] : llvm::zip_equal(merged.bounds, active.bounds)) {
      if (isMerged)
        to.units.pop_back();
      to.units.push_back(from.units[i]);
    }
  }
  if (merged.shape.empty())
    return {{1}, {1}, {}};
  return merged;
}

//===----------------------------------------------------------------------===//
// Sources: elements in the representation of HostTensor
//===----------------------------------------------------------------------===//

namespace {
/// Elements that files hold as the host does, at any alignment.
template <typename Element> struct WholeBytes {
  using T = Element;
  const char *bytes;

  T load(int64_t i) const {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    return value;
  }
  void loadRow(int64_t first, int64_t count, T *out) const {
    std::memcpy(out, bytes + first * sizeof(T), count * sizeof(T));
  }
};

/// Elements narrower than a byte, the first in the low bits.
struct PackedBits {
  using T = uint8_t;
  const char *bytes;
  unsigned bits;
  bool isSigned;

  T load(int64_t i) const {
    unsigned perByte = 8 / bits, mask = (1u << bits) - 1;
    unsigned value =
        (uint8_t(bytes[i / perByte]) >> (i % perByte * bits)) & mask;
    bool isNegative = isSigned && (value >> (bits - 1));
    return T(isNegative ? value | ~mask : value);
  }
  void loadRow(int64_t first, int64_t count, T *out) const {
    for (int64_t i = 0; i < count; ++i)
      out[i] = load(first + i);
  }
};

/// Files may hold true as any number but zero.
struct Booleans {
  using T = uint8_t;
  const char *bytes;

  T load(int64_t i) const { return bytes[i] != 0; }
  void loadRow(int64_t first, int64_t count, T *out) const {
    for (int64_t i = 0; i < count; ++i)
      out[i] = load(first + i);
  }
};

/// Elements that lie rearranged in another source.
template <typename Source> struct Rearranged {
  using T = typename Source::T;
  Source source;
  ArrayRef<Rearrangement> maps;

  T load(int64_t i) const {
    for (const Rearrangement &map : maps) {
      std::optional<int64_t> place = map.locate(i);
      if (!place)
        return T();
      i = *place;
    }
    return source.load(i);
  }
  void loadRow(int64_t first, int64_t count, T *out) const {
    for (int64_t i = 0; i < count; ++i)
      out[i] = load(first + i);
  }
};
} // namespace

template <typename F>
static void withSource(ElementType type, const char *bytes, F &&fn) {
  unsigned bits = getBitWidth(type);
  if (bits < 8)
    return fn(PackedBits{bytes, bits, isSignedInteger(type)});
  if (type == ElementType::Bool)
    return fn(Booleans{bytes});
  dispatchWidth(type, [&]<typename T>(T) { return fn(WholeBytes<T>{bytes}); });
}

//===----------------------------------------------------------------------===//
// Gathering a box
//===----------------------------------------------------------------------===//

namespace {
/// The two dimensions along which a box is copied in small squares: `column`,
/// the last, is contiguous in the result; `row` is contiguous in the source, or
/// as near to it as there is.
struct Plane {
  size_t row, column;
};

/// How far into a plane at one place of the other dimensions elements are no
/// padding.
class PlaneLimits {
public:
  PlaneLimits(const Rearrangement &map, const Box &box, Plane plane)
      : map(map), box(box), plane(plane) {}

  void moveTo(ArrayRef<int64_t> index) {
    sums.clear();
    for (const Rearrangement::Bound &bound : map.bounds) {
      int64_t sum = 0;
      for (size_t i = 0; i < index.size(); ++i)
        sum += (box.begin[i] + index[i]) * bound.units[i];
      sums.push_back(sum);
    }
  }

  /// The columns of a row that are no padding: all before the result are.
  int64_t countColumns(int64_t row) const {
    int64_t count = box.extents[plane.column];
    for (auto [sum, bound] : llvm::zip(sums, map.bounds)) {
      int64_t left = bound.extent - sum - row * bound.units[plane.row];
      int64_t unit = bound.units[plane.column];
      if (left <= 0)
        return 0;
      if (unit > 0)
        count = std::min(count, (left - 1) / unit + 1);
    }
    return count;
  }

private:
  const Rearrangement &map;
  const Box &box;
  Plane plane;
  llvm::SmallVector<int64_t, 2> sums;
};
} // namespace

static Plane choosePlane(const Rearrangement &map, const Box &box) {
  size_t column = map.shape.size() - 1, row = column;
  for (size_t i = 0; i < column; ++i)
    if (box.extents[i] > 1 &&
        (row == column || map.strides[i] <= map.strides[row]))
      row = i;
  return {row, column};
}

namespace {
/// A plane at one place of the other dimensions: where it lies in the source
/// and in the result.
template <typename T> struct PlanePlace {
  int64_t from, rowStep, columnStep;
  T *out;
  int64_t rowSize;
};
} // namespace

/// Copies a part of a plane, row by row.
template <typename Source>
static void gatherRows(const Source &source,
                       const PlanePlace<typename Source::T> &place,
                       int64_t firstRow, int64_t endRow, int64_t first,
                       llvm::function_ref<int64_t(int64_t)> getEnd) {
  for (int64_t row = firstRow; row < endRow; ++row) {
    int64_t from = place.from + row * place.rowStep;
    typename Source::T *out = place.out + row * place.rowSize;
    int64_t end = getEnd(row);
    if (place.columnStep == 1 && first < end)
      source.loadRow(from + first, end - first, out + first);
    else
      for (int64_t column = first; column < end; ++column)
        out[column] = source.load(from + column * place.columnStep);
  }
}

/// Copies a square of a plane through a buffer, so that source and result are
/// each touched along their lines of the cache, however far those are apart.
template <int64_t side, typename Source>
static void gatherSquare(const Source &source,
                         const PlanePlace<typename Source::T> &place,
                         int64_t firstRow, int64_t firstColumn) {
  using T = typename Source::T;
  T buffer[side][side];
  int64_t from =
      place.from + firstRow * place.rowStep + firstColumn * place.columnStep;
  for (int64_t column = 0; column < side; ++column)
    for (int64_t row = 0; row < side; ++row)
      buffer[row][column] =
          source.load(from + column * place.columnStep + row * place.rowStep);
  T *out = place.out + firstRow * place.rowSize + firstColumn;
  for (int64_t row = 0; row < side; ++row)
    std::memcpy(out + row * place.rowSize, buffer[row], sizeof(buffer[row]));
}

/// Copies a plane. `columns` says how many columns of each row are no padding;
/// it is empty when all are.
template <typename Source>
static void
gatherPlane(const Source &source, const PlanePlace<typename Source::T> &place,
            int64_t numRows, int64_t numColumns, ArrayRef<int64_t> columns) {
  // Two lines of the cache.
  constexpr int64_t side =
      std::min<int64_t>(64, 128 / sizeof(typename Source::T));
  auto count = [&](int64_t row) {
    return columns.empty() ? numColumns : columns[row];
  };
  if (place.columnStep == 1 || numRows < side / 2)
    return gatherRows(source, place, 0, numRows, 0, count);
  for (int64_t row = 0; row < numRows; row += side) {
    int64_t endRow = std::min(row + side, numRows);
    int64_t numFull =
        columns.empty() ? numColumns
                        : *llvm::min_element(columns.slice(row, endRow - row));
    int64_t column = 0;
    if (endRow - row == side)
      for (; column + side <= numFull; column += side)
        gatherSquare<side>(source, place, row, column);
    // What is left is narrow, or low.
    for (; column < numColumns; column += side)
      gatherRows(source, place, row, endRow, column, [&](int64_t each) {
        return std::min(column + side, count(each));
      });
  }
}

/// Stores the elements of `box` at `out`, whose dimensions step by `to`.
template <typename Source>
static void gather(const Source &source, const Rearrangement &map,
                   const Box &box, typename Source::T *out,
                   ArrayRef<int64_t> to) {
  Plane plane = choosePlane(map, box);
  bool isRow = plane.row == plane.column;
  int64_t numRows = isRow ? 1 : box.extents[plane.row];
  int64_t numColumns = box.extents[plane.column];
  int64_t origin = 0;
  for (size_t i = 0; i < box.begin.size(); ++i)
    origin += box.begin[i] * map.strides[i];

  llvm::SmallVector<int64_t, 6> outer(box.extents);
  outer[plane.row] = outer[plane.column] = 1;
  PlaneLimits limits(map, box, plane);
  llvm::SmallVector<int64_t, 0> columns;
  for (IndexCounter i(outer); !i.atEnd(); i.next()) {
    if (!map.bounds.empty()) {
      limits.moveTo(i.getIndex());
      columns.clear();
      for (int64_t row = 0; row < numRows; ++row)
        columns.push_back(limits.countColumns(row));
    }
    gatherPlane(source,
                PlanePlace<typename Source::T>{
                    origin + i.getOffset(map.strides), map.strides[plane.row],
                    map.strides[plane.column], out + i.getOffset(to),
                    to[plane.row]},
                numRows, numColumns, columns);
  }
}

//===----------------------------------------------------------------------===//
// RearrangedElements
//===----------------------------------------------------------------------===//

RearrangedElements::RearrangedElements(ElementType type, FileRange source,
                                       ArrayRef<Rearrangement> maps)
    : type(type), source(std::move(source)), map(maps.front().simplified()) {
  for (const Rearrangement &each : maps.drop_front())
    inner.push_back(each.simplified());
  numSourceElements = this->source.length * 8 / getBitWidth(type);
  isWindowed = !this->source.file->isInMemory() &&
               this->source.length > uint64_t(windowBytes);
}

RearrangedElements::~RearrangedElements() { release(0, numSourceElements); }

void RearrangedElements::release(int64_t first, int64_t count) const {
  uint64_t begin = uint64_t(first) * getBitWidth(type) / 8;
  uint64_t end = getPackedByteSize(type, first + count);
  end = std::min(end + neighbourBytes, source.length);
  begin -= std::min(begin, neighbourBytes);
  if (begin < end)
    source.file->releasePages(source.offset + begin, end - begin);
}

std::pair<int64_t, int64_t> RearrangedElements::getSpan(const Box &part) const {
  if (!inner.empty())
    return {0, numSourceElements};
  int64_t first = 0, last = 0;
  for (size_t i = 0; i < part.begin.size(); ++i) {
    first += part.begin[i] * map.strides[i];
    last += (part.begin[i] + part.extents[i] - 1) * map.strides[i];
  }
  // The places of padding may lie past the end.
  first = std::min(first, numSourceElements);
  last = std::min(last + 1, numSourceElements);
  return {first, last - first};
}

/// The dimension to halve so that the halves are as far apart as possible.
static size_t chooseSplit(const Rearrangement &map, const Box &part) {
  size_t best = map.shape.size();
  for (size_t i = 0; i < map.shape.size(); ++i)
    if (part.extents[i] > 1 &&
        (best == map.shape.size() || map.strides[i] > map.strides[best]))
      best = i;
  return best;
}

void RearrangedElements::readPart(const Box &part, char *out,
                                  ArrayRef<int64_t> to) const {
  auto [first, count] = getSpan(part);
  int64_t bytes = std::min<int64_t>(getPackedByteSize(type, count),
                                    product(part.extents) * pageBytes);
  size_t split = chooseSplit(map, part);
  // Halving ends: each half has half the elements.
  if (isWindowed && bytes > windowBytes && split < map.shape.size()) {
    Box low = part, high = part;
    low.extents[split] = part.extents[split] / 2;
    high.extents[split] -= low.extents[split];
    high.begin[split] += low.extents[split];
    readPart(low, out, to);
    return readPart(
        high, out + low.extents[split] * to[split] * getHostByteWidth(type),
        to);
  }
  withSource(type, source.getBytes().data(), [&]<typename S>(const S &bytes) {
    auto *target = reinterpret_cast<typename S::T *>(out);
    if (inner.empty())
      gather(bytes, map, part, target, to);
    else
      gather(Rearranged<S>{bytes, inner}, map, part, target, to);
  });
  if (isWindowed)
    release(first, count);
}

void RearrangedElements::read(const Box &box, MutableArrayRef<char> out) const {
  assert(out.size() ==
             uint64_t(product(box.extents)) * getHostByteWidth(type) &&
         "out has the size of the box");
  if (!out.empty())
    readPart(box, out.data(), getRowMajorStrides(box.extents));
}

/// The largest box at the front of `count` elements from `first` on, whose
/// elements follow one another.
static Box takeBox(ArrayRef<int64_t> shape, int64_t first, int64_t count) {
  Box box;
  box.begin.assign(shape.size(), 0);
  box.extents.assign(shape.size(), 1);
  for (size_t i = shape.size(), rest = first; i-- > 0; rest /= shape[i])
    box.begin[i] = rest % shape[i];
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t step = product(shape.drop_front(dim + 1));
    if (step > count || first % step != 0)
      continue;
    box.extents[dim] = std::min(count / step, shape[dim] - box.begin[dim]);
    for (size_t i = dim + 1; i < shape.size(); ++i)
      box.extents[i] = shape[i];
    break;
  }
  return box;
}

void RearrangedElements::readRange(int64_t first, int64_t count,
                                   MutableArrayRef<char> out) const {
  unsigned width = getHostByteWidth(type);
  while (count > 0) {
    Box box = takeBox(map.shape, first, count);
    int64_t length = product(box.extents);
    read(box, out.take_front(length * width));
    out = out.drop_front(length * width);
    first += length;
    count -= length;
  }
}

void RearrangedElements::readAll(MutableArrayRef<char> out) const {
  Box box;
  box.begin.assign(map.shape.size(), 0);
  box.extents.assign(map.shape.begin(), map.shape.end());
  read(box, out);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// Hands on tiles as files hold them. Elements that fill no byte yet wait for
/// the next tile.
class TilePacker {
public:
  using Use = llvm::function_ref<llvm::Error(ArrayRef<char>)>;

  TilePacker(ElementType type, Use use)
      : type(type), perByte(std::max(1u, 8 / getBitWidth(type))), use(use) {}

  /// Zeros for `count` elements, behind those that wait.
  MutableArrayRef<char> prepare(int64_t count) {
    unsigned width = getHostByteWidth(type);
    buffer.resize(waiting);
    buffer.resize(waiting + count * width);
    return MutableArrayRef<char>(buffer).drop_front(waiting);
  }

  llvm::Error flush(bool isLast) {
    size_t ready = buffer.size();
    if (perByte > 1 && !isLast)
      ready -= ready % perByte;
    llvm::Error error = handOn(ArrayRef<char>(buffer).take_front(ready));
    buffer.erase(buffer.begin(), buffer.begin() + ready);
    waiting = buffer.size();
    return error;
  }

private:
  llvm::Error handOn(ArrayRef<char> bytes) {
    if (bytes.empty())
      return llvm::Error::success();
    if (perByte == 1)
      return use(bytes);
    HostTensor elements =
        HostTensor::view(type, {int64_t(bytes.size())}, bytes, nullptr);
    return use(packElements(elements).bytes);
  }

  ElementType type;
  unsigned perByte;
  Use use;
  std::vector<char> buffer;
  size_t waiting = 0;
};
} // namespace

llvm::Error RearrangedElements::forEachTile(
    uint64_t limit, llvm::function_ref<llvm::Error(ArrayRef<char>)> use) const {
  ArrayRef<int64_t> shape = map.shape;
  int64_t maxCount = std::max<int64_t>(1, limit / getHostByteWidth(type));
  // Tiles run along the first dimension of which one step fits.
  size_t dim = 0;
  while (dim + 1 < shape.size() &&
         product(shape.drop_front(dim + 1)) > maxCount)
    ++dim;
  int64_t step = product(shape.drop_front(dim + 1));
  int64_t chunk = maxCount / std::max<int64_t>(step, 1);

  TilePacker packer(type, use);
  Box box;
  box.extents.assign(shape.size(), 1);
  for (size_t i = dim + 1; i < shape.size(); ++i)
    box.extents[i] = shape[i];
  for (IndexCounter i(shape.take_front(dim)); !i.atEnd(); i.next())
    for (int64_t first = 0; first < shape[dim]; first += chunk) {
      box.begin.assign(shape.size(), 0);
      llvm::copy(i.getIndex(), box.begin.begin());
      box.begin[dim] = first;
      box.extents[dim] = std::min(chunk, shape[dim] - first);
      read(box, packer.prepare(product(box.extents)));
      if (llvm::Error error = packer.flush(/*isLast=*/false))
        return error;
    }
  return packer.flush(/*isLast=*/true);
}
