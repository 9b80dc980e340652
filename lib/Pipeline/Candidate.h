//===- Candidate.h - Parts of models that may show a fault ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_CANDIDATE_H
#define INLAY_LIB_PIPELINE_CANDIDATE_H

#include "inlay/Pipeline/GraphPart.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Runtime/Layers.h"
#include "inlay/Tensor/Npy.h"

namespace inlay {

/// A model that may show a fault, another one that it is compared with where
/// there is one, and inputs.
struct Candidate {
  mlir::OwningOpRef<mlir::ModuleOp> a, b;
  std::vector<GraphInput> inputs;

  unsigned countNodes() const;
  /// How large the tensors of inputs and weights are, in elements.
  uint64_t countElements() const;
};

/// Cuts candidates out of a model, by sets of units: nodes, or nodes between
/// tensors that both models have.
class CandidateSource {
public:
  /// `values` has tensors of the first model; others become random.
  CandidateSource(mlir::ModuleOp a,
                  llvm::DenseMap<mlir::Value, HostTensor> values)
      : a(a), values(std::move(values)) {}

  /// Cuts the second model, too, at tensors that both have.
  void pairWith(mlir::ModuleOp b, const LayerComparison &layers);
  /// Must be called once, when it is known what is cut.
  void findUnits();

  unsigned getNumUnits() const { return units.size(); }
  /// The unit that computes a value.
  std::optional<unsigned> findUnit(mlir::Value value) const;

  /// Nothing where these units are no model.
  std::optional<Candidate> cut(llvm::ArrayRef<unsigned> chosen) const;

private:
  bool mayCut(mlir::Value value) const;
  GraphPart getPart(const llvm::DenseSet<mlir::Operation *> &ops) const;
  bool cutSecond(const GraphPart &part, Candidate &candidate) const;
  bool addInputs(const GraphPart &part, Candidate &candidate) const;

  mlir::ModuleOp a, b;
  llvm::DenseMap<mlir::Value, HostTensor> values;
  std::optional<llvm::DenseSet<mlir::Value>> shared;
  std::vector<llvm::SmallVector<mlir::Operation *>> units;
  llvm::DenseMap<mlir::Operation *, unsigned> unitOf;
};

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_CANDIDATE_H
