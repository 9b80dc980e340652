//===- Attention.cpp - Reference attention --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (1) All operands become (batch, heads, length, size), the past in front.
// (2) Queries that share a head of the key are one product of more rows.
// (3) Row by row: scale, softcap, mask, softmax. (4) The product with the
// value.
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Attention.h"
#include "ContractionCore.h"
#include "inlay/Tensor/Broadcast.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Kernels/Cast.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include <cmath>

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
/// The operands in their form of rank 4, and the extents they agree on.
struct Heads {
  HostTensor query, key, value;
  int64_t batch, queryHeads, keyHeads, queryLength, keyLength, pastLength;
};
} // namespace

static Error wrongOperand(const llvm::Twine &what, ArrayRef<int64_t> shape,
                          const llvm::Twine &expected) {
  return modelError("the " + what + " of Attention must " + expected +
                    ", but has shape " + formatShape(shape));
}

/// (batch, length, heads * size) as (batch, heads, length, size).
static Expected<HostTensor> splitHeads(const HostTensor &x, int64_t heads,
                                       llvm::StringRef name) {
  if (x.getRank() == 4)
    return x;
  if (x.getRank() != 3)
    return wrongOperand(name, x.getShape(), "have rank 3 or 4");
  if (heads <= 0 || x.getDim(2) % heads != 0)
    return wrongOperand(name, x.getShape(),
                        "consist of " + llvm::Twine(heads) + " heads");
  return transpose(
      x.reshaped({x.getDim(0), x.getDim(1), heads, x.getDim(2) / heads}),
      {0, 2, 1, 3});
}

static Expected<HostTensor> addPast(const HostTensor *past,
                                    Expected<HostTensor> present,
                                    llvm::StringRef name) {
  if (!past || !present)
    return present;
  if (past->getType() != present->getType() || past->getRank() != 4)
    return wrongOperand("past " + name, past->getShape(),
                        "have the type and rank of the " + name);
  return concat({*past, *present}, 2);
}

static Error checkHeads(const Heads &heads) {
  ArrayRef<int64_t> query = heads.query.getShape(), key = heads.key.getShape();
  ArrayRef<int64_t> value = heads.value.getShape();
  if (key[0] != query[0] || key[3] != query[3])
    return wrongOperand("key", key, "fit the query of " + formatShape(query));
  if (value.take_front(3) != key.take_front(3))
    return wrongOperand("value", value, "fit the key of " + formatShape(key));
  if (key[1] == 0 || query[1] % key[1] != 0)
    return wrongOperand("query", query,
                        "have a multiple of " + llvm::Twine(key[1]) + " heads");
  return Error::success();
}

static Expected<Heads> getHeads(const AttentionOperands &operands,
                                const AttentionOptions &options) {
  for (const HostTensor *x : {&operands.query, &operands.key, &operands.value})
    if (Error error = checkFloat(*x, "an operand of Attention"))
      return std::move(error);
  auto query = splitHeads(operands.query, options.queryHeads, "query");
  if (!query)
    return query.takeError();
  auto key = addPast(operands.pastKey,
                     splitHeads(operands.key, options.keyHeads, "key"), "key");
  if (!key)
    return key.takeError();
  auto value =
      addPast(operands.pastValue,
              splitHeads(operands.value, options.keyHeads, "value"), "value");
  if (!value)
    return value.takeError();
  int64_t past = operands.pastKey ? operands.pastKey->getDim(2) : 0;
  Heads heads{*query,
              *key,
              *value,
              query->getDim(0),
              query->getDim(1),
              key->getDim(1),
              query->getDim(2),
              key->getDim(2),
              past};
  if (Error error = checkHeads(heads))
    return std::move(error);
  return heads;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

namespace {
/// What is added to a row of scores, and which of them are masked whatever
/// they are.
struct RowMask {
  explicit RowMask(int64_t size) : bias(size), isMasked(size) {}

  std::vector<double> bias;
  std::vector<bool> isMasked;
};

/// The mask operand, the lengths and the order of time, row by row.
class Masks {
public:
  static Expected<Masks> get(const AttentionOperands &operands,
                             const AttentionOptions &options,
                             const Heads &heads);

  void load(int64_t batch, int64_t head, int64_t row, RowMask &mask);
  bool areAbsent() const { return !mask && !lengths && !isCausal; }

private:
  Masks(const AttentionOperands &operands, const AttentionOptions &options,
        const Heads &heads)
      : mask(operands.mask), lengths(operands.lengths),
        isCausal(options.isCausal), queryLength(heads.queryLength),
        keyLength(heads.keyLength), pastLength(heads.pastLength) {}

  Error readShape(const Heads &heads);
  void loadOperand(int64_t batch, int64_t head, int64_t row, RowMask &out);

  const HostTensor *mask, *lengths;
  bool isCausal;
  int64_t queryLength, keyLength, pastLength;
  /// Of the mask operand along batch, heads, rows and keys.
  llvm::SmallVector<int64_t, 4> strides;
  std::vector<double> values;
};
} // namespace

Expected<Masks> Masks::get(const AttentionOperands &operands,
                           const AttentionOptions &options,
                           const Heads &heads) {
  Masks masks(operands, options, heads);
  if (masks.mask)
    if (Error error = masks.readShape(heads))
      return std::move(error);
  if (!masks.lengths)
    return masks;
  if (masks.lengths->getNumElements() != heads.batch ||
      !isInteger(masks.lengths->getType()))
    return wrongOperand("lengths", masks.lengths->getShape(),
                        "hold " + llvm::Twine(heads.batch) + " integers");
  for (int64_t length : masks.lengths->getInts())
    if (length < 0 || length > heads.keyLength)
      return modelError("a length of Attention must be in [0, " +
                        llvm::Twine(heads.keyLength) + "], but is " +
                        llvm::Twine(length));
  return masks;
}

Error Masks::readShape(const Heads &heads) {
  if (Error error = checkNumeric(*mask, "the mask of Attention"))
    return error;
  HostTensor::Shape full{heads.batch, heads.queryHeads, queryLength, keyLength};
  // What the last dimension lacks is masked, not broadcast.
  if (mask->getRank() != 0 && mask->getShape().back() < keyLength)
    full.back() = mask->getShape().back();
  if (!isBroadcastableTo(mask->getShape(), full))
    return wrongOperand("mask", mask->getShape(),
                        "broadcast to " + formatShape(full));
  strides = getBroadcastStrides(mask->getShape(), full);
  values.resize(full.back());
  return Error::success();
}

void Masks::loadOperand(int64_t batch, int64_t head, int64_t row,
                        RowMask &out) {
  int64_t at = batch * strides[0] + head * strides[1] + row * strides[2];
  if (strides[3] == 0 && !values.empty()) {
    loadElements(*mask, at, MutableArrayRef<double>(values[0]));
    std::fill(values.begin(), values.end(), values[0]);
  } else {
    loadElements(*mask, at, MutableArrayRef<double>(values));
  }
  bool isBool = mask->getType() == ElementType::Bool;
  for (int64_t i = 0; i < keyLength; ++i) {
    double value = size_t(i) < values.size() ? values[i]
                   : isBool                  ? 0
                            : -std::numeric_limits<double>::infinity();
    out.bias[i] = isBool ? 0 : value;
    out.isMasked[i] = isBool && value == 0;
  }
}

void Masks::load(int64_t batch, int64_t head, int64_t row, RowMask &out) {
  if (mask)
    loadOperand(batch, head, row, out);
  else
    out = RowMask(keyLength);
  int64_t length = lengths ? lengths->getInt(batch) : keyLength;
  int64_t own = lengths ? length - queryLength + row : pastLength + row;
  for (int64_t i = 0; i < keyLength; ++i)
    if (i >= length || (isCausal && i > own))
      out.isMasked[i] = true;
}

//===----------------------------------------------------------------------===//
// Rows of scores
//===----------------------------------------------------------------------===//

namespace {
/// The steps between the two products, on one row at a time.
class Rows {
public:
  Rows(ElementType type, const AttentionOptions &options, double scale,
       int64_t size)
      : options(options), scale(scale), lowest(getLowestFloat(type)),
        rounded(type, {size}) {}

  /// Replaces products by weights. `scores` gets what the options ask for.
  void run(MutableArrayRef<double> row, const RowMask &mask,
           MutableArrayRef<double> scores);

private:
  void round(MutableArrayRef<double> row) {
    storeElements(rounded, 0, ArrayRef<double>(row));
    loadElements(rounded, 0, row);
  }
  void keep(ScoreStep step, ArrayRef<double> row,
            MutableArrayRef<double> scores) const {
    if (step == options.scoreStep)
      llvm::copy(row, scores.begin());
  }
  void applyMask(MutableArrayRef<double> row, const RowMask &mask) const;
  void applySoftmax(MutableArrayRef<double> row) const;
  bool isAllMasked(const RowMask &mask) const;

  const AttentionOptions &options;
  double scale, lowest;
  HostTensor rounded;
};
} // namespace

void Rows::applyMask(MutableArrayRef<double> row, const RowMask &mask) const {
  double masked = options.maskedRows == MaskedRows::Zero
                      ? lowest
                      : -std::numeric_limits<double>::infinity();
  for (auto [i, score] : llvm::enumerate(row))
    score = mask.isMasked[i] ? masked : score + mask.bias[i];
}

bool Rows::isAllMasked(const RowMask &mask) const {
  for (size_t i = 0; i < mask.bias.size(); ++i)
    if (!mask.isMasked[i] && !(mask.bias[i] <= lowest))
      return false;
  return true;
}

void Rows::applySoftmax(MutableArrayRef<double> row) const {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (double score : row)
    if (score > largest || std::isnan(score))
      largest = score;
  for (double &score : row) {
    score = std::exp(score - largest);
    sum += score;
  }
  for (double &score : row)
    score /= sum;
}

void Rows::run(MutableArrayRef<double> row, const RowMask &mask,
               MutableArrayRef<double> scores) {
  for (double &score : row)
    score *= scale;
  round(row);
  keep(ScoreStep::Product, row, scores);
  if (options.softcap > 0) {
    for (double &score : row)
      score = std::tanh(score / options.softcap) * options.softcap;
    round(row);
  }
  keep(ScoreStep::Softcap, row, scores);
  applyMask(row, mask);
  round(row);
  keep(ScoreStep::Mask, row, scores);
  if (options.maskedRows == MaskedRows::Zero && isAllMasked(mask)) {
    std::fill(row.begin(), row.end(), 0.0);
  } else {
    applySoftmax(row);
    round(row);
  }
  if (options.maskedRows == MaskedRows::NanToZero)
    for (double &weight : row)
      weight = std::isnan(weight) ? 0 : weight;
  keep(ScoreStep::Softmax, row, scores);
}

/// The products in `weights` become weights; returns the scores.
static Expected<HostTensor> weigh(HostTensor &weights, const Heads &heads,
                                  const AttentionOptions &options,
                                  Masks masks) {
  Expected<HostTensor> scores = HostTensor::allocate(
      heads.query.getType(),
      {heads.batch, heads.queryHeads, heads.queryLength, heads.keyLength});
  if (!scores || heads.keyLength == 0)
    return scores;
  double scale =
      options.scale.value_or(float(1.0 / std::sqrt(heads.query.getDim(3))));
  Rows rows(heads.query.getType(), options, scale, heads.keyLength);
  RowMask mask(heads.keyLength);
  std::vector<double> row(heads.keyLength), kept(heads.keyLength);
  int64_t at = 0;
  for (int64_t batch = 0; batch < heads.batch; ++batch)
    for (int64_t head = 0; head < heads.queryHeads; ++head)
      for (int64_t i = 0; i < heads.queryLength; ++i, at += heads.keyLength) {
        if (!masks.areAbsent())
          masks.load(batch, head, i, mask);
        loadElements(weights, at, MutableArrayRef<double>(row));
        rows.run(row, mask, kept);
        storeElements(weights, at, ArrayRef<double>(row));
        storeElements(*scores, at, ArrayRef<double>(kept));
      }
  return scores;
}

//===----------------------------------------------------------------------===//
// Both products
//===----------------------------------------------------------------------===//

/// (batch, key heads, rows, k) times (batch, key heads, k, columns) in double.
/// Heads of `left` that share one of `right` are further rows.
static Expected<HostTensor> multiply(const HostTensor &left,
                                     Expected<HostTensor> right) {
  if (!right)
    return right;
  Expected<HostTensor> a = cast(left, ElementType::Double);
  Expected<HostTensor> b = cast(*right, ElementType::Double);
  if (!a || !b)
    return llvm::joinErrors(a.takeError(), b.takeError());
  ArrayRef<int64_t> shape = left.getShape();
  int64_t sharing = shape[1] / right->getDim(1);
  Expected<HostTensor> product = matmulTo(
      ElementType::Double,
      a->reshaped({shape[0], right->getDim(1), sharing * shape[2], shape[3]}),
      *b);
  if (!product)
    return product;
  return product->reshaped({shape[0], shape[1], shape[2], right->getDim(3)});
}

/// The product of the weights and the value in the form of the query.
static Expected<HostTensor> finish(HostTensor product, ElementType type,
                                   int64_t rank) {
  if (rank == 3) {
    Expected<HostTensor> moved = transpose(product, {0, 2, 1, 3});
    if (!moved)
      return moved;
    ArrayRef<int64_t> shape = moved->getShape();
    product = moved->reshaped({shape[0], shape[1], shape[2] * shape[3]});
  }
  return cast(product, type);
}

Expected<AttentionResults> kernels::attention(const AttentionOperands &operands,
                                              const AttentionOptions &options) {
  Expected<Heads> heads = getHeads(operands, options);
  if (!heads)
    return heads.takeError();
  Expected<Masks> masks = Masks::get(operands, options, *heads);
  if (!masks)
    return masks.takeError();
  Expected<HostTensor> weights =
      multiply(heads->query, transpose(heads->key, {0, 1, 3, 2}));
  if (!weights)
    return weights.takeError();
  Expected<HostTensor> scores =
      weigh(*weights, *heads, options, std::move(*masks));
  if (!scores)
    return scores.takeError();
  Expected<HostTensor> product = multiply(*weights, heads->value);
  if (!product)
    return product.takeError();
  Expected<HostTensor> result = finish(
      std::move(*product), operands.query.getType(), operands.query.getRank());
  if (!result)
    return result.takeError();
  return AttentionResults{*result, heads->key, heads->value, *scores};
}
