//===- Phase.h - The phases of the pipeline ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_PHASE_H
#define INLAY_PIPELINE_PHASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <array>
#include <optional>

namespace inlay {

/// In order. A model that a phase has nothing to do for passes through it.
enum class Phase : uint8_t {
  Simplify,
  Rewrite,
  /// Operators within the limits of the target.
  Legalize,
  Layouts,
  Groups,
  /// Layouts become shapes, where groups are chosen in between.
  Storage,
  Kernels,
  Expand,
  /// What the opset lacks.
  Lower,
  /// Groups become functions.
  Outline,
  /// What the back end that emits adds.
  Backend,
};

inline constexpr Phase allPhases[] = {
    Phase::Simplify, Phase::Rewrite, Phase::Legalize, Phase::Layouts,
    Phase::Groups,   Phase::Storage, Phase::Kernels,  Phase::Expand,
    Phase::Lower,    Phase::Outline, Phase::Backend};

/// How long each phase took.
class PhaseTimes {
public:
  void add(Phase phase, double time) { seconds[size_t(phase)] += time; }
  /// Of phases together.
  double get(std::initializer_list<Phase> phases) const {
    double sum = 0;
    for (Phase phase : phases)
      sum += seconds[size_t(phase)];
    return sum;
  }

private:
  std::array<double, std::size(allPhases)> seconds = {};
};

/// "layouts".
llvm::StringRef getName(Phase phase);
std::optional<Phase> parsePhase(llvm::StringRef name);

/// The phases as values of an option.
llvm::cl::ValuesClass getPhaseValues();

} // namespace inlay

#endif // INLAY_PIPELINE_PHASE_H
