//===- RecurrentExpansions.cpp - RNN, GRU and LSTM step by step -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The products with the input are one for the whole sequence; then each step is
// written down, which only whoever makes code of it asks for, and for short
// sequences.
//
//===----------------------------------------------------------------------===//

#include "Term.h"
#include "inlay/IR/RecurrentCells.h"

using namespace inlay;
using namespace mlir;

/// Steps of a sequence, at most: what joins their results reads as many.
static constexpr int64_t maxLength = 48;

namespace {
/// An operator, whichever it is.
struct Network {
  CellKind kind;
  SequenceDirection direction;
  SmallVector<CellActivation> activations;
  std::optional<float> clip = {};
  bool isBatchFirst = false, isLinearBeforeReset = false, forgetsInput = false;
  /// Absent ones are null.
  Value x = {}, w = {}, r = {}, bias = {}, initialH = {}, initialC = {},
        peepholes = {};
  Value y = {}, lastH = {}, lastC = {};

  template <typename OpT> static std::optional<Network> get(OpT op);
};

/// The state of a cell, of which the second part is an LSTM's.
struct State {
  Value h, c;
};

/// One direction of a network.
class Direction {
public:
  Direction(Expansion &expansion, const Network &network, int64_t number);

  /// The states behind each step, in the order of the sequence, and the last
  /// one.
  SmallVector<Value> run(State &state);

private:
  State step(int64_t at, State before);
  State stepGRU(Value fromInput, State before);
  State stepLSTM(Term gates, State before);
  Term activate(unsigned which, Term x, bool isGate = true);

  Term term(Value value) { return Term(expansion, value); }
  /// Row or column `number` of blocks of `hidden`.
  Term getBlock(Value value, int64_t axis, int64_t number, int64_t count = 1) {
    return term(createSlice(expansion, value, axis, number * hidden,
                            (number + count) * hidden));
  }
  Value getOwn(Value value);
  /// a * b^T + c
  Term multiply(Value a, Value b, Value c);

  Expansion &expansion;
  const Network &network;
  int64_t number, length, batch, size, hidden;
  Value fromInput, r, stateBias, peepholes;
};
} // namespace

/// Only what products have code for, and without lengths, which are checked
/// when they are known.
template <typename OpT> std::optional<Network> Network::get(OpT op) {
  auto direction = parseSequenceDirection(op.getDirection());
  if (op.getSequenceLens() || !direction)
    return std::nullopt;
  auto activations = getCellActivations(op);
  if (!activations) {
    llvm::consumeError(activations.takeError());
    return std::nullopt;
  }
  Network network{getCellKind(op), *direction, std::move(*activations)};
  if (std::optional<APFloat> clip = op.getClip())
    network.clip = clip->convertToFloat();
  network.isBatchFirst = op.getLayout() != 0;
  network.x = op.getX();
  network.w = op.getW();
  network.r = op.getR();
  network.bias = op.getB();
  network.initialH = op.getInitialH();
  network.y = op.getY();
  network.lastH = op.getYH();
  if constexpr (std::is_same_v<OpT, GRUOp>)
    network.isLinearBeforeReset = op.getLinearBeforeReset() != 0;
  if constexpr (std::is_same_v<OpT, LSTMOp>) {
    network.forgetsInput = op.getInputForget() != 0;
    network.initialC = op.getInitialC();
    network.peepholes = op.getPeepholes();
    network.lastC = op.getYC();
  }
  auto isKnown = [](Value value) {
    MaybeShape shape = getStaticShape(value);
    return shape && !llvm::is_contained(*shape, 0) &&
           inlay::getElementType(value).isF32();
  };
  if (!llvm::all_of(op->getOperands(), isKnown))
    return std::nullopt;
  return network;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

Value Direction::getOwn(Value value) {
  return createSqueeze(
      expansion, createSlice(expansion, value, 0, number, number + 1), {0});
}

Term Direction::multiply(Value a, Value b, Value c) {
  OpBuilder &builder = expansion.getBuilder();
  FloatAttr one = builder.getF32FloatAttr(1);
  return term(expansion.create<GemmOp>(a, b, c, one, one, expansion.getI64(0),
                                       expansion.getI64(1)));
}

Direction::Direction(Expansion &expansion, const Network &network,
                     int64_t number)
    : expansion(expansion), network(network), number(number) {
  MaybeShape shape = getStaticShape(network.x);
  length = (*shape)[0];
  batch = (*shape)[1];
  size = (*shape)[2];
  hidden = getStaticShape(network.r)->back();
  int64_t numGates = countGates(network.kind);
  r = getOwn(network.r);
  if (network.peepholes)
    peepholes = getOwn(network.peepholes);
  Value bias;
  if (network.bias) {
    Value both = getOwn(network.bias);
    Term input = getBlock(both, 0, 0, numGates);
    stateBias = getBlock(both, 0, numGates, numGates);
    // Otherwise both are added to the same sum.
    bias = network.isLinearBeforeReset ? input : input + term(stateBias);
  }
  Value rows = createReshape(expansion, network.x, {length * batch, size});
  fromInput = multiply(rows, getOwn(network.w), bias);
}

Term Direction::activate(unsigned which, Term x, bool isGate) {
  if (network.clip && isGate)
    x = min(max(x, -*network.clip), *network.clip);
  const CellActivation &own =
      network.activations[number * countActivations(network.kind) + which];
  switch (own.function) {
  case CellFunction::Affine:
    return own.alpha * x + own.beta;
  case CellFunction::Elu:
    return term(expansion.create<EluOp>(
        x, expansion.getBuilder().getF32FloatAttr(own.alpha)));
  case CellFunction::HardSigmoid:
    return min(max(own.alpha * x + own.beta, 0.0), 1.0);
  case CellFunction::LeakyRelu:
    return select(x < 0.0, own.alpha * x, x);
  case CellFunction::Relu:
    return x.apply<ReluOp>();
  case CellFunction::ScaledTanh:
    return own.alpha * tanh(own.beta * x);
  case CellFunction::Sigmoid:
    return sigmoid(x);
  case CellFunction::Softplus:
    return x.apply<SoftplusOp>();
  case CellFunction::Softsign:
    return x / (1.0 + abs(x));
  case CellFunction::Tanh:
    return tanh(x);
  case CellFunction::ThresholdedRelu:
    return select(x > own.alpha, x, x.getNumber(0));
  }
  llvm_unreachable("covered switch");
}

/// The gates are update, reset and hidden.
State Direction::stepGRU(Value fromInput, State before) {
  Term h = term(before.h);
  auto getInput = [&](int64_t gate, int64_t count = 1) {
    return getBlock(fromInput, 1, gate, count);
  };
  std::optional<Term> update, next;
  if (network.isLinearBeforeReset) {
    Term fromState = multiply(h, r, stateBias);
    auto getState = [&](int64_t gate) { return getBlock(fromState, 1, gate); };
    update = activate(0, getInput(0) + getState(0));
    Term reset = activate(0, getInput(1) + getState(1));
    next = activate(1, getInput(2) + reset * getState(2));
  } else {
    Term gates = multiply(h, getBlock(r, 0, 0, 2), getInput(0, 2));
    update = activate(0, getBlock(gates, 1, 0));
    Term reset = activate(0, getBlock(gates, 1, 1));
    next = activate(1, multiply(reset * h, getBlock(r, 0, 2), getInput(2)));
  }
  return {(1.0 - *update) * *next + *update * h, {}};
}

/// The gates are input, output, forget and cell; the peepholes those of the
/// first three.
State Direction::stepLSTM(Term gates, State before) {
  auto getGate = [&](int64_t gate, Term cell) {
    Term own = getBlock(gates, 1, gate);
    if (peepholes)
      own = own + getBlock(peepholes, 0, gate) * cell;
    return activate(0, own);
  };
  Term c = term(before.c), input = getGate(0, c);
  Term forget = network.forgetsInput ? 1.0 - input : getGate(2, c);
  c = forget * c + input * activate(1, getBlock(gates, 1, 3));
  Term h = getGate(1, c) * activate(2, c, /*isGate=*/false);
  return {h, c};
}

State Direction::step(int64_t at, State before) {
  Value input =
      createSlice(expansion, fromInput, 0, at * batch, (at + 1) * batch);
  if (network.kind == CellKind::GRU)
    return stepGRU(input, before);
  Term gates = multiply(before.h, r, input);
  if (network.kind == CellKind::LSTM)
    return stepLSTM(gates, before);
  return {activate(0, gates), {}};
}

SmallVector<Value> Direction::run(State &state) {
  auto getFirst = [&](Value initial) {
    return initial ? getOwn(initial)
                   : expansion.createConstant(
                         HostTensor(ElementType::Float, {batch, hidden}));
  };
  state = {getFirst(network.initialH), {}};
  if (network.kind == CellKind::LSTM)
    state.c = getFirst(network.initialC);
  bool isReverse =
      network.direction == SequenceDirection::Reverse || number == 1;
  SmallVector<Value> states(length);
  for (int64_t i = 0; i < length; ++i) {
    int64_t at = isReverse ? length - 1 - i : i;
    state = step(at, state);
    states[at] = state.h;
  }
  return states;
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

/// The batch in front of what it is behind otherwise, or back.
static Value moveBatch(Expansion &expansion, const Network &network,
                       Value value, ArrayRef<int64_t> perm = {1, 0, 2}) {
  if (!network.isBatchFirst || !value)
    return value;
  return createTranspose(expansion, value, perm);
}

static Value join(Expansion &expansion, ArrayRef<Value> parts, int64_t axis) {
  return parts.size() == 1
             ? parts.front()
             : expansion.create<ConcatOp>(parts, expansion.getI64(axis));
}

template <typename OpT>
static LogicalResult expandNetwork(OpT op, Expansion &expansion) {
  std::optional<Network> network =
      expansion.isRequested() ? Network::get(op) : std::nullopt;
  if (!network)
    return failure();
  int64_t length = (*getStaticShape(network->x))[network->isBatchFirst ? 1 : 0];
  if (length > maxLength)
    return failure();
  for (Value *own : {&network->x, &network->initialH, &network->initialC})
    *own = moveBatch(expansion, *network, *own);
  SmallVector<Value> all, lastH, lastC;
  for (int64_t d = 0; d < countDirections(network->direction); ++d) {
    State state;
    SmallVector<Value> states = Direction(expansion, *network, d).run(state);
    if (!network->y.use_empty())
      for (Value &own : states)
        own = createUnsqueeze(expansion, own, {0, 1});
    all.push_back(network->y.use_empty() ? Value()
                                         : join(expansion, states, 0));
    lastH.push_back(createUnsqueeze(expansion, state.h, {0}));
    if (state.c)
      lastC.push_back(createUnsqueeze(expansion, state.c, {0}));
  }
  if (!network->y.use_empty())
    expansion.set(network->y, moveBatch(expansion, *network,
                                        join(expansion, all, 1), {2, 0, 1, 3}));
  expansion.set(network->lastH,
                moveBatch(expansion, *network, join(expansion, lastH, 0)));
  if (network->lastC)
    expansion.set(network->lastC,
                  moveBatch(expansion, *network, join(expansion, lastC, 0)));
  return success();
}

void inlay::registerRecurrentExpansions(MLIRContext &context) {
  attachExpansion<RNNOp, expandNetwork<RNNOp>>(context);
  attachExpansion<GRUOp, expandNetwork<GRUOp>>(context);
  attachExpansion<LSTMOp, expandNetwork<LSTMOp>>(context);
}
