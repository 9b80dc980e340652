//===- CompositeOperatorsTest.cpp - What is recognised is the same --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas of composite operators with random faults: whatever is recognised
// in them, the results must stay. A formula is a list of steps; a fault is
// another operand, operator or number, two operands exchanged, or a value that
// is needed elsewhere.
//
//===----------------------------------------------------------------------===//

#include "../../Runtime/ModuleTesting.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <random>

using namespace inlay;
using namespace mlir;

namespace {
/// %name = inlay.op operands; a number has no operands.
struct Step {
  std::string name;
  std::string op;
  std::vector<std::string> operands;
  double number = 0;
};
using Formula = std::vector<Step>;

/// Names say the type: %m... is a statistic, %p... a parameter, %k... a number.
std::string getType(StringRef name) {
  switch (name[1]) {
  case 'm':
    return "tensor<2x3x1xf32>";
  case 'p':
    return "tensor<8xf32>";
  case 'k':
    return "tensor<f32>";
  default:
    return "tensor<2x3x8xf32>";
  }
}

class Faults {
public:
  explicit Faults(std::mt19937 &random) : random(random) {}

  void add(Formula &formula) {
    Step &step = formula[draw(formula.size())];
    if (step.operands.empty())
      return changeNumber(step);
    switch (draw(3)) {
    case 0:
      return std::swap(step.operands.front(), step.operands.back());
    case 1:
      return changeOperand(formula, step);
    default:
      return changeOperator(step);
    }
  }

  unsigned draw(size_t count) { return unsigned(random() % count); }

private:
  void changeNumber(Step &step) {
    static constexpr double factors[] = {1.000001, 1.001, 1.1, 2, -1};
    step.number *= factors[draw(std::size(factors))];
  }

  /// Another value of the same type from before.
  void changeOperand(const Formula &formula, Step &step) {
    std::string &operand = step.operands[draw(step.operands.size())];
    std::vector<std::string> others = {operand[1] == 'p' ? "%pb" : "%x"};
    if (operand[1] != 'p')
      others.push_back("%z");
    for (const Step &other : formula) {
      if (&other == &step)
        break;
      others.push_back(other.name);
    }
    std::string choice = others[draw(others.size())];
    if (getType(choice) == getType(operand))
      operand = choice;
  }

  void changeOperator(Step &step) {
    static const std::vector<std::vector<std::string>> alike = {
        {"add", "sub", "mul", "div"},
        {"sqrt", "exp", "neg", "erf", "tanh", "sigmoid", "softplus", "abs"},
        {"reduce_mean", "reduce_sum", "reduce_max"}};
    for (const auto &ops : alike)
      if (llvm::is_contained(ops, step.op))
        step.op = ops[draw(ops.size())];
  }

  std::mt19937 &random;
};
} // namespace

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

static Step number(const char *name, double value) {
  return {name, "", {}, value};
}

static const Formula halvedErf = {
    number("%k0", 1.4142135),    number("%k1", 1),
    number("%k2", 0.5),          {"%0", "div", {"%x", "%k0"}},
    {"%1", "erf", {"%0"}},       {"%2", "add", {"%1", "%k1"}},
    {"%3", "mul", {"%x", "%2"}}, {"%4", "mul", {"%3", "%k2"}}};

static const Formula halvedTanh = {number("%k0", 0.7978846),
                                   number("%k1", 0.044715),
                                   number("%k2", 1),
                                   number("%k3", 0.5),
                                   number("%k4", 3),
                                   {"%0", "pow", {"%x", "%k4"}},
                                   {"%1", "mul", {"%0", "%k1"}},
                                   {"%2", "add", {"%x", "%1"}},
                                   {"%3", "mul", {"%2", "%k0"}},
                                   {"%4", "tanh", {"%3"}},
                                   {"%5", "add", {"%4", "%k2"}},
                                   {"%6", "mul", {"%x", "%k3"}},
                                   {"%7", "mul", {"%6", "%5"}}};

static const Formula gated = {number("%k0", 1.702),
                              {"%0", "mul", {"%x", "%k0"}},
                              {"%1", "sigmoid", {"%0"}},
                              {"%2", "mul", {"%x", "%1"}}};

static const Formula softplus = {{"%0", "softplus", {"%x"}},
                                 {"%1", "tanh", {"%0"}},
                                 {"%2", "mul", {"%x", "%1"}}};

static const Formula ramp = {number("%k0", 3),
                             number("%k1", 6),
                             number("%k2", 0),
                             {"%0", "add", {"%x", "%k0"}},
                             {"%1", "max", {"%0", "%k2"}},
                             {"%2", "min", {"%1", "%k1"}},
                             {"%3", "mul", {"%x", "%2"}},
                             {"%4", "div", {"%3", "%k1"}}};

static const Formula exponentials = {{"%m0", "reduce_max", {"%x"}},
                                     {"%0", "sub", {"%x", "%m0"}},
                                     {"%1", "exp", {"%0"}},
                                     {"%m1", "reduce_sum", {"%1"}},
                                     {"%2", "div", {"%1", "%m1"}}};

static const Formula logarithm = {
    {"%m0", "reduce_max", {"%x"}}, {"%0", "sub", {"%x", "%m0"}},
    {"%1", "exp", {"%0"}},         {"%m1", "reduce_sum", {"%1"}},
    {"%m2", "log", {"%m1"}},       {"%2", "sub", {"%0", "%m2"}}};

static const Formula centered = {
    number("%k0", 0.001),           {"%m0", "reduce_mean", {"%x"}},
    {"%0", "sub", {"%x", "%m0"}},   {"%1", "mul", {"%0", "%0"}},
    {"%m1", "reduce_mean", {"%1"}}, {"%m2", "add", {"%m1", "%k0"}},
    {"%m3", "sqrt", {"%m2"}},       {"%2", "div", {"%0", "%m3"}},
    {"%3", "mul", {"%2", "%ps"}},   {"%4", "add", {"%3", "%pb"}}};

static const Formula rooted = {
    number("%k0", 0.001),           number("%k1", 2),
    {"%0", "pow", {"%x", "%k1"}},   {"%m0", "reduce_mean", {"%0"}},
    {"%m1", "add", {"%m0", "%k0"}}, {"%m2", "sqrt", {"%m1"}},
    {"%m3", "reciprocal", {"%m2"}}, {"%1", "mul", {"%x", "%m3"}},
    {"%2", "mul", {"%ps", "%1"}}};

static const Formula multipliedOut = {
    number("%k0", 0.001),           {"%m0", "reduce_mean", {"%x"}},
    {"%0", "sub", {"%x", "%m0"}},   {"%1", "mul", {"%0", "%0"}},
    {"%m1", "reduce_mean", {"%1"}}, {"%m2", "add", {"%m1", "%k0"}},
    {"%m3", "sqrt", {"%m2"}},       {"%m4", "reciprocal", {"%m3"}},
    {"%2", "mul", {"%m4", "%ps"}},  {"%3", "mul", {"%x", "%2"}},
    {"%4", "mul", {"%m0", "%2"}},   {"%5", "sub", {"%pb", "%4"}},
    {"%6", "add", {"%3", "%5"}}};

//===----------------------------------------------------------------------===//
// Before and after
//===----------------------------------------------------------------------===//

/// The formula as a function of its result and of `also`, which may be the
/// same.
static std::string write(const Formula &formula, const std::string &also) {
  std::string text = "func.func @main(%x: tensor<2x3x8xf32>, %z: "
                     "tensor<2x3x8xf32>, %ps: tensor<8xf32>, %pb: "
                     "tensor<8xf32>) -> (tensor<2x3x8xf32>, " +
                     getType(also) + ") {\n";
  for (const Step &step : formula) {
    text += "  " + step.name + " = inlay.";
    if (step.operands.empty()) {
      text +=
          "constant dense<" + std::to_string(step.number) + "> : tensor<f32>\n";
      continue;
    }
    std::vector<std::string> types;
    for (const std::string &operand : step.operands)
      types.push_back(getType(operand));
    bool isReduction = StringRef(step.op).starts_with("reduce");
    text += step.op + " " + llvm::join(step.operands, ", ") +
            (isReduction ? " {axes = array<i64: -1>}" : "") + " : (" +
            llvm::join(types, ", ") + ") -> " + getType(step.name) + "\n";
  }
  return text + "  return " + formula.back().name + ", " + also +
         " : tensor<2x3x8xf32>, " + getType(also) + "\n}\n";
}

static HostTensor makeInput(ArrayRef<int64_t> shape, int seed) {
  HostTensor input(ElementType::Float, shape);
  for (int64_t i = 0; i != input.getNumElements(); ++i)
    input.setDouble(i, double((i * 37 + seed) % 101 - 50) / 16);
  return input;
}

static std::vector<double> run(ModuleOp module) {
  auto results =
      execute(module, {makeInput({2, 3, 8}, 0), makeInput({2, 3, 8}, 13),
                       makeInput({8}, 29), makeInput({8}, 71)});
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }
  std::vector<double> values;
  for (const HostTensor &result : *results)
    for (int64_t i = 0; i != result.getNumElements(); ++i)
      values.push_back(result.getDouble(i));
  return values;
}

/// Of numbers that are finite before; of others a formula with faults may have
/// more than an operator.
static void expectSame(ArrayRef<double> before, ArrayRef<double> after,
                       const std::string &text) {
  double range = 0;
  for (double number : before)
    if (std::isfinite(number))
      range = std::max(range, std::fabs(number));
  ASSERT_EQ(before.size(), after.size());
  for (auto [a, b] : llvm::zip_equal(before, after))
    if (std::isfinite(a)) {
      ASSERT_LE(std::fabs(a - b), 3e-5 * range) << text;
    }
}

TEST(CompositeOperators, FormulasWithFaultsComputeTheSame) {
  const Formula *formulas[] = {&halvedErf, &halvedTanh,   &gated,     &softplus,
                               &ramp,      &exponentials, &logarithm, &centered,
                               &rooted,    &multipliedOut};
  std::mt19937 random(11);
  Faults faults(random);
  std::vector<unsigned> counts(getRewrites().size());
  for (int each = 0; each != 3000; ++each) {
    Formula formula = *formulas[each % std::size(formulas)];
    for (unsigned i = 0, e = faults.draw(3); i != e; ++i)
      faults.add(formula);
    std::string also = faults.draw(3) == 0
                           ? formula[faults.draw(formula.size())].name
                           : formula.back().name;
    std::string text = write(formula, also);
    ParsedModule parsed(text);
    std::vector<double> before = run(parsed.get());
    RemovedNodes removed;
    RewriteResult result = rewriteModel(
        parsed.getGraph(), RewriteOptions::all(), Target(), removed);
    for (auto [total, count] : llvm::zip_equal(counts, result.counts))
      total += count;
    ASSERT_TRUE(succeeded(verify(parsed.get()))) << text;
    ASSERT_NO_FATAL_FAILURE(expectSame(before, run(parsed.get()), text));
    // Nothing is left to do.
    EXPECT_EQ(rewriteModel(parsed.getGraph(), RewriteOptions::all(), Target(),
                           removed)
                  .getTotal(),
              0u)
        << text;
  }
  // The test has seen what it is about.
  for (const char *name : {"gelu", "gelu-tanh", "swish", "mish", "hard-swish",
                           "softmax", "log-softmax", "layer-norm", "rms-norm",
                           "layer-norm-shifted", "norm-scale", "norm-bias"})
    EXPECT_GT(counts[findRewrite(name) - getRewrites().data()], 50u) << name;
}
