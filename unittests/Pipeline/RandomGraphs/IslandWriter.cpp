//===- IslandWriter.cpp - Graphs with what runtimes fuse ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IslandWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace inlay::testing;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::string getType(ArrayRef<int64_t> shape, StringRef element = "f32") {
  std::string type = "tensor<";
  for (int64_t extent : shape)
    type += std::to_string(extent) + "x";
  return type + element.str() + ">";
}

static std::string getInts(StringRef name, ArrayRef<int64_t> ints) {
  return name.str() + " = array<i64: " +
         llvm::join(
             llvm::map_range(
                 ints, [](int64_t value) { return std::to_string(value); }),
             ", ") +
         ">";
}

static int64_t getProduct(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

IslandWriter::Tensor IslandWriter::add(StringRef op, ArrayRef<Tensor> operands,
                                       Shape shape, StringRef attributes) {
  Tensor result{"%v" + std::to_string(numValues++), std::move(shape)};
  std::string names, types;
  for (const Tensor &operand : operands) {
    names += (names.empty() ? " " : ", ") + operand.name;
    // Indices are the only scalars that are written with `%i`.
    bool isIndex = StringRef(operand.name).starts_with("%i");
    types += (types.empty() ? "" : ", ") +
             getType(operand.shape, isIndex ? "i64" : "f32");
  }
  body += "  " + result.name + " = inlay." + op.str() + names;
  if (!attributes.empty())
    body += " {" + attributes.str() + "}";
  body += " : (" + types + ") -> " + getType(result.shape) + "\n";
  return result;
}

IslandWriter::Tensor IslandWriter::apply(StringRef op,
                                         ArrayRef<Tensor> operands) {
  return add(op, operands, operands.front().shape);
}

IslandWriter::Tensor IslandWriter::reshape(const Tensor &x, Shape shape) {
  std::string attribute = getInts("shape", shape);
  return add("reshape", x, std::move(shape), attribute);
}

IslandWriter::Tensor IslandWriter::transpose(const Tensor &x,
                                             ArrayRef<int64_t> perm) {
  Shape shape;
  for (int64_t from : perm)
    shape.push_back(x.shape[from]);
  return add("transpose", x, std::move(shape), getInts("perm", perm));
}

/// A product of matrices, whose second operand may be one for all.
IslandWriter::Tensor IslandWriter::multiply(const Tensor &a, const Tensor &b) {
  Shape shape = a.shape;
  shape.back() = b.shape.back();
  return add("matmul", {a, b}, std::move(shape));
}

/// The elements of a constant, byte by byte.
static std::string getElements(ArrayRef<float> values) {
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(values.data()),
                          values.size() * sizeof(float));
  return "dense<\"0x" + llvm::toHex(bytes) + "\">";
}

IslandWriter::Tensor IslandWriter::addScalar(float value) {
  return addConstant(value, {});
}

IslandWriter::Tensor IslandWriter::addConstant(ArrayRef<float> values,
                                               Shape shape) {
  Tensor result{"%c" + std::to_string(numValues++), std::move(shape)};
  body += "  " + result.name + " = inlay.constant " + getElements(values) +
          " : " + getType(result.shape) + "\n";
  return result;
}

/// Numbers of [-1, 1] over the root of what is summed with them.
IslandWriter::Tensor IslandWriter::addWeight(Shape shape) {
  double scale = 1 / std::sqrt(double(shape.front()));
  std::vector<float> values(getProduct(shape));
  for (float &value : values)
    value = float(scale * (double(draw(2001)) / 1000 - 1));
  return addConstant(values, std::move(shape));
}

IslandWriter::Tensor IslandWriter::addIndex(int64_t value) {
  Tensor result{"%i" + std::to_string(numValues++), {}};
  body += "  " + result.name + " = inlay.constant dense<" +
          std::to_string(value) + "> : tensor<i64>\n";
  return result;
}

//===----------------------------------------------------------------------===//
// What stands between islands
//===----------------------------------------------------------------------===//

void IslandWriter::addTranspose() {
  Shape perm = llvm::to_vector<5>(llvm::seq<int64_t>(0, current.shape.size()));
  for (size_t i = perm.size() - 1; i > 0; --i)
    std::swap(perm[i], perm[draw(i + 1)]);
  current = transpose(current, perm);
}

/// Merges two neighbours of four dimensions, or splits one of three.
void IslandWriter::addReshape() {
  Shape shape = current.shape;
  if (shape.size() == 4) {
    size_t at = draw(3);
    shape[at] *= shape[at + 1];
    shape.erase(shape.begin() + at + 1);
  } else {
    size_t at = draw(3);
    int64_t inner = shape[at] % 2 == 0 ? 2 : 1;
    shape[at] /= inner;
    shape.insert(shape.begin() + at + 1, inner);
  }
  current = reshape(current, shape);
}

void IslandWriter::addResidual() {
  for (const Tensor &other : llvm::reverse(earlier))
    if (other.shape == current.shape && other.name != current.name) {
      current = apply("add", {current, other});
      return;
    }
}

void IslandWriter::addSea() {
  for (uint64_t i = 0, e = draw(4); i < e; ++i)
    switch (draw(6)) {
    case 0:
      current = apply("tanh", current);
      break;
    case 1:
      addReshape();
      break;
    case 2:
      addResidual();
      break;
    default:
      addTranspose();
    }
  earlier.push_back(current);
}

//===----------------------------------------------------------------------===//
// Islands
//===----------------------------------------------------------------------===//

/// (x - mean) / sqrt(mean of squares + e), with a scale, a bias or neither.
IslandWriter::Tensor IslandWriter::addNormalization(const Tensor &x) {
  int64_t last = x.shape.size() - 1, size = x.shape.back();
  Shape means = x.shape;
  means.back() = 1;
  std::string axes = getInts("axes", last);
  Tensor d = apply("sub", {x, add("reduce_mean", x, means, axes)});
  Tensor square =
      draw(2) == 0 ? apply("pow", {d, addScalar(2)}) : apply("mul", {d, d});
  Tensor mean = add("reduce_mean", square, means, axes);
  Tensor root = apply("sqrt", apply("add", {mean, addScalar(0.01f)}));
  Tensor y = draw(2) == 0 ? apply("div", {d, root})
                          : apply("mul", {d, apply("reciprocal", root)});
  if (draw(2) == 0)
    y = apply("mul", {y, addWeight({size})});
  if (draw(2) == 0)
    y = apply("add", {y, addWeight({size})});
  return y;
}

/// x / 2 * (1 + erf(x / sqrt(2))), the half where exporters have it.
IslandWriter::Tensor IslandWriter::addGelu(const Tensor &x) {
  Tensor root = draw(2) == 0 ? apply("div", {x, addScalar(1.41421356f)})
                             : apply("mul", {x, addScalar(0.70710678f)});
  Tensor one = apply("add", {apply("erf", root), addScalar(1)});
  switch (draw(3)) {
  case 0:
    return apply("mul", {apply("mul", {x, one}), addScalar(0.5f)});
  case 1:
    return apply("mul", {apply("mul", {x, addScalar(0.5f)}), one});
  default:
    return apply("mul", {x, apply("mul", {one, addScalar(0.5f)})});
  }
}

/// A convolution of as many channels as there are, and what is done to each
/// element behind it.
IslandWriter::Tensor IslandWriter::addActivation(const Tensor &x) {
  Tensor data = x;
  if (x.shape.size() == 3)
    data = reshape(x, {1, x.shape[0], x.shape[1], x.shape[2]});
  int64_t channels = data.shape[1], kernel = draw(2) == 0 ? 1 : 3;
  Tensor weight = addWeight({channels, channels, kernel, kernel});
  int64_t pad = kernel / 2;
  Tensor y = add("conv", {data, weight}, data.shape,
                 getInts("pads", {pad, pad, pad, pad}));
  static constexpr const char *activations[] = {"relu", "sigmoid", "tanh"};
  return apply(activations[draw(3)], y);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

IslandWriter::Tensor IslandWriter::project(const Tensor &x, int64_t size) {
  Tensor y = multiply(x, addWeight({x.shape.back(), size}));
  return draw(2) == 0 ? y : apply("add", {y, addWeight({size})});
}

/// (batch, positions, heads * size) in heads, by one transpose or by two.
IslandWriter::Tensor IslandWriter::moveHeads(const Tensor &x, int64_t heads,
                                             bool isKey) {
  Tensor split =
      reshape(x, {x.shape[0], x.shape[1], heads, x.shape[2] / heads});
  if (isKey && draw(2) == 0)
    return transpose(split, {0, 2, 3, 1});
  Tensor moved = transpose(split, {0, 2, 1, 3});
  return isKey ? transpose(moved, {0, 1, 3, 2}) : moved;
}

IslandWriter::Heads IslandWriter::projectEach(const Tensor &x, int64_t heads,
                                              int64_t size) {
  Tensor query = project(x, size), key = project(x, size),
         value = project(x, size);
  return {moveHeads(query, heads, false), moveHeads(key, heads, true),
          moveHeads(value, heads, false)};
}

/// All three by one product, moved together and then picked.
IslandWriter::Heads IslandWriter::gatherHeads(const Tensor &x, int64_t heads,
                                              int64_t size) {
  int64_t batch = x.shape[0], positions = x.shape[1];
  Tensor all =
      reshape(project(x, 3 * size), {batch, positions, 3, heads, size / heads});
  Tensor moved = transpose(all, {2, 0, 3, 1, 4});
  auto pick = [&](int64_t i) {
    Shape shape(ArrayRef(moved.shape).drop_front());
    return add("gather", {moved, addIndex(i)}, shape, "axis = 0 : i64");
  };
  Tensor query = pick(0), key = pick(1), value = pick(2);
  return {query, transpose(key, {0, 1, 3, 2}), value};
}

/// All three by one product, split and then moved.
IslandWriter::Heads IslandWriter::splitHeads(const Tensor &x, int64_t heads,
                                             int64_t size) {
  Tensor all = project(x, 3 * size);
  Shape part = {x.shape[0], x.shape[1], size};
  std::string name = "%v" + std::to_string(numValues++), type = getType(part);
  body += "  " + name + ":3 = inlay.split " + all.name + " {axis = 2 : i64, " +
          getInts("split", {size, size, size}) + "} : (" + getType(all.shape) +
          ") -> (" + type + ", " + type + ", " + type + ")\n";
  return {moveHeads({name + "#0", part}, heads, false),
          moveHeads({name + "#1", part}, heads, true),
          moveHeads({name + "#2", part}, heads, false)};
}

IslandWriter::Tensor IslandWriter::addAttention(const Tensor &input) {
  Tensor x = input;
  if (x.shape.size() == 4)
    x = reshape(x, {x.shape[0], x.shape[1] * x.shape[2], x.shape[3]});
  // One position needs no transposes.
  if (x.shape[1] == 1)
    return addGelu(input);
  int64_t heads = 2 + int64_t(draw(2)), size = heads * (2 + int64_t(draw(2)));
  uint64_t kind = draw(3), scaled = draw(3);
  Heads found = kind == 0   ? projectEach(x, heads, size)
                : kind == 1 ? gatherHeads(x, heads, size)
                            : splitHeads(x, heads, size);
  if (scaled != 0)
    found.query = apply("mul", {found.query, addScalar(0.5f)});
  if (scaled == 2)
    found.key = apply("mul", {found.key, addScalar(0.5f)});
  Tensor scores = multiply(found.query, found.key);
  if (scaled == 0)
    scores = apply("div", {scores, addScalar(2)});
  int64_t positions = x.shape[1];
  if (draw(3) == 0)
    scores = apply("add", {scores, addWeight({positions, positions})});
  Tensor y = multiply(apply("softmax", scores), found.value);
  return reshape(transpose(y, {0, 2, 1, 3}), {x.shape[0], positions, size});
}

void IslandWriter::addIsland() {
  switch (draw(4)) {
  case 0:
    current = addNormalization(current);
    break;
  case 1:
    current = addGelu(current);
    break;
  case 2:
    current = addActivation(current);
    break;
  default:
    current = addAttention(current);
  }
  earlier.push_back(current);
}

std::string IslandWriter::write(unsigned numIslands) {
  static constexpr int64_t extents[] = {1, 2, 3, 4, 6};
  Shape shape;
  for (uint64_t i = 0, e = 3 + draw(2); i < e; ++i)
    shape.push_back(extents[draw(std::size(extents))]);
  current = {"%x", shape};
  earlier = {current};
  for (unsigned i = 0; i < numIslands; ++i) {
    addSea();
    addIsland();
  }
  addSea();
  return "func.func @main(%x: " + getType(shape) + ") -> " +
         getType(current.shape) + " {\n" + body + "  return " + current.name +
         " : " + getType(current.shape) + "\n}\n";
}
