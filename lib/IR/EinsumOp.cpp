//===- EinsumOp.cpp - Einsum ----------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"
#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/EinsumEquation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// The operands' shapes, or nothing when one is not ranked.
static std::optional<SmallVector<SmallVector<int64_t>>>
getShapes(ValueRange values) {
  SmallVector<SmallVector<int64_t>> shapes;
  for (Value value : values) {
    MaybeShape shape = getShape(value);
    if (!shape)
      return std::nullopt;
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

static llvm::Expected<HostTensor::Shape>
inferShape(StringRef equation, ArrayRef<SmallVector<int64_t>> shapes) {
  SmallVector<ArrayRef<int64_t>> views(shapes.begin(), shapes.end());
  return inferEinsumShape(equation, views);
}

LogicalResult EinsumOp::inferTypes(TypeInference &inference) {
  if (getInputs().empty())
    return inference.error("needs at least one operand");
  auto element = inference.getSameElementType(getInputs());
  if (failed(element))
    return failure();
  auto shapes = getShapes(getInputs());
  if (!shapes) {
    inference.set(getResult(), *element, std::nullopt);
    return success();
  }
  auto shape = report(inference, inferShape(getEquation(), *shapes));
  if (failed(shape))
    return failure();
  inference.set(getResult(), *element, SmallVector<int64_t>(ArrayRef(*shape)));
  return success();
}

//===----------------------------------------------------------------------===//
// Axis map
//===----------------------------------------------------------------------===//

namespace {
/// A letter, or -i for the i-th dimension from the right that an ellipsis
/// stands for.
using Label = int;
using Labels = SmallVector<Label>;

/// The labels of a valid equation's operands and result.
class EinsumLabels {
public:
  EinsumLabels(StringRef equation, ArrayRef<SmallVector<int64_t>> shapes);

  ArrayRef<Labels> getOperands() const { return operands; }
  ArrayRef<Label> getResult() const { return result; }

  /// A diagonal: a label that one operand has twice.
  bool hasRepeatedLabel() const;
  bool isInResult(Label label) const {
    return llvm::is_contained(result, label);
  }
  unsigned countOperandsWith(Label label) const;

private:
  static Labels getLabels(StringRef term, int64_t ellipsisRank);
  Labels getImplicitResult(int64_t ellipsisRank) const;

  SmallVector<Labels> operands;
  Labels result;
};
} // namespace

Labels EinsumLabels::getLabels(StringRef term, int64_t ellipsisRank) {
  Labels labels;
  while (!term.empty()) {
    if (term.consume_front("...")) {
      for (int64_t i = ellipsisRank; i > 0; --i)
        labels.push_back(-i);
      continue;
    }
    labels.push_back(term.front());
    term = term.drop_front();
  }
  return labels;
}

Labels EinsumLabels::getImplicitResult(int64_t ellipsisRank) const {
  Labels labels = getLabels("...", ellipsisRank), letters;
  for (const Labels &operand : operands)
    llvm::copy_if(operand, std::back_inserter(letters),
                  [](Label label) { return label > 0; });
  llvm::sort(letters);
  for (Label label : letters)
    if (llvm::count(letters, label) == 1)
      labels.push_back(label);
  return labels;
}

EinsumLabels::EinsumLabels(StringRef equation,
                           ArrayRef<SmallVector<int64_t>> shapes) {
  std::string compact = equation.str();
  llvm::erase(compact, ' ');
  auto [left, right] = StringRef(compact).split("->");
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  int64_t largestEllipsis = 0;
  for (auto [term, shape] : llvm::zip_equal(terms, shapes)) {
    int64_t letters = llvm::count_if(term, [](char c) { return c != '.'; });
    int64_t ellipsisRank = int64_t(shape.size()) - letters;
    largestEllipsis = std::max(largestEllipsis, ellipsisRank);
    operands.push_back(getLabels(term, ellipsisRank));
  }
  result = StringRef(compact).contains("->")
               ? getLabels(right, largestEllipsis)
               : getImplicitResult(largestEllipsis);
}

bool EinsumLabels::hasRepeatedLabel() const {
  return llvm::any_of(operands, [](const Labels &labels) {
    llvm::SmallSet<Label, 8> seen;
    return llvm::any_of(
        labels, [&](Label label) { return !seen.insert(label).second; });
  });
}

unsigned EinsumLabels::countOperandsWith(Label label) const {
  return llvm::count_if(operands, [&](const Labels &labels) {
    return llvm::is_contained(labels, label);
  });
}

/// The extent of each label: an extent of one stretches.
static llvm::MapVector<Label, int64_t>
getExtents(const EinsumLabels &labels, ArrayRef<SmallVector<int64_t>> shapes) {
  llvm::MapVector<Label, int64_t> extents;
  for (auto [operand, shape] : llvm::zip_equal(labels.getOperands(), shapes))
    for (auto [label, extent] : llvm::zip_equal(operand, shape)) {
      int64_t &known = extents.insert({label, extent}).first->second;
      if (known == 1 || (ShapedType::isDynamic(known) && extent != 1))
        known = extent;
    }
  return extents;
}

AxisMap EinsumOp::getAxisMap() {
  auto shapes = getShapes(getInputs());
  if (!shapes)
    return AxisMap::opaque();
  if (auto valid = inferShape(getEquation(), *shapes); !valid) {
    llvm::consumeError(valid.takeError());
    return AxisMap::opaque();
  }
  EinsumLabels labels(getEquation(), *shapes);
  if (labels.hasRepeatedLabel())
    return AxisMap::opaque();

  AxisMapBuilder map(*this);
  auto extents = getExtents(labels, *shapes);
  llvm::MapVector<Label, unsigned> axes;
  for (auto [label, extent] : extents) {
    AxisKind kind = labels.isInResult(label)              ? AxisKind::Parallel
                    : labels.countOperandsWith(label) > 1 ? AxisKind::Contracted
                                                          : AxisKind::Reduced;
    axes[label] = map.axis(kind, extent);
  }
  for (auto [i, operand] : llvm::enumerate(labels.getOperands())) {
    TensorAxes dims;
    for (auto [label, extent] : llvm::zip_equal(operand, (*shapes)[i])) {
      bool isBroadcast = extent == 1 && extents[label] != 1;
      dims.push_back(isBroadcast ? DimAxes{} : DimAxes{axes[label]});
    }
    map.bind(getInputs()[i], dims);
  }
  TensorAxes dims;
  for (Label label : labels.getResult())
    dims.push_back({axes[label]});
  map.bind(getResult(), dims);
  return map.build();
}

//===----------------------------------------------------------------------===//
// Storage orders
//===----------------------------------------------------------------------===//

// Every tensor may be stored in an order of its own: the letters follow.

bool EinsumOp::followsAxes() { return false; }

bool EinsumOp::admitsFactors() { return false; }

bool EinsumOp::admitsForm(const StoredForm &form) {
  // An ellipsis stands for dimensions that are to stay together.
  return !getAxisMap().isOpaque() && !getEquation().contains('.') &&
         !form.isFactored();
}

LogicalResult EinsumOp::buildStored(StoredOpBuilder &stored) {
  EinsumLabels labels(getEquation(), *getShapes(getInputs()));
  std::string equation;
  auto append = [&](ArrayRef<Label> letters, const AtomSequence &order) {
    for (const Atom &atom : order)
      equation += char(letters[atom.dim]);
  };
  for (auto [i, letters] : llvm::enumerate(labels.getOperands())) {
    if (i != 0)
      equation += ',';
    append(letters, stored.getOperandOrder(i));
  }
  equation += "->";
  append(labels.getResult(), stored.getResultOrder(0));
  stored.setResults(stored.create(
      stored.getOperands(),
      {stored.getAttr("equation", StringAttr::get(getContext(), equation))}));
  return success();
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

FusionClass EinsumOp::getFusionClass() { return FusionClass::Contraction; }
