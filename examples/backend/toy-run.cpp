//===- toy-run.cpp - Executes a listing and compares ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   toy-run MODEL LISTING [NAME=EXTENT...]
//
// The machine of ToyBackend.cpp in a few loops: an arena of floats and a
// listing of instructions. Its outputs must be those of the reference executor.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Runtime/RandomInputs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace inlay;
using llvm::ArrayRef;
using llvm::StringRef;
using Ints = llvm::SmallVector<int64_t>;

namespace {
/// A tensor in the arena.
struct Tensor {
  float *data;
  Ints shape;

  int64_t size() const {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    return count;
  }
};

struct Instruction {
  StringRef name;
  Tensor result;
  std::vector<Tensor> operands;
  std::map<StringRef, StringRef> attributes;

  Ints getInts(StringRef key, Ints absent) const;
  int64_t getInt(StringRef key, int64_t absent) const {
    return getInts(key, {absent})[0];
  }
};
} // namespace

[[noreturn]] static void fail(const llvm::Twine &message) {
  llvm::errs() << "toy-run: " << message << '\n';
  exit(1);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Ints parseInts(StringRef text, char separator) {
  Ints result;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, separator);
  for (StringRef part : parts)
    if (part.getAsInteger(10, result.emplace_back()))
      fail("not a number: '" + part + "'");
  return result;
}

Ints Instruction::getInts(StringRef key, Ints absent) const {
  auto it = attributes.find(key);
  return it == attributes.end() ? absent : parseInts(it->second, ',');
}

static Tensor parseTensor(StringRef word, std::vector<float> &arena) {
  auto [place, shape] = word.drop_front().split(':');
  Tensor tensor{nullptr, shape == "scalar" ? Ints() : parseInts(shape, 'x')};
  size_t offset = parseInts(place, ',')[0] / sizeof(float);
  if (offset + tensor.size() > arena.size())
    fail("'" + word + "' is not in the arena");
  tensor.data = arena.data() + offset;
  return tensor;
}

static Instruction parseInstruction(StringRef line, std::vector<float> &arena) {
  auto [operation, attributes] = line.split(" |");
  llvm::SmallVector<StringRef> words;
  operation.split(words, ' ', -1, /*KeepEmpty=*/false);
  Instruction instruction{words[0], parseTensor(words[1], arena), {}, {}};
  for (StringRef word : ArrayRef(words).drop_front(3))
    instruction.operands.push_back(parseTensor(word, arena));
  words.clear();
  attributes.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    instruction.attributes.insert(word.split('='));
  return instruction;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

/// NHWC by HWOI, in groups.
static void conv(const Instruction &i) {
  const Tensor &x = i.operands[0], &w = i.operands[1], &y = i.result;
  Ints pads = i.getInts("pads", {0, 0, 0, 0});
  Ints strides = i.getInts("strides", {1, 1});
  Ints dilations = i.getInts("dilations", {1, 1});
  int64_t group = i.getInt("group", 1);
  int64_t H = x.shape[1], W = x.shape[2], C = x.shape[3], I = w.shape[3];
  int64_t O = y.shape[3];
  float *out = y.data;
  for (int64_t n = 0; n < y.shape[0]; ++n)
    for (int64_t oy = 0; oy < y.shape[1]; ++oy)
      for (int64_t ox = 0; ox < y.shape[2]; ++ox)
        for (int64_t o = 0; o < O; ++o, ++out) {
          double sum = i.operands.size() > 2 ? i.operands[2].data[o] : 0;
          for (int64_t ky = 0; ky < w.shape[0]; ++ky)
            for (int64_t kx = 0; kx < w.shape[1]; ++kx) {
              int64_t iy = oy * strides[0] - pads[0] + ky * dilations[0];
              int64_t ix = ox * strides[1] - pads[1] + kx * dilations[1];
              if (iy < 0 || iy >= H || ix < 0 || ix >= W)
                continue;
              const float *from =
                  x.data + ((n * H + iy) * W + ix) * C + o / (O / group) * I;
              const float *by = w.data + ((ky * w.shape[1] + kx) * O + o) * I;
              for (int64_t c = 0; c < I; ++c)
                sum += double(from[c]) * by[c];
            }
          *out = sum;
        }
}

/// a · bᵀ + c.
static void gemm(const Instruction &i) {
  const Tensor &a = i.operands[0], &b = i.operands[1], &y = i.result;
  if (i.getInt("transB", 0) != 1 || i.getInt("transA", 0) != 0)
    fail("gemm: only the second operand is transposed here");
  int64_t depth = a.shape[1], columns = y.shape[1];
  for (int64_t at = 0; at < y.size(); ++at) {
    double sum = i.operands.size() > 2 ? i.operands[2].data[at % columns] : 0;
    for (int64_t k = 0; k < depth; ++k)
      sum += double(a.data[at / columns * depth + k]) *
             b.data[at % columns * depth + k];
    y.data[at] = sum;
  }
}

static void transpose(const Instruction &i) {
  const Tensor &x = i.operands[0], &y = i.result;
  Ints perm = i.getInts("perm", {});
  for (int64_t at = 0; at < y.size(); ++at) {
    Ints index(perm.size());
    int64_t rest = at, from = 0;
    for (size_t d = perm.size(); d-- > 0; rest /= y.shape[d])
      index[perm[d]] = rest % y.shape[d];
    for (size_t d = 0; d < perm.size(); ++d)
      from = from * x.shape[d] + index[d];
    y.data[at] = x.data[from];
  }
}

static void pool(const Instruction &i) {
  const Tensor &x = i.operands[0], &y = i.result;
  auto layout = i.attributes.find("layout");
  bool isLast = layout != i.attributes.end() && layout->second == "NHWC";
  int64_t C = isLast ? x.shape.back() : x.shape[1];
  int64_t area = x.size() / x.shape[0] / C;
  for (int64_t at = 0; at < y.size(); ++at) {
    double sum = 0;
    for (int64_t p = 0; p < area; ++p)
      sum += x.data[isLast ? (at / C * area + p) * C + at % C : at * area + p];
    y.data[at] = sum / area;
  }
}

/// Over the last dimension.
static void softmax(const Instruction &i) {
  const Tensor &x = i.operands[0];
  int64_t row = x.shape.back();
  for (int64_t at = 0; at < x.size(); at += row) {
    float top = *std::max_element(x.data + at, x.data + at + row);
    double sum = 0;
    for (int64_t k = at; k < at + row; ++k)
      sum += std::exp(double(x.data[k]) - top);
    for (int64_t k = at; k < at + row; ++k)
      i.result.data[k] = std::exp(double(x.data[k]) - top) / sum;
  }
}

static void execute(const Instruction &i) {
  const Tensor &y = i.result;
  const float *a = i.operands[0].data;
  if (i.name == "conv")
    conv(i);
  else if (i.name == "gemm")
    gemm(i);
  else if (i.name == "transpose")
    transpose(i);
  else if (i.name == "global_average_pool")
    pool(i);
  else if (i.name == "softmax")
    softmax(i);
  else if (i.name == "reshape")
    std::copy(a, a + y.size(), y.data);
  else if (i.name == "relu")
    std::transform(a, a + y.size(), y.data,
                   [](float v) { return v > 0 ? v : 0; });
  else if (i.name == "add")
    std::transform(a, a + y.size(), i.operands[1].data, y.data, std::plus());
  else
    fail("no instruction '" + i.name + "'");
}

/// Runs a listing; returns its outputs.
static std::vector<Tensor> run(StringRef listing, ArrayRef<HostTensor> inputs,
                               std::vector<float> &arena) {
  std::vector<Tensor> outputs;
  while (!listing.empty()) {
    StringRef line;
    std::tie(line, listing) = listing.split('\n');
    auto [word, rest] = line.ltrim().split(' ');
    if (word == "input") {
      ArrayRef<float> data = inputs.front().getData<float>();
      std::copy(data.begin(), data.end(), parseTensor(rest, arena).data);
      inputs = inputs.drop_front();
    } else if (word == "const") {
      auto [place, hex] = rest.split(' ');
      std::string bytes = llvm::fromHex(hex);
      memcpy(parseTensor(place, arena).data, bytes.data(), bytes.size());
    } else if (word == "output") {
      outputs.push_back(parseTensor(rest, arena));
    } else if (word != "group") {
      execute(parseInstruction(line.ltrim(), arena));
    }
  }
  return outputs;
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

template <typename T> static T take(llvm::Expected<T> value) {
  if (!value)
    fail(llvm::toString(value.takeError()));
  return std::move(*value);
}

/// The largest difference, as a part of the largest element.
static double getError(ArrayRef<float> expected, const Tensor &found) {
  double error = 0, top = 0;
  for (auto [i, value] : llvm::enumerate(expected)) {
    error = std::max(error, std::fabs(double(value) - found.data[i]));
    top = std::max(top, std::fabs(double(value)));
  }
  return top == 0 || std::isnan(error) ? INFINITY : error / top;
}

int main(int argc, char **argv) {
  if (argc < 3)
    fail("usage: toy-run MODEL LISTING [NAME=EXTENT...]");
  ImportOptions options;
  for (StringRef word : ArrayRef(argv, argc).drop_front(3))
    options.dims[word.split('=').first] =
        parseInts(word.split('=').second, ',')[0];
  auto context = createContext();
  auto module = take(loadModel(*context, argv[1], options));
  auto graph = take(getGraph(*module));
  std::vector<HostTensor> inputs;
  for (unsigned i = 0; i < graph.getNumArguments(); ++i)
    inputs.push_back(take(getRandomInput(graph, i)));
  auto expected = take(inlay::execute(*module, inputs));

  auto listing = llvm::MemoryBuffer::getFile(argv[2]);
  if (!listing)
    fail("cannot read the listing");
  std::vector<float> arena(1 << 18);
  auto found = run((*listing)->getBuffer(), inputs, arena);
  if (found.size() != expected.size())
    fail("the listing has another number of outputs");
  for (auto [want, have] : llvm::zip(expected, found)) {
    double error = getError(want.getData<float>(), have);
    llvm::outs() << have.size() << " elements, largest error " << error << '\n';
    if (!(error < 1e-5))
      return 1;
  }
  return 0;
}
