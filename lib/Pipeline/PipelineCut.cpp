//===- PipelineCut.cpp - The steps of a pipeline's text -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineCut.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;

static constexpr llvm::StringLiteral opening = "builtin.module(";

std::vector<std::string> inlay::splitPipeline(llvm::StringRef text) {
  text.consume_front(opening);
  text.consume_back(")");
  std::vector<std::string> steps;
  int depth = 0;
  size_t first = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      if (i != first)
        steps.push_back(text.slice(first, i).str());
      first = i + 1;
      continue;
    }
    depth += llvm::StringRef("({").contains(text[i]);
    depth -= llvm::StringRef(")}").contains(text[i]);
  }
  return steps;
}

std::string inlay::joinPipeline(llvm::ArrayRef<std::string> steps) {
  return opening.str() + llvm::join(steps, ",") + ")";
}

llvm::StringRef inlay::getPassName(llvm::StringRef step) {
  // Whatever else follows the name is options, or no step that was printed.
  if (step.consume_front("func.func(") && !step.consume_back(")"))
    return "";
  auto [name, options] = step.split('{');
  return options.empty() || options.find('}') == options.size() - 1 ? name : "";
}

static llvm::Error refuse(llvm::ArrayRef<std::string> steps,
                          llvm::StringRef spec) {
  std::vector<std::string> names;
  for (const std::string &step : steps)
    if (std::string name = getPassName(step).str();
        !llvm::is_contained(names, name))
      names.push_back(name);
  return usageError("--stop-after '" + spec +
                    "': the pipeline has no such pass, expected one of " +
                    llvm::join(names, ", "));
}

llvm::Expected<size_t> inlay::findStop(llvm::ArrayRef<std::string> steps,
                                       llvm::StringRef spec) {
  auto [name, number] = spec.split(':');
  unsigned left = 1;
  if (!number.empty() && (number.getAsInteger(10, left) || left == 0))
    return usageError("--stop-after '" + spec +
                      "': expected NAME or NAME:N, such as inlay-simplify:2");
  for (auto [i, step] : llvm::enumerate(steps))
    if (getPassName(step) == name && --left == 0)
      return i + 1;
  return refuse(steps, spec);
}
