//===- Phase.cpp - The phases of the pipeline -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Phase.h"

using namespace inlay;

llvm::StringRef inlay::getName(Phase phase) {
  switch (phase) {
  case Phase::Simplify:
    return "simplify";
  case Phase::Rewrite:
    return "rewrite";
  case Phase::Legalize:
    return "legalize";
  case Phase::Layouts:
    return "layouts";
  case Phase::Groups:
    return "groups";
  case Phase::Storage:
    return "storage";
  case Phase::Kernels:
    return "kernels";
  case Phase::Expand:
    return "expand";
  case Phase::Lower:
    return "lower";
  case Phase::Outline:
    return "outline";
  case Phase::Backend:
    return "backend";
  }
  llvm_unreachable("no such phase");
}

std::optional<Phase> inlay::parsePhase(llvm::StringRef name) {
  for (Phase phase : allPhases)
    if (getName(phase) == name)
      return phase;
  return std::nullopt;
}

llvm::cl::ValuesClass inlay::getPhaseValues() {
  return llvm::cl::values(
      clEnumValN(Phase::Simplify, "simplify", "compute what is known"),
      clEnumValN(Phase::Rewrite, "rewrite", "fewer operators"),
      clEnumValN(Phase::Legalize, "legalize", "within limits"),
      clEnumValN(Phase::Layouts, "layouts", "storage orders"),
      clEnumValN(Phase::Groups, "groups", "what runs as one"),
      clEnumValN(Phase::Storage, "storage", "storage orders as shapes"),
      clEnumValN(Phase::Kernels, "kernels", "what becomes one kernel"),
      clEnumValN(Phase::Expand, "expand", "what operators consist of"),
      clEnumValN(Phase::Lower, "lower", "what the opset lacks"),
      clEnumValN(Phase::Outline, "outline", "groups as functions"),
      clEnumValN(Phase::Backend, "backend", "what the back end adds"));
}
