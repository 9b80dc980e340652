//===- CompareReport.cpp - Comparisons as tables --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareReport.h"

using namespace inlay;
using llvm::StringRef;

std::string inlay::getVerdict(const TensorComparison &result) {
  if (!result.reason.empty())
    return result.reason;
  return result.isEqual ? "equal" : "differs";
}

static const Column resultColumns[] = {{"name", "name"},
                                       {"type", "type"},
                                       {"shape", "shape"},
                                       {"max_abs_error", "max |a-b|"},
                                       {"relative_error", "relative"},
                                       {"limit", "limit"},
                                       {"mismatches", "beyond"},
                                       {"worst", "worst at"},
                                       {"verdict", "verdict"}};

Table inlay::makeResultTable() { return Table(resultColumns); }

void inlay::addRow(const TensorComparison &result, StringRef verdict,
                   Table &table) {
  bool isKnown = result.type != ElementType::Undefined;
  table.addRow(
      {Cell::text(result.name),
       isKnown ? Cell::text(getName(result.type)) : Cell::none(),
       isKnown ? Cell::dims(result.shape) : Cell::none(),
       Cell::number(result.maxAbsError), Cell::number(result.relativeError),
       Cell::number(result.limit), Cell::count(result.numMismatches),
       result.hasWorst
           ? Cell::dims(result.worst).withText(formatIndex(result.worst))
           : Cell::none(),
       Cell::text(verdict)});
}

void inlay::addFirstDifference(const FirstDifference &first, Report &report) {
  const TensorComparison &tensor = first.tensor;
  Table table({{"node", "node"},
               {"op_type", "operator"},
               {"tensor", "result"},
               {"worst", "worst at"},
               {"a", "a"},
               {"b", "b"},
               {"relative_error", "relative"}});
  table.addRow(
      {Cell::text(first.node), Cell::text(first.opType),
       Cell::text(tensor.name),
       tensor.hasWorst
           ? Cell::dims(tensor.worst).withText(formatIndex(tensor.worst))
           : Cell::none(),
       tensor.hasWorst ? Cell::number(tensor.worstA) : Cell::none(),
       tensor.hasWorst ? Cell::number(tensor.worstB) : Cell::none(),
       Cell::number(tensor.relativeError)});
  report.addTable("first_difference", "first difference", table);
  Table inputs({{"name", "name"},
                {"type", "type"},
                {"shape", "shape"},
                {"min", "min"},
                {"max", "max"},
                {"nans", "NaN"}});
  for (const TensorRange &range : first.operands)
    inputs.addRow({Cell::text(range.name), Cell::text(getName(range.type)),
                   Cell::dims(range.shape), Cell::number(range.min),
                   Cell::number(range.max), Cell::count(range.numNaNs)});
  report.addTable("first_difference_inputs", "its inputs", inputs);
}
