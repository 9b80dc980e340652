//===- Preset.h - Choosing how every tensor is stored -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_LAYOUT_PRESET_H
#define INLAY_TRANSFORMS_LAYOUT_PRESET_H

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "inlay/LayoutAssign/Optimal.h"
#include "inlay/LayoutAssign/Strategies.h"
#include "inlay/Transforms/Layout/SeparateTransposes.h"

namespace inlay {

/// A layout problem and its cheapest answer.
struct SolvedLayouts {
  std::unique_ptr<LayoutGraph> graph;
  OptimalResult result;
};

/// Solves the layout problem of `func` as it stands. Where orders beyond the
/// limits keep an answer from being proved, once more with larger ones.
SolvedLayouts solveLayouts(mlir::func::FuncOp func, const Target &target,
                           const LayoutGraphOptions &options);

/// The same with a copy of each transpose for each of its uses, which stay.
SolvedLayouts solveSeparately(mlir::func::FuncOp func, const Target &target,
                              const LayoutGraphOptions &options,
                              TransposeCopies &copies);

struct PresetOptions {
  LayoutStrategy strategy = LayoutStrategy::Optimal;
  LayoutGraphOptions graph;
  /// Only what moves less than the transposes that are there is written.
  bool onlyIfCheaper = false;
};

/// What became of the transposes, counting none that only moves dimensions of
/// one element.
struct TransposeLedger {
  /// Transposes of the model.
  Cost in;
  /// Those of them that are gone, stand elsewhere, stand where they stood; and
  /// relayouts beyond them. in = removed + moved + kept.
  Cost removed, moved, kept, added;

  Cost getOut() const { return moved + kept + added; }
};

/// What the target prices beyond the bytes that copies move. Costs are bytes
/// too: what is moved and this are what the solver compares.
struct Surcharge {
  /// Of copies: that there are any, short runs.
  uint64_t copies = 0;
  /// Of forms in which operators take longer.
  uint64_t forms = 0;

  Cost getTotal() const { return {llvm::SaturatingAdd(copies, forms), 0}; }
};

/// Tensors, and their bytes, around something whose orders no certificate
/// speaks of.
struct Unsearched {
  std::string what;
  Cost tensors;
};

struct PresetResult {
  Cost cost;
  /// The layouts are written; see PresetOptions::onlyIfCheaper.
  bool isApplied = true;
  /// The round, from 1, that found this; see settleLayouts.
  unsigned round = 1;
  /// No round was left for what the last one has exposed.
  bool isUnsettled = false;
  /// No round follows, whatever this one exposes.
  bool isOnlyRound = false;
  /// What cancelling leaves of it; `optimal` leaves nothing to cancel.
  std::optional<Cost> cancelled;
  TransposeLedger ledger;
  /// Of the model as it was given, and of what it has become.
  Surcharge surchargeIn, surchargeOut;
  /// Products and reductions that run in another order than the model's: their
  /// sums may round differently.
  unsigned numReorderedSums = 0;
  /// Extents that costs assume for unknown dimensions.
  std::map<std::string, int64_t> assumptions;
  /// Of `optimal` only.
  std::optional<Certificate> certificate;
  /// See getBarriers.
  std::vector<std::string> barriers;
  /// See getUnsearched.
  std::vector<Unsearched> unsearched;

  /// What the model costs as it was given, and what it has become.
  Cost getCostIn() const { return ledger.in + surchargeIn.getTotal(); }
  Cost getCostOut() const { return ledger.getOut() + surchargeOut.getTotal(); }
};

/// Chooses storage orders and writes them into `func`: encodings of types, and
/// inlay.relayout where a tensor is needed in another order than it has.
llvm::Expected<PresetResult> presetLayouts(mlir::func::FuncOp func,
                                           const Target &target,
                                           const PresetOptions &options);

/// The operator types that are row-major whatever stands around them and touch
/// a tensor that could be stored otherwise: opaque nodes, and operators that
/// neither the target nor their axes give a choice. Each once, by name.
std::vector<std::string> getBarriers(const LayoutGraph &graph);

/// What was not looked at in a model: the tensors that could be stored
/// otherwise if something else than their orders could be chosen.
std::vector<Unsearched> getUnsearched(const LayoutGraph &graph);

} // namespace inlay

#endif // INLAY_TRANSFORMS_LAYOUT_PRESET_H
