//===- Recurrent.cpp - Reference RNN, GRU and LSTM ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Recurrent.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Kernels/Movement.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
struct Extents {
  int64_t length, batch, size, directions, hidden, gates;
};
} // namespace

static Error checkShape(const HostTensor *tensor, llvm::StringRef name,
                        ArrayRef<int64_t> expected) {
  if (!tensor || tensor->getShape() == expected)
    return Error::success();
  return modelError("operand '" + name + "' of a recurrent network must be " +
                    formatShape(expected) + ", but is " +
                    formatShape(tensor->getShape()));
}

static Error checkLengths(const HostTensor *lengths, const Extents &extents) {
  if (!lengths)
    return Error::success();
  if (Error error = checkShape(lengths, "sequence_lens", {extents.batch}))
    return error;
  for (int64_t length : lengths->getInts())
    if (length < 0 || length > extents.length)
      return modelError("a length of a sequence must be in [0, " +
                        llvm::Twine(extents.length) + "], but is " +
                        llvm::Twine(length));
  return Error::success();
}

static Error checkTypes(const RecurrentOperands &operands) {
  const HostTensor *given[] = {
      &operands.x,       &operands.w,       &operands.r,       operands.b,
      operands.initialH, operands.initialC, operands.peepholes};
  for (const HostTensor *tensor : given)
    if (tensor)
      if (Error error =
              checkFloat(*tensor, "an operand of a recurrent network"))
        return error;
  return Error::success();
}

/// The extents that all operands agree on.
static Expected<Extents> getExtents(const RecurrentOperands &operands,
                                    const RecurrentOptions &options) {
  if (Error error = checkTypes(operands))
    return std::move(error);
  if (operands.x.getRank() != 3 || operands.r.getRank() != 3)
    return modelError("a sequence and its weights must have rank 3, but are " +
                      formatShape(operands.x.getShape()) + " and " +
                      formatShape(operands.r.getShape()));
  Extents e{operands.x.getDim(0), operands.x.getDim(1),
            operands.x.getDim(2), countDirections(options.direction),
            operands.r.getDim(2), countGates(options.kind)};
  std::optional<int64_t> biases = checkedMul(2 * e.gates, e.hidden);
  if (!biases)
    return modelError("too many hidden elements: " + llvm::Twine(e.hidden));
  int64_t rows = *biases / 2;
  HostTensor::Shape state{e.directions, e.batch, e.hidden};
  if (Error error = checkShape(&operands.w, "W", {e.directions, rows, e.size}))
    return std::move(error);
  if (Error error =
          checkShape(&operands.r, "R", {e.directions, rows, e.hidden}))
    return std::move(error);
  if (Error error = checkShape(operands.b, "B", {e.directions, *biases}))
    return std::move(error);
  if (Error error = checkShape(operands.initialH, "initial_h", state))
    return std::move(error);
  if (Error error = checkShape(operands.initialC, "initial_c", state))
    return std::move(error);
  if (Error error =
          checkShape(operands.peepholes, "P", {e.directions, 3 * e.hidden}))
    return std::move(error);
  if (Error error = checkLengths(operands.lengths, e))
    return std::move(error);
  return e;
}

/// The elements of one direction; zeros where there is no tensor.
static std::vector<double> getDirection(const HostTensor *tensor, int64_t d,
                                        int64_t count) {
  std::vector<double> values(count);
  if (tensor)
    loadElements(*tensor, d * count, MutableArrayRef<double>(values));
  return values;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {
/// One network: its parameters, and how it goes on by a step.
class Cell {
public:
  Cell(const RecurrentOperands &operands, const RecurrentOptions &options,
       const Extents &extents, int64_t direction);

  /// Replaces the state, of which the second part is that of an LSTM.
  void step(ArrayRef<double> x, MutableArrayRef<double> h,
            MutableArrayRef<double> c);

private:
  void stepRNN(MutableArrayRef<double> h);
  void stepGRU(MutableArrayRef<double> h);
  void stepLSTM(MutableArrayRef<double> h, MutableArrayRef<double> c);

  /// Row `row` of the products with the input and with a state, each with its
  /// bias.
  double getInput(int64_t row) const { return fromInput[row]; }
  double multiplyState(int64_t row, ArrayRef<double> state) const;
  double activate(unsigned which, double x) const;

  const RecurrentOptions &options;
  const CellActivation *activations;
  int64_t hidden, size;
  /// The bias has those of the input first, then those of the state.
  std::vector<double> w, r, bias, peepholes;
  /// Of the step that is being taken.
  std::vector<double> fromInput, before;
};
} // namespace

Cell::Cell(const RecurrentOperands &operands, const RecurrentOptions &options,
           const Extents &extents, int64_t direction)
    : options(options), activations(options.activations.data() +
                                    direction * countActivations(options.kind)),
      hidden(extents.hidden), size(extents.size) {
  int64_t rows = extents.gates * hidden;
  w = getDirection(&operands.w, direction, rows * size);
  r = getDirection(&operands.r, direction, rows * hidden);
  bias = getDirection(operands.b, direction, 2 * rows);
  peepholes = getDirection(operands.peepholes, direction, 3 * hidden);
  fromInput.resize(rows);
}

static double multiply(ArrayRef<double> row, ArrayRef<double> x) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += row[i] * x[i];
  return sum;
}

double Cell::multiplyState(int64_t row, ArrayRef<double> state) const {
  return multiply(ArrayRef(r).slice(row * hidden, hidden), state) +
         bias[fromInput.size() + row];
}

double Cell::activate(unsigned which, double x) const {
  if (options.clip)
    x = std::min(std::max(x, -double(*options.clip)), double(*options.clip));
  return activations[which](x);
}

void Cell::step(ArrayRef<double> x, MutableArrayRef<double> h,
                MutableArrayRef<double> c) {
  for (size_t row = 0; row < fromInput.size(); ++row)
    fromInput[row] =
        multiply(ArrayRef(w).slice(row * size, size), x) + bias[row];
  before.assign(h.begin(), h.end());
  switch (options.kind) {
  case CellKind::RNN:
    return stepRNN(h);
  case CellKind::GRU:
    return stepGRU(h);
  case CellKind::LSTM:
    return stepLSTM(h, c);
  }
}

void Cell::stepRNN(MutableArrayRef<double> h) {
  for (int64_t i = 0; i < hidden; ++i)
    h[i] = activate(0, getInput(i) + multiplyState(i, before));
}

/// The gates are update, reset and hidden.
void Cell::stepGRU(MutableArrayRef<double> h) {
  std::vector<double> reset(hidden), kept(before);
  for (int64_t i = 0; i < hidden; ++i) {
    int64_t row = hidden + i;
    reset[i] = activate(0, getInput(row) + multiplyState(row, before));
    kept[i] *= reset[i];
  }
  for (int64_t i = 0; i < hidden; ++i) {
    int64_t row = 2 * hidden + i;
    double fromState = options.linearBeforeReset
                           ? reset[i] * multiplyState(row, before)
                           : multiplyState(row, kept);
    double next = activate(1, getInput(row) + fromState);
    double update = activate(0, getInput(i) + multiplyState(i, before));
    h[i] = (1 - update) * next + update * before[i];
  }
}

/// The gates are input, output, forget and cell; the peepholes those of the
/// first three.
void Cell::stepLSTM(MutableArrayRef<double> h, MutableArrayRef<double> c) {
  for (int64_t i = 0; i < hidden; ++i) {
    auto getGate = [&](int64_t gate, double peephole) {
      int64_t row = gate * hidden + i;
      return getInput(row) + multiplyState(row, before) + peephole;
    };
    double input = activate(0, getGate(0, peepholes[i] * c[i]));
    double forget =
        options.inputForget
            ? 1 - input
            : activate(0, getGate(2, peepholes[2 * hidden + i] * c[i]));
    c[i] = forget * c[i] + input * activate(1, getGate(3, 0));
    double output = activate(0, getGate(1, peepholes[hidden + i] * c[i]));
    h[i] = output * activations[2](c[i]);
  }
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

static Expected<RecurrentResults> allocateResults(const Extents &e,
                                                  ElementType type) {
  auto y =
      HostTensor::allocate(type, {e.length, e.directions, e.batch, e.hidden});
  auto lastH = HostTensor::allocate(type, {e.directions, e.batch, e.hidden});
  auto lastC = HostTensor::allocate(type, {e.directions, e.batch, e.hidden});
  if (!y || !lastH || !lastC)
    return llvm::joinErrors(
        y.takeError(), llvm::joinErrors(lastH.takeError(), lastC.takeError()));
  return RecurrentResults{*y, *lastH, *lastC};
}

/// Takes one network along the sequence of one batch.
static void runSequence(Cell &cell, const RecurrentOperands &operands,
                        const Extents &e, bool isReverse, int64_t direction,
                        int64_t batch, RecurrentResults &results) {
  int64_t length =
      operands.lengths ? operands.lengths->getInt(batch) : e.length;
  int64_t state = direction * e.batch + batch;
  std::vector<double> x(e.size),
      h = getDirection(operands.initialH, state, e.hidden),
      c = getDirection(operands.initialC, state, e.hidden);
  auto round = [&](std::vector<double> &values, HostTensor &kept, int64_t at) {
    storeElements(kept, at, ArrayRef<double>(values));
    loadElements(kept, at, MutableArrayRef<double>(values));
  };
  for (int64_t i = 0; i < length; ++i) {
    int64_t step = isReverse ? length - 1 - i : i;
    loadElements(operands.x, (step * e.batch + batch) * e.size,
                 MutableArrayRef<double>(x));
    cell.step(x, h, c);
    round(h, results.lastH, state * e.hidden);
    round(c, results.lastC, state * e.hidden);
    int64_t row = (step * e.directions + direction) * e.batch + batch;
    storeElements(results.y, row * e.hidden, ArrayRef<double>(h));
  }
}

static Expected<RecurrentResults> runAll(const RecurrentOperands &operands,
                                         const RecurrentOptions &options) {
  Expected<Extents> extents = getExtents(operands, options);
  if (!extents)
    return extents.takeError();
  Expected<RecurrentResults> results =
      allocateResults(*extents, operands.x.getType());
  if (!results)
    return results;
  for (int64_t d = 0; d < extents->directions; ++d) {
    bool isReverse = options.direction == SequenceDirection::Reverse || d == 1;
    Cell cell(operands, options, *extents, d);
    for (int64_t batch = 0; batch < extents->batch; ++batch)
      runSequence(cell, operands, *extents, isReverse, d, batch, *results);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// The batch first
//===----------------------------------------------------------------------===//

/// Replaces a tensor by its transpose.
static Error move(HostTensor &tensor, ArrayRef<int64_t> permutation) {
  if (tensor.getRank() != int64_t(permutation.size()))
    return modelError("a sequence or state must have rank 3, but is " +
                      formatShape(tensor.getShape()));
  Expected<HostTensor> moved = transpose(tensor, permutation);
  if (!moved)
    return moved.takeError();
  tensor = std::move(*moved);
  return Error::success();
}

static Error moveBatchInward(RecurrentOperands &operands, HostTensor &h,
                             HostTensor &c) {
  if (Error error = move(operands.x, {1, 0, 2}))
    return error;
  for (auto [own, given] :
       {std::pair(&h, &operands.initialH), std::pair(&c, &operands.initialC)}) {
    if (!*given)
      continue;
    *own = **given;
    if (Error error = move(*own, {1, 0, 2}))
      return error;
    *given = own;
  }
  return Error::success();
}

Expected<RecurrentResults> kernels::recurrent(const RecurrentOperands &operands,
                                              const RecurrentOptions &options) {
  if (!options.batchFirst)
    return runAll(operands, options);
  RecurrentOperands moved = operands;
  HostTensor h, c;
  if (Error error = moveBatchInward(moved, h, c))
    return std::move(error);
  Expected<RecurrentResults> results = runAll(moved, options);
  if (!results)
    return results;
  if (Error error = move(results->y, {2, 0, 1, 3}))
    return std::move(error);
  if (Error error = move(results->lastH, {1, 0, 2}))
    return std::move(error);
  if (Error error = move(results->lastC, {1, 0, 2}))
    return std::move(error);
  return results;
}
