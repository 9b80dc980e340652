//===- PlanTest.cpp - Plans of models' products, and their loops ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every distinct product of the models is planned for three machines, whichever
// this one is, and the plan has to be what rules give. Of those whose blocks
// are alike one is compiled: its loops hold the sums of the block, all products
// are fused and nothing leaves the registers.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "AssemblyLoops.h"
#include "PlanRules.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/KernelCode.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace inlay;
using namespace inlay::testing;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {
/// Kernels of the models that deviate from the rules, and why.
using Deviations = std::map<Deviation, unsigned>;

struct PlanTarget {
  const char *name, *triple, *cpu;
  RuleMachine rules;
  Deviations deviations;
  bool isArm() const { return rules.byLane; }
  Machine getMachine() const;
};

/// A kernel that nobody has compiled.
struct PlannedKernel {
  KernelCode code;
  OwningOpRef<ModuleOp> module;
};

void PrintTo(const PlanTarget &target, std::ostream *os) { *os << target.cpu; }

class ModelPlans : public ::testing::TestWithParam<PlanTarget> {
protected:
  ModelPlans() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
    registerElementCode(context);
  }

  std::optional<PlannedKernel> plan(const ModelProduct &product);

  mlir::MLIRContext context;
};
} // namespace

/// The CPU that the rules were measured on is one of a level: without SVE.
Machine PlanTarget::getMachine() const {
  Machine machine = llvm::cantFail(
      Machine::get(triple, isArm() ? llvm::StringRef("armv8-a") : cpu));
  if (isArm()) {
    machine.cpu = cpu;
    machine.features = "-sve,-sve2";
  }
  return machine;
}

std::optional<PlannedKernel> ModelPlans::plan(const ModelProduct &product) {
  auto module =
      mlir::parseSourceString<ModuleOp>(product.getFunction(), &context);
  if (!module)
    return std::nullopt;
  makeKernels(*module);
  mlir::Block &block = llvm::cantFail(getGraph(*module)).getBody().front();
  mlir::Operation *step = block.getTerminator()->getOperand(0).getDefiningOp();
  PlannedKernel kernel;
  kernel.module = ModuleOp::create(step->getLoc());
  auto code = emitKernel(step, *kernel.module, "kernel",
                         {GetParam().getMachine().unit, {}});
  if (!code)
    return std::nullopt;
  kernel.code = std::move(*code);
  return kernel;
}

static std::string describe(const ModelProduct &product,
                            const KernelCode &code) {
  return product.text + ": " + code.templateName.str() + ", " + code.plan +
         " " + code.reason;
}

TEST_P(ModelPlans, KeepTheRules) {
  std::vector<ModelProduct> products = readModelProducts();
  ASSERT_GT(products.size(), 600u);
  Deviations found;
  for (const ModelProduct &product : products) {
    auto kernel = plan(product);
    ASSERT_TRUE(kernel) << product.text;
    auto facts = PlanFacts::read(kernel->code.templateName, kernel->code.plan);
    ASSERT_TRUE(facts) << describe(product, kernel->code);
    Verdict verdict = judge(product, *facts, GetParam().rules);
    EXPECT_EQ(verdict.error, "") << describe(product, kernel->code);
    if (facts->kind != PlanFacts::Window)
      EXPECT_LE(countRegisters(*facts, GetParam().rules),
                GetParam().rules.registers)
          << describe(product, kernel->code);
    for (Deviation own : verdict.deviations)
      ++found[own];
  }
  // One that is not there any more is struck out here.
  for (auto [deviation, count] : GetParam().deviations)
    EXPECT_EQ(found[deviation], count) << getName(deviation).str();
  for (auto [deviation, count] : found)
    EXPECT_TRUE(GetParam().deviations.count(deviation))
        << getName(deviation).str() << " " << count;
}

/// What decides how the loops of a kernel look.
static std::string getLoopKey(const ModelProduct &product,
                              const KernelCode &code, const PlanFacts &facts) {
  bool isCopied = llvm::StringRef(code.plan).contains("copied");
  return llvm::formatv("{0} {1}x{2} {3} {4} {5} {6} {7}", code.templateName,
                       facts.blockRows, facts.blockColumns, facts.isPacked,
                       isCopied, product.isNchw, product.transA,
                       facts.kind == PlanFacts::Window ? product.b.back() : 0);
}

/// Turns of the sum that a loop has where rows are not vectors.
static unsigned countTurns(const PlanFacts &facts, unsigned sums,
                           const RuleMachine &machine) {
  bool hasRoom = int64_t(sums) + 5 <= machine.registers;
  return facts.kind == PlanFacts::Product && machine.hasPairsOfTurns && hasRoom
             ? 2
             : 1;
}

/// The innermost loop that a plan promises: as many sums as the block has, over
/// a turn of the sum, two or four of them, or a line of a window.
static bool isPromised(const ProductLoop &loop, const ModelProduct &product,
                       const PlanFacts &facts, const RuleMachine &machine) {
  PlanFacts own = facts;
  if (facts.kind == PlanFacts::Product)
    own.blockColumns = std::min<int64_t>(
        own.blockColumns, llvm::alignTo(own.columns, machine.lanes));
  if (facts.kind == PlanFacts::Tiles)
    own.blockColumns = std::min<int64_t>(
        own.blockColumns, llvm::alignTo(product.b[0], machine.lanes));
  unsigned sums = countSums(own, machine);
  unsigned turns = facts.kind == PlanFacts::Window ? product.b.back()
                   : machine.byLane && loop.products != sums
                       ? 4
                       : countTurns(own, sums, machine);
  return loop.sums == sums && loop.products == turns * sums;
}

/// Whether columns are asked for ahead: of few rows, or more than stay in a
/// cache.
static bool comeFromMemory(const PlanFacts &facts) {
  return facts.rows <= 1024 || 4 * facts.terms * facts.columns > 1 << 20;
}

TEST_P(ModelPlans, KeepSumsInRegisters) {
  std::set<std::string> seen;
  for (const ModelProduct &product : readModelProducts()) {
    auto kernel = plan(product);
    ASSERT_TRUE(kernel) << product.text;
    auto facts = PlanFacts::read(kernel->code.templateName, kernel->code.plan);
    ASSERT_TRUE(facts);
    if (!seen.insert(getLoopKey(product, kernel->code, *facts)).second)
      continue;
    if (kernel->code.packing)
      kernel->module->lookupSymbol(kernel->code.packing->name)->erase();
    auto text = NativeKernels::printAssembly(std::move(kernel->module),
                                             GetParam().getMachine());
    ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
    if (facts->kind == PlanFacts::Product && !GetParam().isArm())
      EXPECT_EQ(llvm::StringRef(*text).contains("prefetcht1"),
                comeFromMemory(*facts))
          << describe(product, kernel->code);
    bool isThere = false;
    for (const ProductLoop &loop :
         findProductLoops(*text, GetParam().isArm())) {
      if (loop.sums != 0) {
        for (const std::string &line : loop.spills)
          ADD_FAILURE() << describe(product, kernel->code)
                        << " spills: " << line;
        EXPECT_EQ(loop.scalarReloads, 0u) << describe(product, kernel->code);
      }
      for (const std::string &line : loop.splits)
        ADD_FAILURE() << describe(product, kernel->code)
                      << " does not fuse: " << line;
      isThere |= isPromised(loop, product, *facts, GetParam().rules);
    }
    // A single sum may go from register to register.
    isThere |= facts->kind == PlanFacts::Window && facts->blockRows == 1;
    EXPECT_TRUE(isThere) << describe(product, kernel->code);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, ModelPlans,
    ::testing::Values(PlanTarget{"NeoverseV1",
                                 "aarch64-linux-gnu",
                                 "neoverse-v1",
                                 {4, 32, true},
                                 {{Deviation::Lines, 94},
                                  {Deviation::LongSums, 4},
                                  {Deviation::Width, 13},
                                  {Deviation::Taps, 2},
                                  {Deviation::OtherTiles, 1},
                                  {Deviation::NarrowPictures, 8},
                                  {Deviation::AllChannels, 39}}},
                      PlanTarget{"Avx2",
                                 "x86_64-linux-gnu",
                                 "x86-64-v3",
                                 {8, 16, false},
                                 {{Deviation::Lines, 95},
                                  {Deviation::Width, 86},
                                  {Deviation::Taps, 1},
                                  {Deviation::OtherTiles, 1},
                                  {Deviation::NarrowPictures, 8}}},
                      PlanTarget{"Avx512",
                                 "x86_64-linux-gnu",
                                 "x86-64-v4",
                                 {16, 32, false, true, true},
                                 {{Deviation::Lines, 31},
                                  {Deviation::Slices, 16},
                                  {Deviation::Width, 308},
                                  {Deviation::Taps, 1},
                                  {Deviation::OtherTiles, 1},
                                  {Deviation::FewChannels, 4},
                                  {Deviation::NarrowPictures, 8},
                                  {Deviation::AllChannels, 2}}}),
    [](const auto &info) { return std::string(info.param.name); });
