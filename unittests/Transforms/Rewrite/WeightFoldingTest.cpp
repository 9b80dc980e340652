//===- WeightFoldingTest.cpp - Folded weights compute the same ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Runtime/ModuleTesting.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace inlay;
using namespace mlir;

namespace {
/// Writes modules: an operator with random weights in f64, and behind it a
/// chain of arithmetic with constants of any shape that fits.
class Writer {
public:
  explicit Writer(std::mt19937 &random) : random(random) {}

  std::string write() {
    std::string input = startChain();
    for (unsigned i = 0, e = draw(1, 4); i != e; ++i)
      extendChain();
    return "func.func @main(%x: " + input + ") -> " + getType(shape) + " {\n" +
           body + "  return " + value + " : " + getType(shape) + "\n}\n";
  }

private:
  using Shape = std::vector<int64_t>;

  int64_t draw(int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  }

  static std::string getType(const Shape &shape) {
    std::string type = "tensor<";
    for (int64_t extent : shape)
      type += std::to_string(extent) + "x";
    return type + "f64>";
  }

  std::string makeConstant(const Shape &of, bool isPositive = false) {
    int64_t count = 1;
    for (int64_t extent : of)
      count *= extent;
    std::string bytes;
    for (int64_t i = 0; i != count; ++i) {
      double number = double(draw(1, 400)) / 100;
      if (!isPositive && draw(0, 1))
        number = -number;
      bytes += llvm::toHex(
          StringRef(reinterpret_cast<const char *>(&number), sizeof(number)));
    }
    std::string name = "%k" + std::to_string(numConstants++);
    body += "  " + name + " = inlay.constant dense<\"0x" + bytes +
            "\"> : " + getType(of) + "\n";
    return name;
  }

  void add(const std::string &op, const std::vector<std::string> &operands,
           const std::vector<Shape> &shapes, const Shape &result,
           const std::string &attributes = "") {
    std::vector<std::string> types;
    for (const Shape &each : shapes)
      types.push_back(getType(each));
    value = "%v" + std::to_string(numValues++);
    body += "  " + value + " = inlay." + op + " " + llvm::join(operands, ", ") +
            attributes + " : (" + llvm::join(types, ", ") + ") -> " +
            getType(result) + "\n";
    shape = result;
  }

  /// Adds the operator and returns the type of the graph's input.
  std::string startChain() {
    switch (draw(0, 3)) {
    case 0:
      return startConv();
    case 1:
      return startConvTranspose();
    case 2:
      return startGemm();
    default:
      return startMatMul();
    }
  }

  std::string startConv() {
    int64_t group = draw(1, 2), in = group * draw(1, 3),
            out = group * draw(1, 3);
    Shape x = {2, in, 5, 4}, w = {out, in / group, 3, 2};
    std::vector<std::string> operands = {"%x", makeConstant(w)};
    std::vector<Shape> shapes = {x, w};
    addBias(out, operands, shapes);
    features = 1;
    add("conv", operands, shapes, {2, out, 3, 3},
        " {group = " + std::to_string(group) + " : i64}");
    return getType(x);
  }

  std::string startConvTranspose() {
    int64_t group = draw(1, 2), in = group * draw(1, 3),
            out = group * draw(1, 3);
    Shape x = {2, in, 3, 3}, w = {in, out / group, 3, 2};
    std::vector<std::string> operands = {"%x", makeConstant(w)};
    std::vector<Shape> shapes = {x, w};
    addBias(out, operands, shapes);
    features = 1;
    add("conv_transpose", operands, shapes, {2, out, 5, 4},
        " {group = " + std::to_string(group) + " : i64}");
    return getType(x);
  }

  std::string startGemm() {
    int64_t in = draw(1, 4), out = draw(1, 4);
    bool isTransposed = draw(0, 1);
    Shape x = {3, in}, w = isTransposed ? Shape{out, in} : Shape{in, out};
    std::vector<std::string> operands = {"%x", makeConstant(w)};
    std::vector<Shape> shapes = {x, w};
    if (draw(0, 1)) {
      static const Shape forms[] = {{}, {1}, {1, 1}};
      int64_t form = draw(0, 5);
      Shape c = form < 3    ? forms[form]
                : form == 3 ? Shape{out}
                : form == 4 ? Shape{1, out}
                            : Shape{3, 1};
      operands.push_back(makeConstant(c));
      shapes.push_back(c);
    }
    features = 1;
    add("gemm", operands, shapes, {3, out},
        " {alpha = 0.5 : f32, beta = 0.25 : f32, transB = " +
            std::to_string(isTransposed) + " : i64}");
    return getType(x);
  }

  std::string startMatMul() {
    int64_t in = draw(1, 4), out = draw(1, 4);
    Shape x = draw(0, 1) ? Shape{3, in} : Shape{2, 3, in}, w = {in, out};
    Shape result = x;
    result.back() = out;
    features = x.size() - 1;
    add("matmul", {"%x", makeConstant(w)}, {x, w}, result);
    return getType(x);
  }

  void addBias(int64_t count, std::vector<std::string> &operands,
               std::vector<Shape> &shapes) {
    if (draw(0, 1))
      return;
    operands.push_back(makeConstant({count}));
    shapes.push_back({count});
  }

  /// One number, one per feature, or one per index of another dimension.
  Shape drawShape() {
    if (draw(0, 3) == 0)
      return draw(0, 1) ? Shape{} : Shape{1};
    Shape of(shape.size(), 1);
    size_t dim = draw(0, 4) == 0 ? draw(0, shape.size() - 1) : features;
    of[dim] = shape[dim];
    size_t dropped = draw(0, dim);
    of.erase(of.begin(), of.begin() + dropped);
    return of;
  }

  void extendChain() {
    static constexpr llvm::StringLiteral ops[] = {"mul", "div", "add", "sub"};
    if (draw(0, 3) == 0)
      return normalize();
    if (draw(0, 4) == 0)
      return transpose();
    Shape of = drawShape();
    std::string constant = makeConstant(of), before = value;
    StringRef op = ops[draw(0, 3)];
    // What is divided by may be zero.
    bool isFirst = op != "div" && draw(0, 1);
    add(op.str(),
        isFirst ? std::vector{constant, before} : std::vector{before, constant},
        isFirst ? std::vector{of, shape} : std::vector{shape, of}, shape);
  }

  void transpose() {
    std::vector<size_t> perm(shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random);
    Shape permuted;
    std::vector<std::string> places;
    for (size_t dim : perm) {
      permuted.push_back(shape[dim]);
      places.push_back(std::to_string(dim));
    }
    features = llvm::find(perm, features) - perm.begin();
    add("transpose", {value}, {shape}, permuted,
        " {perm = array<i64: " + llvm::join(places, ", ") + ">}");
  }

  void normalize() {
    Shape of = {shape.size() < 2 ? 1 : shape[1]};
    std::vector<std::string> operands = {value, makeConstant(of),
                                         makeConstant(of), makeConstant(of),
                                         makeConstant(of, true)};
    value = "%v" + std::to_string(numValues++);
    body += "  " + value + ":3 = inlay.batch_normalization " +
            llvm::join(operands, ", ") + " : (" + getType(shape) + ", " +
            llvm::join(std::vector(4, getType(of)), ", ") + ") -> (" +
            getType(shape) + ", " + getType(of) + ", " + getType(of) + ")\n";
    value += "#0";
  }

  std::mt19937 &random;
  std::string body;
  std::string value = "%x";
  Shape shape;
  size_t features = 0;
  unsigned numConstants = 0, numValues = 0;
};
} // namespace

static std::vector<double> run(ModuleOp module, func::FuncOp graph) {
  auto type = cast<RankedTensorType>(graph.getArgumentTypes()[0]);
  HostTensor input(ElementType::Double, type.getShape());
  for (int64_t i = 0; i != input.getNumElements(); ++i)
    input.setDouble(i, double((i * 37) % 101 - 50) / 16);
  auto results = execute(module, {input});
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }
  std::vector<double> values;
  for (int64_t i = 0; i != results->front().getNumElements(); ++i)
    values.push_back(results->front().getDouble(i));
  return values;
}

TEST(WeightFolding, RandomChainsComputeTheSame) {
  std::mt19937 random(7);
  std::vector<unsigned> counts(getRewrites().size());
  for (int each = 0; each != 1000; ++each) {
    std::string text = Writer(random).write();
    ParsedModule parsed(text);
    std::vector<double> before = run(parsed.get(), parsed.getGraph());
    RemovedNodes removed;
    RewriteResult result = rewriteModel(
        parsed.getGraph(), RewriteOptions::all(), Target(), removed);
    for (auto [total, count] : llvm::zip_equal(counts, result.counts))
      total += count;
    ASSERT_TRUE(succeeded(verify(parsed.get()))) << text;
    std::vector<double> after = run(parsed.get(), parsed.getGraph());
    ASSERT_EQ(before.size(), after.size());
    double range = 0;
    for (double number : before)
      range = std::max(range, std::fabs(number));
    for (auto [a, b] : llvm::zip_equal(before, after))
      ASSERT_LE(std::fabs(a - b), 1e-10 * range) << text;
    // Nothing is left to do.
    EXPECT_EQ(rewriteModel(parsed.getGraph(), RewriteOptions::all(), Target(),
                           removed)
                  .getTotal(),
              0u)
        << text;
  }
  // The test has seen what it is about.
  for (const char *name :
       {"conv-batch-norm", "conv-transpose-batch-norm", "gemm-batch-norm",
        "matmul-batch-norm", "conv-mul", "conv-div", "conv-add", "conv-sub",
        "conv-transpose-mul", "conv-transpose-sub", "gemm-mul", "gemm-add",
        "matmul-mul", "matmul-div", "matmul-add", "matmul-add-sub", "mul-mul",
        "add-sub"})
    EXPECT_GT(counts[findRewrite(name) - getRewrites().data()], 0u) << name;
}
