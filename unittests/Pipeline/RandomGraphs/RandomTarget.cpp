//===- RandomTarget.cpp - Target files with random pipelines --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomTarget.h"
#include "inlay/IR/OpTypes.h"
#include "llvm/ADT/StringExtras.h"
#include <random>
#include <set>

using namespace inlay;
using namespace inlay::testing;

namespace {
/// Writes files; not all of them are valid.
class TargetWriter {
public:
  TargetWriter(uint64_t seed, std::vector<std::string> opTypes)
      : random(seed), opTypes(std::move(opTypes)) {}

  std::string write();

private:
  unsigned draw(unsigned bound) { return random() % bound; }
  bool chance(unsigned percent) { return draw(100) < percent; }
  std::string writeOp(const std::string &type);
  std::string writeStage(unsigned stage, unsigned numStages);
  std::string writeLimits();

  std::mt19937_64 random;
  std::vector<std::string> opTypes;
};
} // namespace

std::string TargetWriter::writeOp(const std::string &type) {
  std::string predicates;
  if (chance(15))
    predicates += ", rank: [" + std::to_string(draw(3)) + ", " +
                  std::to_string(3 + draw(3)) + "]";
  if (chance(10))
    predicates += ", types: [f32, f64, i64]";
  if (chance(15))
    predicates += ", operand: [constant, scalar, channel]";
  else if (chance(10))
    predicates += ", operand: [same, scalar]";
  return predicates.empty() ? type : "{op: " + type + predicates + "}";
}

std::string TargetWriter::writeStage(unsigned stage, unsigned numStages) {
  std::vector<std::string> ops;
  for (const std::string &type : opTypes)
    if (draw(numStages) == 0 || (stage == 0 && chance(20)))
      ops.push_back(writeOp(type));
  std::string text = "    s" + std::to_string(stage) + ": {ops: [" +
                     llvm::join(ops, ", ") + "]";
  if (ops.empty())
    text =
        "    s" + std::to_string(stage) + ": {ops: [" + opTypes.front() + "]";
  if (chance(30))
    text += ", max: " + std::to_string(1 + draw(2));
  if (chance(10))
    text += ", bypass: false";
  return text + "}\n";
}

std::string TargetWriter::writeLimits() {
  std::vector<std::string> limits;
  if (chance(25))
    limits.push_back("inputs: " + std::to_string(2 + draw(3)));
  if (chance(25))
    limits.push_back("outputs: " + std::to_string(1 + draw(3)));
  if (chance(25))
    limits.push_back("ops: " + std::to_string(2 + draw(5)));
  if (chance(25))
    limits.push_back("on-chip: " + std::to_string(64 << draw(8)));
  return limits.empty() ? "" : "  limits: {" + llvm::join(limits, ", ") + "}\n";
}

std::string TargetWriter::write() {
  unsigned numStages = 1 + draw(5);
  std::string text = "schema: inlay.target/1\nname: drawn\ndataflow:\n"
                     "  root: s0\n";
  text += chance(50) ? "  collect: unmapped\n"
                     : (chance(50) ? "  collect: none\n"
                                   : "  collect: [" + opTypes.back() + "]\n");
  text += writeLimits();
  text += "  stages:\n";
  for (unsigned stage = 0; stage < numStages; ++stage)
    text += writeStage(stage, numStages);
  std::vector<std::string> links;
  for (unsigned from = 0; from < numStages; ++from)
    for (unsigned to = 0; to < numStages; ++to)
      if (to == from + 1 || chance(to > from ? 20 : 30))
        links.push_back("    - s" + std::to_string(from) + " -> s" +
                        std::to_string(to) + "\n");
  if (!links.empty())
    text += "  links:\n" + llvm::join(links, "");
  return text;
}

RandomTarget inlay::testing::makeRandomTarget(mlir::ModuleOp module,
                                              uint64_t seed) {
  std::set<std::string> used;
  module.walk([&](mlir::Operation *op) { used.insert(getOnnxOpType(op)); });
  std::vector<std::string> types;
  for (llvm::StringRef type : getOnnxOpTypes())
    if (used.contains(type.str()))
      types.push_back(type.str());
  if (types.empty())
    types = {"Relu"};
  // What the linter refuses is drawn again.
  for (uint64_t attempt = 0;; ++attempt) {
    RandomTarget drawn;
    drawn.text = TargetWriter(seed + (attempt << 32), types).write();
    TargetResult result = readTarget(drawn.text, getOnnxOpTypes());
    drawn.target = std::move(result.target);
    if (result.faults.empty())
      return drawn;
  }
}
