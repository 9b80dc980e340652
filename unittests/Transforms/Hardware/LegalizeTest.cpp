//===- LegalizeTest.cpp - Split operators compute the same ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Hardware/Legalize.h"
#include "../../Runtime/ModuleTesting.h"
#include "inlay/Runtime/Executor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace inlay;
using namespace mlir;

static std::string getType(unsigned extent) {
  return "tensor<2x" + std::to_string(extent) + "xf32>";
}

/// A Split of the input, its parts in any order and number joined again, and
/// everything of one size combined.
static std::string makeModule(std::mt19937 &random) {
  auto draw = [&](unsigned least, unsigned most) {
    return least + unsigned(random() % (most - least + 1));
  };
  std::vector<unsigned> extents(draw(1, 12));
  for (unsigned &extent : extents)
    extent = draw(0, 4);
  unsigned whole = 0;
  for (unsigned extent : extents)
    whole += extent;
  std::vector<std::string> types, sizes;
  for (unsigned extent : extents) {
    types.push_back(getType(extent));
    sizes.push_back(std::to_string(extent));
  }
  std::vector<std::string> joined, joinedTypes;
  unsigned total = 0;
  for (unsigned i = 0, e = draw(1, 14); i != e; ++i) {
    unsigned part = draw(0, extents.size() - 1);
    joined.push_back("%p#" + std::to_string(part));
    joinedTypes.push_back(types[part]);
    total += extents[part];
  }
  static constexpr llvm::StringLiteral folds[] = {"sum", "max", "min", "mean"};
  std::vector<std::string> combined(draw(1, 12), "%x"), combinedTypes;
  for (std::string &operand : combined) {
    bool isWhole = draw(0, 1);
    operand = isWhole ? "%x" : "%b";
    combinedTypes.push_back(isWhole ? getType(whole) : "tensor<2x1xf32>");
  }
  combined.back() = "%x";
  combinedTypes.back() = getType(whole);
  std::string y = getType(total), z = getType(whole);
  return "func.func @main(%x: " + z + ", %b: tensor<2x1xf32>) -> (" + y + ", " +
         z + ") {\n  %p:" + std::to_string(extents.size()) +
         " = inlay.split %x {axis = -1 : i64, split = array<i64: " +
         llvm::join(sizes, ", ") + ">} : (" + z + ") -> (" +
         llvm::join(types, ", ") + ")\n  %y = inlay.concat " +
         llvm::join(joined, ", ") + " {axis = 1 : i64} : (" +
         llvm::join(joinedTypes, ", ") + ") -> " + y + "\n  %z = inlay." +
         folds[draw(0, 3)].str() + " " + llvm::join(combined, ", ") + " : (" +
         llvm::join(combinedTypes, ", ") + ") -> " + z +
         "\n  return %y, %z : " + y + ", " + z + "\n}\n";
}

static HostTensor makeInput(ArrayRef<int64_t> shape) {
  HostTensor tensor(ElementType::Float, shape);
  for (int64_t i = 0; i != tensor.getNumElements(); ++i)
    tensor.setDouble(i, double((i * 37) % 101 - 50));
  return tensor;
}

static std::vector<double> run(ModuleOp module, func::FuncOp graph) {
  SmallVector<HostTensor> inputs;
  for (Type type : graph.getArgumentTypes())
    inputs.push_back(makeInput(cast<RankedTensorType>(type).getShape()));
  auto results = execute(module, inputs);
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

TEST(LegalizeTest, RandomModulesComputeTheSameWithinTheLimit) {
  std::mt19937 random(11);
  for (int each = 0; each != 500; ++each) {
    std::string text = makeModule(random);
    ParsedModule parsed(text);
    unsigned most = 2 + random() % 4;
    Target target;
    for (const char *op : {"Concat", "Split", "Sum", "Max", "Min", "Mean"})
      target.limits.push_back({op, most, most});
    std::vector<double> before = run(parsed.get(), parsed.getGraph());
    LegalizeResult result = legalizeLimits(parsed.getGraph(), target);
    ASSERT_TRUE(succeeded(verify(parsed.get()))) << text;
    EXPECT_TRUE(result.refusals.empty()) << text;
    ASSERT_EQ(run(parsed.get(), parsed.getGraph()), before) << text;
    parsed.get().walk([&](Operation *op) {
      if (op->getName().getDialectNamespace() != "inlay")
        return;
      EXPECT_LE(op->getNumOperands(), most) << text;
      EXPECT_LE(op->getNumResults(), most) << text;
    });
    EXPECT_EQ(legalizeLimits(parsed.getGraph(), target).numOps, 0u);
  }
}
