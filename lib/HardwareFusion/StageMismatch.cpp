//===- StageMismatch.cpp - Why a stage does not take an operator ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/OpFacts.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

static std::string printNumber(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return std::to_string(int64_t(number));
  return llvm::formatv("{0:f6}", number);
}

static std::string printRange(const AttributeRange &range) {
  if (!range.names.empty())
    return llvm::join(range.names, " or ");
  std::string text = range.isWhole ? "whole numbers" : "";
  if (range.isWhole && std::isinf(range.min) && std::isinf(range.max))
    return text;
  text += range.isWhole ? " of " : "";
  if (std::isinf(range.min))
    return text + "at most " + printNumber(range.max);
  if (std::isinf(range.max))
    return text + "at least " + printNumber(range.min);
  if (range.min == range.max)
    return text + printNumber(range.min);
  return text + printNumber(range.min) + " to " + printNumber(range.max);
}

static std::string findMismatch(Operation *op, const AttributeRange &range) {
  AttributeFact fact = getAttributeFact(op, range.attribute);
  auto require = [&](const std::string &found) {
    return "requires " + range.attribute + " " + printRange(range) +
           ", found " + found;
  };
  if (!fact.isPresent)
    return "";
  if (fact.isUnknown)
    return require("what is not known before the run");
  if (!range.names.empty())
    return llvm::is_contained(range.names, fact.text) ? "" : require(fact.text);
  for (double number : fact.numbers)
    if (!(number >= range.min && number <= range.max) ||
        (range.isWhole && number != std::floor(number)))
      return require(printNumber(number));
  return "";
}

static std::string findTypeMismatch(Value data, const StageOp &form) {
  auto type = dyn_cast<ShapedType>(data.getType());
  if (!form.types.empty()) {
    std::string name = "an unknown type";
    if (type) {
      name.clear();
      llvm::raw_string_ostream(name) << type.getElementType();
    }
    if (!llvm::is_contained(form.types, name))
      return "requires element type " + llvm::join(form.types, " or ") +
             ", found " + name;
  }
  bool takesAnyRank =
      form.minRank == 0 && form.maxRank == std::numeric_limits<unsigned>::max();
  if (takesAnyRank)
    return "";
  std::string ranks = std::to_string(form.minRank) + " to " +
                      (form.maxRank == std::numeric_limits<unsigned>::max()
                           ? std::string("any")
                           : std::to_string(form.maxRank));
  if (!type || !type.hasRank())
    return "requires rank " + ranks + ", found an unknown one";
  if (type.getRank() < form.minRank || type.getRank() > form.maxRank)
    return "requires rank " + ranks + ", found " +
           std::to_string(type.getRank());
  return "";
}

/// Whether what stands beside the data is as the stage wants it.
static std::string findSideMismatch(Operation *op, unsigned data,
                                    const SideOperand &side) {
  bool isBinary =
      op->getNumOperands() == 2 || exchangesOperands(op) || isa<ClipOp>(op);
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Value operand = op->getOperand(i);
    if (i == data)
      continue;
    if (side.isConstant && !isConstantValue(operand))
      return llvm::formatv("requires operand {0} to be constant, found one "
                           "that is computed at run time",
                           i);
    if (side.shapes.empty() || !isBinary)
      continue;
    SideShape shape = getSideShape(op->getOperand(data), operand);
    if (llvm::is_contained(side.shapes, shape))
      continue;
    SmallVector<StringRef> shapes;
    for (SideShape accepted : side.shapes)
      shapes.push_back(getName(accepted));
    return llvm::formatv("requires operand {0} of shape {1}, found {2}", i,
                         llvm::join(shapes, " or "), getName(shape));
  }
  return "";
}

std::string inlay::findMismatch(Operation *op, const StageOp &form,
                                llvm::SmallVectorImpl<unsigned> &data) {
  data.clear();
  if (op->getNumOperands() == 0)
    return "requires an operand, found none";
  for (const AttributeRange &range : form.attributes)
    if (std::string text = ::findMismatch(op, range); !text.empty())
      return text;
  std::string first;
  for (unsigned operand : getDataOperands(op)) {
    std::string text = findTypeMismatch(op->getOperand(operand), form);
    if (text.empty())
      text = findSideMismatch(op, operand, form.side);
    if (text.empty())
      data.push_back(operand);
    else if (first.empty())
      first = text;
  }
  return data.empty() ? first : "";
}
