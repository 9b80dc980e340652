//===- Layouts.h - Fitting a model to the layouts of a target ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_LAYOUTS_H
#define INLAY_PIPELINE_LAYOUTS_H

#include "inlay/LayoutAssign/Strategies.h"
#include "inlay/Target/Target.h"

namespace inlay {

/// What a model is compiled for where nobody says.
inline constexpr llvm::StringLiteral defaultTarget = "ort";

struct LayoutOptions {
  /// A built-in target or a target file.
  std::string target = defaultTarget.str();
  LayoutStrategy strategy = LayoutStrategy::Optimal;
  Objective objective = Objective::Bytes;
  /// "NAME:LAYOUT": how an input or output is to be stored.
  std::vector<std::string> ioLayouts;
};

/// A built-in target or one of the user's, with every operator that it names
/// known to us.
llvm::Expected<Target> loadKnownTarget(llvm::StringRef nameOrPath);
/// The same of a text; every form that it prices is one that the operator can
/// have.
llvm::Expected<Target> parseKnownTarget(const TargetSource &source);
TargetResult readKnownTarget(llvm::StringRef text);

/// How often layouts are chosen at most.
inline constexpr unsigned maxLayoutRounds = 4;

} // namespace inlay

#endif // INLAY_PIPELINE_LAYOUTS_H
