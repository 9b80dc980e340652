//===- ModelProducts.cpp - Products that models have ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace inlay::testing;
using llvm::ArrayRef;
using llvm::StringRef;
using Extents = ModelProduct::Extents;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Extents readExtents(StringRef text, char separator) {
  Extents extents;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, separator);
  for (StringRef part : parts)
    part.getAsInteger(10, extents.emplace_back());
  return extents;
}

static void readOption(StringRef text, ModelProduct &product) {
  auto [name, value] = text.split('=');
  if (name == "pads")
    product.pads = readExtents(value, ',');
  else if (name == "strides")
    product.strides = readExtents(value, ',');
  else if (name == "dilations")
    product.dilations = readExtents(value, ',');
  else if (name == "group")
    value.getAsInteger(10, product.group);
  product.isNchw |= text == "nchw";
  product.hasFront |= text == "front";
  product.transA |= text == "transA";
  product.transB |= text == "transB";
}

static ModelProduct readProduct(StringRef line) {
  ModelProduct product;
  product.text = line.str();
  llvm::SmallVector<StringRef> words;
  line.split(words, ' ');
  product.isConv = words[0] == "conv";
  product.isGemm = words[0] == "gemm";
  product.a = readExtents(words[1], 'x');
  product.b = readExtents(words[2], 'x');
  if (product.isConv) {
    product.pads.resize(2 * product.getNumSpatial(), 0);
    product.strides.resize(product.getNumSpatial(), 1);
    product.dilations.resize(product.getNumSpatial(), 1);
  }
  for (StringRef option : ArrayRef(words).drop_front(3))
    readOption(option, product);
  return product;
}

std::vector<ModelProduct> inlay::testing::readModelProducts() {
  std::vector<ModelProduct> products;
  auto file = llvm::MemoryBuffer::getFile(INLAY_MODEL_PRODUCTS);
  if (!file)
    return products;
  llvm::SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    products.push_back(readProduct(line));
  return products;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static int64_t getCount(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

Extents ModelProduct::getResult() const {
  if (isConv) {
    Extents result = {a[0], b[0]};
    for (unsigned i = 0; i < getNumSpatial(); ++i)
      result.push_back((a[2 + i] + pads[i] + pads[getNumSpatial() + i] -
                        (b[2 + i] - 1) * dilations[i] - 1) /
                           strides[i] +
                       1);
    return result;
  }
  if (isGemm)
    return {a[transA ? 1 : 0], b[transB ? 0 : 1]};
  // Batches of the longer one are those of both.
  Extents result = a.size() < b.size() ? b : a;
  result[result.size() - 2] = a[a.size() - 2];
  result[result.size() - 1] = b.back();
  return result;
}

int64_t ModelProduct::countProducts() const {
  int64_t terms = isConv   ? getCount(ArrayRef(b).drop_front())
                  : isGemm ? a[transA ? 0 : 1]
                           : a.back();
  return getCount(getResult()) * terms;
}

bool ModelProduct::allowsTiles() const {
  auto areOnes = [](ArrayRef<int64_t> extents) {
    return llvm::all_of(extents, [](int64_t extent) { return extent == 1; });
  };
  return isConv && getNumSpatial() == 2 && group == 1 && b[2] == 3 &&
         b[3] == 3 && !isNchw && areOnes(strides) && areOnes(dilations);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string getType(ArrayRef<int64_t> extents) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + "f32>";
}

static std::string getArray(ArrayRef<int64_t> numbers) {
  return "array<i64: " +
         llvm::join(
             llvm::map_range(numbers,
                             [](int64_t own) { return std::to_string(own); }),
             ", ") +
         ">";
}

/// Channels last.
static Extents turn(ArrayRef<int64_t> extents) {
  Extents turned = {extents[0]};
  llvm::append_range(turned, extents.drop_front(2));
  turned.push_back(extents[1]);
  return turned;
}

static std::string getTurn(StringRef result, StringRef operand,
                           ArrayRef<int64_t> perm, ArrayRef<int64_t> from,
                           ArrayRef<int64_t> to) {
  return llvm::formatv("{0} = inlay.transpose {1} {{perm = {2}} : ({3}) -> "
                       "{4}\n",
                       result, operand, getArray(perm), getType(from),
                       getType(to));
}

static std::string getConv(const ModelProduct &product, StringRef data) {
  return llvm::formatv(
      "%m = inlay.conv {0}, %b {{pads = {1}, strides = {2}, dilations = {3}, "
      "group = {4} : i64} : ({5}, {6}) -> {7}\n",
      data, getArray(product.pads), getArray(product.strides),
      getArray(product.dilations), product.group, getType(product.a),
      getType(product.b), getType(product.getResult()));
}

/// As a kernel of channels that lie side by side.
static std::string getTurnedConv(const ModelProduct &product) {
  Extents data = turn(product.a), result = turn(product.getResult());
  Extents first = {0, int64_t(data.size()) - 1}, last = {0};
  for (unsigned i = 0; i < product.getNumSpatial(); ++i) {
    first.push_back(i + 1);
    last.push_back(i + 2);
  }
  last.push_back(1);
  std::string text =
      "%y = inlay.group \"cpu\" \"k\" cluster : " + getType(result) + " {\n";
  if (product.hasFront)
    text += llvm::formatv("%x = inlay.abs %a : ({0}) -> {0}\n", getType(data));
  text += getTurn("%t", product.hasFront ? "%x" : "%a", first, data, product.a);
  text += getConv(product, "%t");
  text += getTurn("%r", "%m", last, product.getResult(), result);
  return text + "inlay.yield %r : " + getType(result) + "\n}\n";
}

static std::string getMatrices(const ModelProduct &product) {
  std::string attributes =
      product.isGemm ? llvm::formatv(" {{transA = {0} : i64, transB = {1} : "
                                     "i64}",
                                     int(product.transA), int(product.transB))
                           .str()
                     : "";
  return llvm::formatv("%y = inlay.{0} %a, %b{1} : ({2}, {3}) -> {4}\n",
                       product.isGemm ? "gemm" : "matmul", attributes,
                       getType(product.a), getType(product.b),
                       getType(product.getResult()));
}

std::string ModelProduct::getFunction() const {
  bool isTurned = isConv && !isNchw;
  std::string data = getType(isTurned ? turn(a) : a), weights = getType(b);
  std::string result = getType(isTurned ? turn(getResult()) : getResult());
  std::string second = isConv ? "" : ", %b: " + weights;
  std::string text =
      "func.func @main(%a: " + data + second + ") -> " + result + " {\n";
  if (isConv)
    text += "%b = inlay.constant dense<0.5> : " + weights + "\n";
  text += !isConv    ? getMatrices(*this)
          : isTurned ? getTurnedConv(*this)
                     : getConv(*this, "%a");
  return text + "return " + (isConv && isNchw ? "%m" : "%y") + " : " + result +
         "\n}\n";
}
