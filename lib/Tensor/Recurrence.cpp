//===- Recurrence.cpp - What recurrent cells choose from ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Recurrence.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

std::optional<SequenceDirection> inlay::parseSequenceDirection(StringRef name) {
  return llvm::StringSwitch<std::optional<SequenceDirection>>(name)
      .Case("forward", SequenceDirection::Forward)
      .Case("reverse", SequenceDirection::Reverse)
      .Case("bidirectional", SequenceDirection::Bidirectional)
      .Default(std::nullopt);
}

int64_t inlay::countGates(CellKind kind) {
  return kind == CellKind::LSTM ? 4 : kind == CellKind::GRU ? 3 : 1;
}

int64_t inlay::countActivations(CellKind kind) {
  return kind == CellKind::LSTM ? 3 : kind == CellKind::GRU ? 2 : 1;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

double CellActivation::operator()(double x) const {
  switch (function) {
  case CellFunction::Affine:
    return alpha * x + beta;
  case CellFunction::Elu:
    return x >= 0 ? x : alpha * std::expm1(x);
  case CellFunction::HardSigmoid:
    return std::min(std::max(alpha * x + beta, 0.0), 1.0);
  case CellFunction::LeakyRelu:
    return x >= 0 ? x : alpha * x;
  case CellFunction::Relu:
    return std::max(x, 0.0);
  case CellFunction::ScaledTanh:
    return alpha * std::tanh(beta * x);
  case CellFunction::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case CellFunction::Softplus:
    return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
  case CellFunction::Softsign:
    return x / (1 + std::fabs(x));
  case CellFunction::Tanh:
    return std::tanh(x);
  case CellFunction::ThresholdedRelu:
    return x > alpha ? x : 0;
  }
  llvm_unreachable("covered switch");
}

namespace {
/// A number of a function's definition: whether it has it, and what it is where
/// it is not given.
struct Coefficient {
  bool isTaken = false;
  std::optional<double> standard;
};

struct FunctionTraits {
  StringRef name;
  CellFunction function;
  Coefficient alpha = {}, beta = {};
};
} // namespace

static constexpr double leakySlope = 0.01F, hardSlope = 0.2F;

static ArrayRef<FunctionTraits> getFunctions() {
  static const FunctionTraits functions[] = {
      {"Affine", CellFunction::Affine, {true, 1.0}, {true, 0.0}},
      {"Elu", CellFunction::Elu, {true, 1.0}},
      {"HardSigmoid",
       CellFunction::HardSigmoid,
       {true, hardSlope},
       {true, 0.5}},
      {"LeakyRelu", CellFunction::LeakyRelu, {true, leakySlope}},
      {"Relu", CellFunction::Relu},
      {"ScaledTanh", CellFunction::ScaledTanh, {true, {}}, {true, {}}},
      {"Sigmoid", CellFunction::Sigmoid},
      {"Softplus", CellFunction::Softplus},
      {"Softsign", CellFunction::Softsign},
      {"Tanh", CellFunction::Tanh},
      {"ThresholdedRelu", CellFunction::ThresholdedRelu, {true, 1.0}},
  };
  return functions;
}

/// The names are those of operators, in whatever case.
static const FunctionTraits *findFunction(StringRef name) {
  const auto *it = llvm::find_if(getFunctions(), [&](const auto &function) {
    return function.name.equals_insensitive(name);
  });
  return it == getFunctions().end() ? nullptr : it;
}

/// Takes a number from the front of those given.
static Expected<double> takeCoefficient(const Coefficient &coefficient,
                                        ArrayRef<float> &given, StringRef list,
                                        StringRef function) {
  if (!coefficient.isTaken)
    return 0.0;
  if (!given.empty()) {
    double value = given.front();
    given = given.drop_front();
    return value;
  }
  if (coefficient.standard)
    return *coefficient.standard;
  return modelError("activation '" + function + "' needs an entry of '" + list +
                    "'");
}

static llvm::SmallVector<StringRef> getDefaultNames(CellKind kind,
                                                    int64_t directions) {
  llvm::SmallVector<StringRef> names;
  for (int64_t i = 0; i < directions; ++i) {
    if (kind != CellKind::RNN)
      names.push_back("Sigmoid");
    names.push_back("Tanh");
    if (kind == CellKind::LSTM)
      names.push_back("Tanh");
  }
  return names;
}

Expected<llvm::SmallVector<CellActivation>>
inlay::getCellActivations(CellKind kind, int64_t directions,
                          ArrayRef<StringRef> names, ArrayRef<float> alphas,
                          ArrayRef<float> betas) {
  llvm::SmallVector<StringRef> own(names);
  if (own.empty())
    own = getDefaultNames(kind, directions);
  int64_t expected = directions * countActivations(kind);
  if (int64_t(own.size()) != expected)
    return modelError("has " + llvm::Twine(own.size()) +
                      " activations, expected " + llvm::Twine(expected));
  llvm::SmallVector<CellActivation> activations;
  for (StringRef name : own) {
    const FunctionTraits *function = findFunction(name);
    if (!function)
      return modelError("activation '" + name + "' is not known");
    auto alpha =
        takeCoefficient(function->alpha, alphas, "activation_alpha", name);
    if (!alpha)
      return alpha.takeError();
    auto beta = takeCoefficient(function->beta, betas, "activation_beta", name);
    if (!beta)
      return beta.takeError();
    activations.push_back({function->function, *alpha, *beta});
  }
  return activations;
}
