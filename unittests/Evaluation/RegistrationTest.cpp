//===- RegistrationTest.cpp - Which operators are evaluated ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace mlir;

/// What stands for unknown operators, and what ends a subgraph.
static const llvm::StringSet<> notEvaluated = {"inlay.opaque", "inlay.yield"};

static void expectAllButAFew(MLIRContext &context) {
  unsigned numOperators = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != InlayDialect::getDialectNamespace())
      continue;
    ++numOperators;
    EXPECT_NE(name.hasInterface<EvaluateOpInterface>(),
              notEvaluated.contains(name.getStringRef()))
        << name.getStringRef().str();
  }
  EXPECT_GE(numOperators, 150u);
}

TEST(EvaluationRegistration, IsOfAllOperatorsButAFew) {
  MLIRContext context;
  context.loadDialect<InlayDialect>();
  registerEvaluation(context);
  expectAllButAFew(context);
}

TEST(EvaluationRegistration, MayComeBeforeTheDialect) {
  DialectRegistry registry;
  registry.insert<InlayDialect>();
  registerEvaluation(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  expectAllButAFew(context);
}

TEST(EvaluationRegistration, MayHappenTwice) {
  MLIRContext context;
  registerEvaluation(context);
  context.loadDialect<InlayDialect>();
  registerEvaluation(context);
  expectAllButAFew(context);
}

namespace {
/// A graph of one operation that is evaluated and one that is not.
struct Graph {
  explicit Graph(bool hasEvaluation) {
    context.loadDialect<InlayDialect, func::FuncDialect>();
    if (hasEvaluation)
      registerEvaluation(context);
    module = parseSourceString<ModuleOp>(R"(
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %a = inlay.neg %x : (tensor<2xf32>) -> tensor<2xf32>
        %b = inlay.opaque "com.acme::Swirl"(%a)
            : (tensor<2xf32>) -> tensor<2xf32>
        return %b : tensor<2xf32>
      })",
                                         &context);
    EXPECT_TRUE(module);
  }

  template <typename OpT> Operation *get() {
    Operation *found = nullptr;
    module->walk([&](OpT op) { found = op; });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST(EvaluationRegistration, MakesOperatorsCompute) {
  Graph graph(/*hasEvaluation=*/true);
  auto op = cast<EvaluateOpInterface>(graph.get<NegOp>());
  EXPECT_TRUE(op.isUnambiguous());
  HostTensor x = HostTensor::get<float>(ElementType::Float, {2}, {1, -2});
  Evaluation evaluation(op, x);
  ASSERT_FALSE(bool(op.evaluate(evaluation)));
  EXPECT_EQ(evaluation.getResults()[0].getData<float>(),
            llvm::ArrayRef<float>({-1, 2}));
  EXPECT_FALSE(isa<EvaluateOpInterface>(graph.get<OpaqueOp>()));
}

TEST(EvaluationRegistrationDeathTest, IsMissed) {
  Graph graph(/*hasEvaluation=*/false);
  EXPECT_DEATH(isa<EvaluateOpInterface>(graph.get<NegOp>()),
               "call registerEvaluation");
}
