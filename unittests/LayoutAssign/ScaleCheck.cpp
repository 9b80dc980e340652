//===- ScaleCheck.cpp - How long a deep residual network takes ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: inlay-layout-scale COUNT
//
// Builds residual networks of COUNT operators and prints how long it takes to
// build and to solve them, with and without presolve.
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/Optimal.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <ctime>

using namespace inlay;

namespace {

/// Seconds of this process's own, whatever else the machine does.
double getSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Blocks x + f(x), where f is a transpose, an elementwise operator, and every
/// few blocks a key operator that wants a certain label, then a transpose back.
LayoutProblem makeResidualNetwork(unsigned numOps, unsigned keyEvery) {
  LayoutProblem problem;
  auto addValue = [&](VarId producer, llvm::ArrayRef<LabelId> labels) {
    Cost cost{1024 * uint64_t(1 + producer % 7), 1};
    NetId net = problem.addNet({cost, cost});
    problem.setProducer(net, producer, labels);
    return net;
  };
  auto addOp = [&](llvm::ArrayRef<NetId> operands,
                   llvm::ArrayRef<LabelId> result) {
    VarId var = problem.addVariable(2);
    for (NetId operand : operands)
      problem.addUse(operand, var, {0, 1});
    return addValue(var, result);
  };
  NetId x = addValue(problem.addVariable(1), {0});
  for (unsigned block = 0; problem.getNumVariables() < numOps; ++block) {
    NetId y = addOp({x}, {1, 0});
    if (block % keyEvery == 0) {
      VarId key = problem.addVariable(1);
      LabelId wanted = block % 3 != 0;
      problem.addUse(y, key, {wanted});
      y = addValue(key, {wanted});
    } else {
      y = addOp({y}, {0, 1});
    }
    y = addOp({y}, {1, 0});
    x = addOp({x, y}, {0, 1});
  }
  problem.addUse(x, problem.addVariable(1), {0});
  return problem;
}

void measure(unsigned numOps, unsigned keyEvery, bool presolve) {
  double start = getSeconds();
  LayoutProblem problem = makeResidualNetwork(numOps, keyEvery);
  double built = getSeconds() - start;
  SolverOptions options;
  options.presolve = presolve;
  start = getSeconds();
  OptimalResult result = solveOptimal(problem, options);
  double solved = getSeconds() - start;
  const Certificate &certificate = result.certificate;
  llvm::outs() << problem.getNumVariables() << " variables, a key operator in "
               << keyEvery << " blocks, presolve " << (presolve ? "on" : "off")
               << ": built in " << llvm::format("%.2f", built)
               << " s, solved in " << llvm::format("%.2f", solved) << " s; "
               << certificate.best.bytes << " bytes in "
               << certificate.best.count
               << (certificate.isOptimal() ? ", optimal, " : ", not proved, ")
               << certificate.numPresolved << " of "
               << certificate.numFreeVariables << " presolved, "
               << certificate.numComponents << " components, treewidth "
               << certificate.largestTreewidth << "\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: inlay-layout-scale COUNT\n";
    return 2;
  }
  unsigned numOps = std::strtoul(argv[1], nullptr, 10);
  for (unsigned keyEvery : {1u, 4u, 1000000000u})
    for (bool presolve : {true, false})
      measure(numOps, keyEvery, presolve);
  return 0;
}
