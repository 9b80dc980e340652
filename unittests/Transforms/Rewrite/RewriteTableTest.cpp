//===- RewriteTableTest.cpp - The table of rewrites and its switches ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Runtime/ModuleTesting.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;
using namespace mlir;

TEST(RewriteTable, EveryRewriteIsAnEquationOfAnOperation) {
  MLIRContext context;
  context.loadDialect<InlayDialect>();
  llvm::StringSet<> names;
  ASSERT_FALSE(getRewrites().empty());
  for (const Rewrite &rewrite : getRewrites()) {
    EXPECT_TRUE(names.insert(rewrite.name).second) << rewrite.name.str();
    EXPECT_EQ(
        rewrite.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
        StringRef::npos)
        << rewrite.name.str();
    EXPECT_FALSE(rewrite.name.starts_with("-"));
    EXPECT_FALSE(rewrite.name == "on" || rewrite.name == "off");
    EXPECT_TRUE(rewrite.equation.contains(" = ")) << rewrite.name.str();
    for (StringRef root : llvm::split(rewrite.root, ' '))
      EXPECT_TRUE(RegisteredOperationName::lookup(root, &context))
          << root.str();
    EXPECT_EQ(findRewrite(rewrite.name), &rewrite);
  }
}

static std::vector<std::string> getNames(StringRef text) {
  auto options = parseRewrites(text);
  if (!options) {
    ADD_FAILURE() << llvm::toString(options.takeError());
    return {};
  }
  std::vector<std::string> names;
  for (auto [rewrite, isOn] : llvm::zip_equal(getRewrites(), options->isOn))
    if (isOn)
      names.push_back(rewrite.name.str());
  return names;
}

TEST(RewriteTable, SwitchesAllSomeOrNone) {
  EXPECT_EQ(getNames("on").size(), getRewrites().size());
  EXPECT_TRUE(getNames("off").empty());
  EXPECT_TRUE(parseRewrites("off")->isNone());
  EXPECT_EQ(getNames("conv-mul, conv-batch-norm"),
            (std::vector<std::string>{"conv-batch-norm", "conv-mul"}));
  std::vector<std::string> others = getNames("-conv-mul,-conv-batch-norm");
  EXPECT_EQ(others.size(), getRewrites().size() - 2);
  EXPECT_FALSE(llvm::is_contained(others, "conv-mul"));
}

TEST(RewriteTable, RefusesWhatItDoesNotKnow) {
  auto getError = [](StringRef text) {
    auto options = parseRewrites(text);
    return options ? std::pair(ExitCode::Success, std::string())
                   : describe(options.takeError());
  };
  EXPECT_EQ(getError("conv-mull"),
            std::pair(ExitCode::Usage,
                      std::string("unknown rewrite 'conv-mull', did you mean "
                                  "'conv-mul'?")));
  EXPECT_EQ(getError("-conv-mull").first, ExitCode::Usage);
  EXPECT_EQ(getError("").first, ExitCode::Usage);
  EXPECT_EQ(getError("conv-mul,").first, ExitCode::Usage);
  EXPECT_EQ(getError("on,off").first, ExitCode::Usage);
  EXPECT_EQ(getError("conv-mul,-conv-add").first, ExitCode::Usage);
}

//===----------------------------------------------------------------------===//
// Rewrites that others add
//===----------------------------------------------------------------------===//

// Pattern: Sign(Sign(x)) = Sign(x)
static bool mergeSigns(Operation *root, RewriteContext &context) {
  auto inner = root->getOperand(0).getDefiningOp<SignOp>();
  if (!inner)
    return context.refuse("its input is no Sign");
  context.replace(root, inner.getResult());
  return true;
}

static constexpr Rewrite twoSigns = {"two-signs", "Sign(Sign(x)) = Sign(x)",
                                     "inlay.sign", mergeSigns,
                                     /*rounds=*/false};

static unsigned countTwoSigns(StringRef rewrites) {
  MLIRContext context;
  context.loadDialect<InlayDialect, func::FuncDialect>();
  registerEvaluation(context);
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %a = inlay.sign %x : (tensor<4xf32>) -> tensor<4xf32>
      %b = inlay.sign %a : (tensor<4xf32>) -> tensor<4xf32>
      return %b : tensor<4xf32>
    })",
                                            &context);
  auto options = parseRewrites(rewrites);
  if (!module || !options) {
    llvm::consumeError(options.takeError());
    return 0;
  }
  RemovedNodes removed;
  return rewriteModel(*module->getOps<func::FuncOp>().begin(), *options,
                      Target(), removed)
      .getTotal();
}

TEST(RewriteTable, ARewriteFromOutsideIsAppliedAndSwitchedLikeOthers) {
  EXPECT_EQ(countTwoSigns("on"), 0u);
  EXPECT_FALSE(bool(registerRewrite(twoSigns)));
  EXPECT_EQ(countTwoSigns("on"), 1u);
  EXPECT_EQ(countTwoSigns("two-signs"), 1u);
  EXPECT_EQ(countTwoSigns("-two-signs"), 0u);
}

TEST(RewriteTable, ANameIsTakenOnce) {
  Rewrite again = twoSigns;
  again.name = "conv-mul";
  EXPECT_EQ(llvm::toString(registerRewrite(again)),
            "there is a rewrite 'conv-mul' already");
}
