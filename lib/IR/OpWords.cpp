//===- OpWords.cpp - What target files may say of an operator -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words are those that TargetFacts.cpp answers to. What the definition of
// an operator names is looked up in it; only words that stand for something
// else are spelled out.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/OpWords.h"
#include "OpLists.h"
#include "WindowConcepts.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Tensor/Modes.h"
#include "inlay/Tensor/ResizeGeometry.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;

//===----------------------------------------------------------------------===//
// What operators have
//===----------------------------------------------------------------------===//

template <typename OpT> static bool has(llvm::StringRef word) {
  if (word == "kernel" || word == "stride" || word == "dilation")
    return HasKernel<OpT> || IsGlobal<OpT>;
  if (word == "pads")
    return HasKernel<OpT> || std::is_same_v<OpT, PadOp>;
  if (word == "slope")
    return llvm::is_one_of<OpT, LeakyReluOp, PReluOp>::value;
  if (word == "scale")
    return std::is_same_v<OpT, ResizeOp>;
  if (word == "weight")
    return HasFilters<OpT>;
  if (word == "operand")
    return !OpT::template hasTrait<mlir::OpTrait::OneOperand>();
  return llvm::is_contained(OpT::getAttributeNames(), word);
}

//===----------------------------------------------------------------------===//
// What attributes choose from
//===----------------------------------------------------------------------===//

template <typename OpT>
static bool canBe(llvm::StringRef /*word*/, llvm::StringRef /*text*/) {
  return true;
}

template <> bool canBe<PadOp>(llvm::StringRef word, llvm::StringRef text) {
  return word != "mode" || parsePadMode(text);
}

template <>
bool canBe<DepthToSpaceOp>(llvm::StringRef word, llvm::StringRef text) {
  return word != "mode" || parseDepthToSpaceMode(text);
}

template <>
bool canBe<GridSampleOp>(llvm::StringRef word, llvm::StringRef text) {
  return word != "mode" || parseGridSampleMode(text);
}

template <> bool canBe<GeluOp>(llvm::StringRef word, llvm::StringRef text) {
  return word != "approximate" || text == "none" || text == "tanh";
}

template <> bool canBe<ResizeOp>(llvm::StringRef word, llvm::StringRef text) {
  if (word == "mode")
    return parseResizeMode(text).has_value();
  if (word == "nearest_mode")
    return parseNearestMode(text).has_value();
  return word != "coordinate_transformation_mode" ||
         parseCoordinateTransformation(text);
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

namespace {
struct Answers {
  bool (*has)(llvm::StringRef word);
  bool (*canBe)(llvm::StringRef word, llvm::StringRef text);
};
} // namespace

template <typename... OpTs>
static llvm::StringMap<Answers> makeTable(OpList<OpTs...>) {
  llvm::StringMap<Answers> table;
  (table.try_emplace(OpTs::getOperationName(), Answers{has<OpTs>, canBe<OpTs>}),
   ...);
  return table;
}

/// Null where nothing is known.
static const Answers *findAnswers(llvm::StringRef onnxType) {
  static const llvm::StringMap<Answers> table = makeTable(NamedOps());
  auto it = table.find(getOperationName(onnxType));
  return it == table.end() ? nullptr : &it->second;
}

bool inlay::hasWord(llvm::StringRef onnxType, llvm::StringRef word) {
  const Answers *answers = findAnswers(onnxType);
  return !answers || answers->has(word);
}

bool inlay::mayBe(llvm::StringRef onnxType, llvm::StringRef word,
                  llvm::StringRef text) {
  const Answers *answers = findAnswers(onnxType);
  return !answers || answers->canBe(word, text);
}
