//===- AttentionShape.cpp - The extents of an attention -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/AttentionShape.h"
#include "Extents.h"
#include "Inference.h"
#include "inlay/IR/Constants.h"
#include "inlay/Tensor/SmallFloat.h"

using namespace inlay;
using namespace mlir;

namespace {
/// Collects extents operand by operand and reports the first that disagrees.
class ExtentReader {
public:
  ExtentReader(AttentionShape &shape, TypeInference &inference)
      : shape(shape), inference(inference) {}

  LogicalResult readRank(AttentionOp op);
  /// (batch, heads, length, size), or (batch, length, heads * size).
  LogicalResult readHeads(StringRef name, Value value, int64_t &heads,
                          int64_t &length, int64_t &size);
  LogicalResult readPast(StringRef name, Value value, int64_t size);
  LogicalResult readMask(Value mask);
  LogicalResult take(StringRef name, StringRef what, int64_t found,
                     int64_t &known);

private:
  AttentionShape &shape;
  TypeInference &inference;
};
} // namespace

LogicalResult ExtentReader::take(StringRef name, StringRef what, int64_t found,
                                 int64_t &known) {
  if (!areCompatibleExtents(found, known))
    return inference.error(name + " has " + what + " " + Twine(found) +
                           ", expected " + Twine(known));
  known = meetExtents(known, found);
  return success();
}

LogicalResult ExtentReader::readRank(AttentionOp op) {
  std::tuple<StringRef, Value> operands[] = {
      {"query", op.getQuery()}, {"key", op.getKey()}, {"value", op.getValue()}};
  for (auto [name, value] : operands) {
    std::optional<int64_t> rank = getRank(value);
    if (!rank)
      continue;
    if (*rank != 3 && *rank != 4)
      return inference.error(name + " has rank " + Twine(*rank) +
                             ", expected 3 or 4");
    if (shape.rank != 0 && *rank != shape.rank)
      return inference.error(name + " has rank " + Twine(*rank) +
                             ", expected that of the query, " +
                             Twine(shape.rank));
    shape.rank = *rank;
  }
  if (shape.rank != 3)
    return success();
  std::tuple<StringRef, int64_t> heads[] = {{"q_num_heads", shape.queryHeads},
                                            {"kv_num_heads", shape.keyHeads}};
  for (auto [name, count] : heads)
    if (isUnknown(count))
      return inference.error("operands of rank 3 need '" + name + "'");
  return success();
}

LogicalResult ExtentReader::readHeads(StringRef name, Value value,
                                      int64_t &heads, int64_t &length,
                                      int64_t &size) {
  MaybeShape extents = getShape(value);
  if (!extents)
    return success();
  bool isMerged = shape.rank == 3;
  if (failed(take(name, "batch size", (*extents)[0], shape.batch)) ||
      failed(
          take(name, "sequence length", (*extents)[isMerged ? 1 : 2], length)))
    return failure();
  if (!isMerged) {
    if (failed(take(name, "number of heads", (*extents)[1], heads)))
      return failure();
    return take(name, "head size", (*extents)[3], size);
  }
  int64_t hidden = (*extents)[2];
  if (isUnknown(hidden))
    return success();
  if (hidden % heads != 0)
    return inference.error(name + " has hidden size " + Twine(hidden) +
                           ", expected a multiple of its " + Twine(heads) +
                           " heads");
  return take(name, "head size", hidden / heads, size);
}

LogicalResult ExtentReader::readPast(StringRef name, Value value,
                                     int64_t size) {
  return checkShape(inference, name, value,
                    {shape.batch, shape.keyHeads, shape.pastLength, size});
}

/// The mask broadcasts to the scores, but may end before the keys do.
LogicalResult ExtentReader::readMask(Value mask) {
  MaybeShape extents = mask ? getShape(mask) : std::nullopt;
  if (!extents || extents->empty())
    return success();
  SmallVector<int64_t> scores = shape.getScores();
  bool isLong = !isUnknown(scores.back()) && extents->back() > scores.back();
  scores.back() = extents->back();
  if (isLong || !mayBroadcastTo(*extents, scores)) {
    scores.back() = shape.keyLength;
    return inference.error("attn_mask of shape " + formatExtents(*extents) +
                           " does not broadcast to the scores of shape " +
                           formatExtents(scores));
  }
  return success();
}

/// A number of heads that an attribute states.
static int64_t getHeads(std::optional<uint64_t> attribute) {
  return attribute && *attribute != 0 ? int64_t(*attribute)
                                      : ShapedType::kDynamic;
}

LogicalResult AttentionShape::infer(AttentionOp op, TypeInference &inference) {
  queryHeads = getHeads(op.getQNumHeads());
  keyHeads = getHeads(op.getKvNumHeads());
  for (int64_t heads : {queryHeads, keyHeads})
    if (!isUnknown(heads) && heads < 0)
      return inference.error("has " + Twine(heads) +
                             " heads, expected a positive number");
  ExtentReader reader(*this, inference);
  if (failed(reader.readRank(op)) ||
      failed(reader.readHeads("query", op.getQuery(), queryHeads, queryLength,
                              headSize)) ||
      failed(reader.readHeads("key", op.getKey(), keyHeads, keyLength,
                              headSize)) ||
      failed(reader.readHeads("value", op.getValue(), keyHeads, keyLength,
                              valueHeadSize)))
    return failure();
  if (!isUnknown(queryHeads) && !isUnknown(keyHeads) &&
      (keyHeads == 0 || queryHeads % keyHeads != 0))
    return inference.error("query has " + Twine(queryHeads) +
                           " heads, expected a multiple of the " +
                           Twine(keyHeads) + " of the key");
  if (Value past = op.getPastKey()) {
    MaybeShape extents = getShape(past);
    pastLength =
        extents && extents->size() == 4 ? (*extents)[2] : ShapedType::kDynamic;
    if (failed(reader.readPast("past_key", past, headSize)) ||
        failed(reader.readPast("past_value", op.getPastValue(), valueHeadSize)))
      return failure();
    keyLength = addExtents(keyLength, pastLength);
  }
  if (failed(reader.readMask(op.getAttnMask())))
    return failure();
  return checkShape(inference, "nonpad_kv_seqlen", op.getNonpadKvSeqlen(),
                    {batch});
}

bool AttentionShape::hasWholeMask(Value mask) const {
  if (!mask)
    return true;
  MaybeShape extents = inlay::getShape(mask);
  return extents && (extents->empty() ||
                     (!isUnknown(keyLength) && extents->back() == keyLength));
}

MaybeShape AttentionShape::getResult() const {
  if (rank == 4)
    return SmallVector<int64_t>{batch, queryHeads, queryLength, valueHeadSize};
  if (rank == 3)
    return SmallVector<int64_t>{batch, queryLength,
                                mulExtents(queryHeads, valueHeadSize)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

bool inlay::showsEveryRow(Value mask, bool isInverted) {
  Attribute constant = getConstantValue(mask);
  MaybeShape shape = inlay::getShape(mask);
  if (!constant || !shape || shape->empty())
    return false;
  llvm::Expected<HostTensor> values = getHostTensor(constant);
  if (!values)
    return llvm::consumeError(values.takeError()), false;
  bool isCondition = values->getType() == ElementType::Bool;
  double lowest = getLowestFloat(values->getType());
  int64_t keys = shape->back(), numShown = 0;
  for (int64_t i = 0, e = values->getNumElements(); i != e; ++i) {
    double value = values->getDouble(i);
    numShown += isCondition ? (value != 0) != isInverted : !(value <= lowest);
    if ((i + 1) % keys != 0)
      continue;
    if (numShown == 0)
      return false;
    numShown = 0;
  }
  return true;
}
