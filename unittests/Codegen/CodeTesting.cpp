//===- CodeTesting.cpp - Functions of few operators as code ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"
#include "../Runtime/ModuleTesting.h"
#include "inlay/Codegen/ElementInterface.h"
#include <limits>

using namespace inlay;
using namespace inlay::testing;

/// Numbers that are easily got wrong, then others.
static double getNumber(unsigned index) {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double special[] = {0.0,
                                       -0.0,
                                       1.0,
                                       -1.0,
                                       0.5,
                                       1.5,
                                       -2.5,
                                       3.0,
                                       infinity,
                                       -infinity,
                                       std::numeric_limits<double>::quiet_NaN(),
                                       1e-40,
                                       -1e-40,
                                       3e38};
  if (index % 3 == 0)
    return special[index / 3 % std::size(special)];
  return double(int(index * 2654435761u >> 12) % 2001 - 1000) / 64;
}

HostTensor inlay::testing::makeInput(mlir::Type type, unsigned seed) {
  auto ranked = cast<mlir::RankedTensorType>(type);
  HostTensor tensor(*getOnnxElementType(ranked.getElementType()),
                    ranked.getShape());
  bool isFloat = inlay::isFloat(tensor.getType());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    if (isFloat)
      tensor.setDouble(i, getNumber(seed + i));
    else
      tensor.setInt(i, tensor.getType() == ElementType::Bool
                           ? (seed + i) % 3 == 0
                           : int64_t(seed + i) * 37 % 251 - 100);
  }
  return tensor;
}

/// Odd multiples of 1/64: no products of many of them are zero.
static HostTensor makeModerate(mlir::Type type, unsigned seed) {
  auto ranked = cast<mlir::RankedTensorType>(type);
  HostTensor tensor(*getOnnxElementType(ranked.getElementType()),
                    ranked.getShape());
  bool isFloat = inlay::isFloat(tensor.getType());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    int number = int((seed + i) * 2654435761u >> 13) % 128;
    if (isFloat)
      tensor.setDouble(i, double(2 * number - 127) / 64);
    else
      tensor.setInt(i, tensor.getType() == ElementType::Bool ? number % 2
                                                             : number - 50);
  }
  return tensor;
}

using InputMaker = HostTensor (*)(mlir::Type type, unsigned seed);

static std::string getFunction(llvm::ArrayRef<llvm::StringRef> types,
                               llvm::StringRef body) {
  std::string text = "func.func @main(";
  for (size_t i = 0; i + 1 < types.size(); ++i)
    text += (i ? ", %" : "%") + std::string(1, char('a' + i)) + ": tensor<" +
            types[i].str() + ">";
  text += ") -> tensor<" + types.back().str() + "> {\n" + body.str() +
          "\nreturn %y : tensor<" + types.back().str() + ">\n}";
  return text;
}

static NativeCounts checkWith(InputMaker make,
                              llvm::ArrayRef<llvm::StringRef> types,
                              llvm::StringRef body, double tolerance) {
  std::string text = getFunction(types, body);
  ParsedModule module(text);
  std::vector<HostTensor> inputs;
  for (mlir::Type type : module.getGraph().getArgumentTypes())
    inputs.push_back(make(type, 7 * inputs.size()));
  NativeCounts counts;
  EXPECT_EQ(checkNative(module.get(), inputs, counts, tolerance), "") << text;
  return counts;
}

unsigned inlay::testing::check(llvm::ArrayRef<llvm::StringRef> types,
                               llvm::StringRef body, double tolerance) {
  return checkWith(makeInput, types, body, tolerance).native;
}

unsigned inlay::testing::checkModerate(llvm::ArrayRef<llvm::StringRef> types,
                                       llvm::StringRef body, double tolerance) {
  return checkWith(makeModerate, types, body, tolerance).native;
}

bool inlay::testing::isAllCode(llvm::ArrayRef<llvm::StringRef> types,
                               llvm::StringRef body, double tolerance) {
  NativeCounts counts = checkWith(makeModerate, types, body, tolerance);
  return counts.native == counts.steps;
}

unsigned inlay::testing::countTiles(llvm::ArrayRef<llvm::StringRef> types,
                                    llvm::StringRef body, double tolerance) {
  return checkWith(makeModerate, types, body, tolerance).winograd;
}

std::string inlay::testing::getPlan(llvm::ArrayRef<llvm::StringRef> types,
                                    llvm::StringRef body, double tolerance) {
  std::vector<std::string> plans = getPlans(types, body, tolerance);
  return plans.empty() ? "" : plans.back();
}

std::vector<std::string>
inlay::testing::getPlans(llvm::ArrayRef<llvm::StringRef> types,
                         llvm::StringRef body, double tolerance) {
  return checkWith(makeModerate, types, body, tolerance).plans;
}

std::string inlay::testing::getCode(llvm::ArrayRef<llvm::StringRef> types,
                                    llvm::StringRef body,
                                    const VectorUnit &unit) {
  ParsedModule module(getFunction(types, body));
  registerElementCode(*module.get().getContext());
  mlir::Block &block = module.getGraph().getBody().front();
  mlir::Operation *step = block.getTerminator()->getOperand(0).getDefiningOp();
  mlir::OwningOpRef<mlir::ModuleOp> code =
      mlir::ModuleOp::create(step->getLoc());
  EXPECT_TRUE(emitKernel(step, *code, "kernel", {unit, {}}));
  std::string text;
  llvm::raw_string_ostream stream(text);
  code->print(stream);
  return text;
}
