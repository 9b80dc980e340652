//===- AttentionExpansionTest.cpp - Attention against its expansion -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random attentions and rotations are executed twice: whole, and as what they
// consist of. Masks hide whole rows now and then.
//
//===----------------------------------------------------------------------===//

#include "ModuleTesting.h"
#include "inlay/IR/Expansion.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>
#include <random>

using namespace inlay;
using namespace mlir;

namespace {

/// A module with one composite operation, and what to feed it with.
struct Case {
  std::string text;
  std::vector<HostTensor> inputs;
};

/// Draws operands, collecting them as arguments of a function.
class CaseBuilder {
public:
  explicit CaseBuilder(unsigned seed) : generator(seed) {}

  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(generator() % uint64_t(high - low + 1));
  }
  bool chance(unsigned percent) { return generator() % 100 < percent; }
  double drawReal() { return double(generator() % 4001) / 1000 - 2; }

  static std::string getType(ArrayRef<int64_t> shape, StringRef element) {
    std::string type = "tensor<";
    for (int64_t extent : shape)
      type += std::to_string(extent) + "x";
    return type + element.str() + ">";
  }

  /// Adds an argument and returns its name.
  std::string add(const HostTensor &tensor, StringRef element) {
    std::string name = "%a" + std::to_string(inputs.size());
    std::string type = getType(tensor.getShape(), element);
    arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
    types += (types.empty() ? "" : ", ") + type;
    inputs.push_back(tensor);
    return name;
  }
  std::string addFloats(ArrayRef<int64_t> shape) {
    HostTensor tensor(ElementType::Float, shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setDouble(i, drawReal());
    return add(tensor, "f32");
  }
  std::string addInts(ArrayRef<int64_t> shape, int64_t low, int64_t high) {
    HostTensor tensor(ElementType::Int64, shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setInt(i, draw(low, high));
    return add(tensor, "i64");
  }
  std::string addMask(ArrayRef<int64_t> shape);

  /// The function that returns the first `numOutputs` of the results.
  Case finish(StringRef operation, ArrayRef<std::string> results,
              size_t numOutputs) const;

private:
  std::mt19937 generator;
  std::string arguments, types;
  std::vector<HostTensor> inputs;
};

} // namespace

std::string CaseBuilder::addMask(ArrayRef<int64_t> shape) {
  bool isBool = chance(40);
  HostTensor mask(isBool ? ElementType::Bool : ElementType::Float, shape);
  double hidden = chance(50) ? -std::numeric_limits<double>::infinity()
                             : double(std::numeric_limits<float>::lowest());
  bool hidesRow = false;
  for (int64_t i = 0; i < mask.getNumElements(); ++i) {
    if (i % shape.back() == 0)
      hidesRow = chance(20);
    bool isHidden = hidesRow || chance(30);
    mask.setDouble(i, isBool ? !isHidden : isHidden ? hidden : drawReal());
  }
  return add(mask, isBool ? "i1" : "f32");
}

Case CaseBuilder::finish(StringRef operation, ArrayRef<std::string> results,
                         size_t numOutputs) const {
  std::string all = llvm::join(results, ", ");
  std::string outputs = llvm::join(results.take_front(numOutputs), ", ");
  std::string text = "func.func @main(" + arguments + ") -> (" + outputs +
                     ") {\n  %y:" + std::to_string(results.size()) + " = " +
                     operation.str() + " : (" + types + ") -> " +
                     (results.size() == 1 ? all : "(" + all + ")") +
                     "\n  return ";
  for (size_t i = 0; i < numOutputs; ++i)
    text += (i == 0 ? "%y#" : ", %y#") + std::to_string(i);
  return {text + " : " + outputs + "\n}\n", inputs};
}

static Case drawAttention(unsigned seed) {
  CaseBuilder b(seed);
  int64_t batch = b.draw(1, 2), keyHeads = b.draw(1, 2), times = b.draw(1, 3);
  int64_t heads = keyHeads * times, queries = b.draw(1, 4), own = b.draw(1, 4);
  int64_t size = b.draw(1, 4), valueSize = b.draw(1, 4);
  bool isMerged = b.chance(50), hasPast = b.chance(30);
  int64_t past = hasPast ? b.draw(1, 3) : 0, keys = own + past;
  auto getShape = [&](int64_t heads, int64_t length, int64_t size) {
    return isMerged ? std::vector<int64_t>{batch, length, heads * size}
                    : std::vector<int64_t>{batch, heads, length, size};
  };
  std::string text =
      "inlay.attention " + b.addFloats(getShape(heads, queries, size)) + ", ";
  text += b.addFloats(getShape(keyHeads, own, size)) + ", ";
  text += b.addFloats(getShape(keyHeads, own, valueSize));
  if (b.chance(60)) {
    std::vector<int64_t> mask{
        b.chance(50) ? batch : 1, b.chance(50) ? heads : 1,
        b.chance(70) ? queries : 1, b.chance(80) ? keys : b.draw(1, keys)};
    mask.erase(mask.begin(), mask.begin() + b.draw(0, 2));
    text += " mask " + b.addMask(mask);
  }
  if (hasPast) {
    text += " past " + b.addFloats({batch, keyHeads, past, size}) + ", ";
    text += b.addFloats({batch, keyHeads, past, valueSize});
  } else if (b.chance(30)) {
    text += " lengths " + b.addInts({batch}, 0, keys);
  }
  std::string rows[] = {"zero", "softmax", "nan_to_zero"};
  text += " {masked_rows = \"" + rows[b.draw(0, 2)] + "\"";
  text +=
      ", qk_matmul_output_mode = " + std::to_string(b.draw(0, 3)) + " : i64";
  if (b.chance(40))
    text += ", is_causal = 1 : i64";
  if (b.chance(50))
    text += ", scale = 0." + std::to_string(b.draw(1, 9)) + " : f32";
  if (b.chance(30))
    text += ", softcap = 1.5 : f32";
  if (isMerged)
    text += ", q_num_heads = " + std::to_string(heads) +
            " : i64, kv_num_heads = " + std::to_string(keyHeads) + " : i64";
  text += "}";
  std::vector<std::string> results{
      CaseBuilder::getType(getShape(heads, queries, valueSize), "f32"),
      CaseBuilder::getType({batch, keyHeads, keys, size}, "f32"),
      CaseBuilder::getType({batch, keyHeads, keys, valueSize}, "f32"),
      CaseBuilder::getType({batch, heads, queries, keys}, "f32")};
  return b.finish(text, results, b.chance(50) ? 4 : 1);
}

static Case drawRotation(unsigned seed) {
  CaseBuilder b(seed);
  int64_t batch = b.draw(1, 2), heads = b.draw(1, 3), length = b.draw(1, 4);
  int64_t size = 2 * b.draw(1, 4), rows = length + b.draw(0, 3);
  int64_t dim = b.chance(40) ? 2 * b.draw(1, size / 2) : 0;
  int64_t half = (dim == 0 ? size : dim) / 2;
  bool isMerged = b.chance(50), looksUp = b.chance(50);
  std::vector<int64_t> shape =
      isMerged ? std::vector<int64_t>{batch, length, heads * size}
               : std::vector<int64_t>{batch, heads, length, size};
  std::vector<int64_t> cache = looksUp
                                   ? std::vector<int64_t>{rows, half}
                                   : std::vector<int64_t>{batch, length, half};
  std::string text = "inlay.rotary_embedding " + b.addFloats(shape) + ", ";
  text += b.addFloats(cache) + ", ";
  text += b.addFloats(cache);
  if (looksUp)
    text += " at " + b.addInts({batch, length}, 0, rows - 1);
  text += " {rotary_embedding_dim = " + std::to_string(dim) +
          " : i64, interleaved = " + std::to_string(b.draw(0, 1)) + " : i64";
  if (isMerged)
    text += ", num_heads = " + std::to_string(heads) + " : i64";
  return b.finish(text + "}", {CaseBuilder::getType(shape, "f32")}, 1);
}

static std::vector<HostTensor> run(ParsedModule &module, const Case &test) {
  auto outputs = execute(module.get(), test.inputs);
  if (outputs)
    return std::vector<HostTensor>(outputs->begin(), outputs->end());
  ADD_FAILURE() << describe(outputs.takeError()).second << "\n" << test.text;
  return {};
}

/// Replaces the composite operation; false where it does not expand.
static bool expandIn(ParsedModule &module) {
  Operation &composite = module.getGraph().front().front();
  Expansion expansion(&composite);
  if (failed(expand(expansion)))
    return false;
  replaceByExpansion(expansion);
  return succeeded(verify(module.get()));
}

static void expectExpansionAgrees(const Case &test) {
  ParsedModule whole(test.text), parts(test.text);
  ASSERT_TRUE(expandIn(parts)) << test.text;
  std::vector<HostTensor> expected = run(whole, test), found = run(parts, test);
  ASSERT_EQ(expected.size(), found.size());
  for (auto [a, b] : llvm::zip_equal(expected, found)) {
    // Sums of few elements next to each other.
    TensorComparison result = compareTensors("y", a, b, {1e-5, true});
    EXPECT_TRUE(result.isEqual)
        << result.reason << " error " << result.maxAbsError << "\n"
        << test.text;
  }
}

TEST(AttentionExpansion, AgreesWithTheWhole) {
  for (unsigned seed = 0; seed != 1500; ++seed)
    expectExpansionAgrees(drawAttention(seed));
}

TEST(RotaryEmbeddingExpansion, AgreesWithTheWhole) {
  for (unsigned seed = 0; seed != 500; ++seed)
    expectExpansionAgrees(drawRotation(seed));
}
