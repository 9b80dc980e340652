//===- GraphGenerator.h - Random modules of typed operators -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph grows operator by operator, and each is evaluated as it is added: the
// generator knows every tensor, so that whatever would be invalid, too large or
// not comparable is taken back at once. Operators therefore need not be drawn
// with care: a family proposes, the generator disposes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_GRAPHGENERATOR_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_GRAPHGENERATOR_H

#include "inlay/IR/Evaluation.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>
#include <random>

namespace inlay::testing {

/// A module and the inputs to run it on.
struct RandomGraph {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<HostTensor> inputs;
  /// Results are the same bit for bit however tensors are stored; otherwise
  /// within 1e-10 of their range.
  bool isExact = true;
};

/// The same graph for the same seed, on every machine.
RandomGraph makeRandomGraph(mlir::MLIRContext &context, uint64_t seed,
                            unsigned numOps);

/// What an operator does to numbers, as bits.
enum Numerics : unsigned {
  /// Every element follows from single elements, bit for bit.
  Exact = 0,
  /// It adds up elements, in an order that depends on how they are stored.
  Sums = 1,
  /// Its sums are not of integers whatever the operands are.
  Inexact = 2,
  /// A small change of an operand may change the result much.
  Jumps = 4,
};

struct KnownValue {
  mlir::Value value;
  HostTensor tensor;
  /// It does not depend on the order of sums.
  bool isExact = true;

  ElementType getType() const { return tensor.getType(); }
  llvm::ArrayRef<int64_t> getShape() const { return tensor.getShape(); }
  int64_t getRank() const { return tensor.getRank(); }
};

using KnownValues = llvm::SmallVector<KnownValue, 3>;
using Attributes = llvm::SmallVector<mlir::NamedAttribute, 4>;
using Shape = llvm::SmallVector<int64_t>;

class GraphGenerator {
public:
  GraphGenerator(mlir::MLIRContext &context, uint64_t seed);

  RandomGraph run(unsigned numOps);

  // Chance.
  unsigned draw(unsigned bound) { return random() % bound; }
  /// A number of [low, high].
  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  bool chance(unsigned percent) { return draw(100) < percent; }
  template <typename T> T choose(std::initializer_list<T> choices) {
    return choices.begin()[draw(unsigned(choices.size()))];
  }
  Shape drawPermutation(int64_t rank);
  /// A dimension, counted from the end in one of four cases.
  int64_t drawAxis(int64_t rank) {
    int64_t axis = draw(0, rank - 1);
    return chance(25) ? axis - rank : axis;
  }
  /// Some dimensions, each once, in any order.
  Shape drawAxes(int64_t rank, unsigned percent);
  int64_t drawExtent();

  // Values.
  using Predicate = std::function<bool(const KnownValue &)>;
  /// One of those that `test` holds for, often a recent one.
  std::optional<KnownValue> pick(const Predicate &test);
  /// One of floats and of at least `rank` dimensions.
  std::optional<KnownValue> pickFloats(int64_t rank = 0, int64_t maxRank = 9);
  /// A constant of integers in [low, high].
  KnownValue addConstant(ElementType type, llvm::ArrayRef<int64_t> shape,
                         int64_t low, int64_t high);
  KnownValue addConstant(const HostTensor &tensor);
  /// A constant, an input, or a value that happens to have this shape.
  KnownValue getOperand(ElementType type, llvm::ArrayRef<int64_t> shape,
                        int64_t low = -2, int64_t high = 2);
  ElementType getFloatType() const { return floatType; }
  bool isExactGraph() const { return isExact; }

  // Attributes.
  mlir::NamedAttribute getAttr(llvm::StringRef name, mlir::Attribute value) {
    return builder.getNamedAttr(name, value);
  }
  mlir::NamedAttribute getInt(llvm::StringRef name, int64_t value) {
    return getAttr(name, builder.getI64IntegerAttr(value));
  }
  mlir::NamedAttribute getInts(llvm::StringRef name,
                               llvm::ArrayRef<int64_t> values) {
    return getAttr(name, builder.getDenseI64ArrayAttr(values));
  }
  mlir::NamedAttribute getFloat(llvm::StringRef name, double value) {
    return getAttr(name, builder.getF32FloatAttr(float(value)));
  }
  mlir::NamedAttribute getString(llvm::StringRef name, llvm::StringRef value) {
    return getAttr(name, builder.getStringAttr(value));
  }
  mlir::NamedAttribute getSegments(llvm::ArrayRef<int32_t> sizes) {
    return getAttr("operandSegmentSizes", builder.getDenseI32ArrayAttr(sizes));
  }

  // Operators.
  /// Adds inlay.`name` with one result per element type, unless it is invalid
  /// or its results cannot be compared: then nothing is left of it.
  bool add(llvm::StringRef name, llvm::ArrayRef<KnownValue> operands,
           llvm::ArrayRef<mlir::NamedAttribute> attributes,
           llvm::ArrayRef<ElementType> results, unsigned numerics = Exact);
  /// With one result of the first operand's element type.
  bool add(llvm::StringRef name, llvm::ArrayRef<KnownValue> operands,
           llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
           unsigned numerics = Exact) {
    return add(name, operands, attributes, {operands[0].getType()}, numerics);
  }
  /// The first result of what was added last.
  const KnownValue &getLast(unsigned numResults = 1) const {
    return pool[pool.size() - numResults];
  }

  // Subgraphs.
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc(llvm::StringRef name, unsigned numResults);
  /// Fills a block: `fill` adds to it, and what it has added is out of sight
  /// afterwards, but for the values that it returns, which the block yields.
  KnownValues fillBlock(mlir::Block &block,
                        const std::function<KnownValues()> &fill);
  bool addAny();
  unsigned getDepth() const { return depth; }
  /// While positive, operators that add up are refused: the values of later
  /// iterations are not known.
  unsigned loopDepth = 0;
  void addVisible(const KnownValue &value);
  /// Evaluates `op` and makes its results visible, or erases it.
  bool settle(mlir::Operation *op, llvm::ArrayRef<KnownValue> operands,
              unsigned numerics);

private:
  void addInputs();
  void addDigests();
  KnownValue addInput(ElementType type, llvm::ArrayRef<int64_t> shape,
                      int64_t low, int64_t high);
  HostTensor drawTensor(ElementType type, llvm::ArrayRef<int64_t> shape,
                        int64_t low, int64_t high);
  RandomGraph finish();
  bool evaluate(mlir::Operation *op, llvm::SmallVectorImpl<HostTensor> &results,
                bool absolute = false);
  llvm::Error runBlock(mlir::Block &block, llvm::ArrayRef<HostTensor> arguments,
                       llvm::SmallVectorImpl<HostTensor> &results);
  HostTensor lookup(mlir::Value value);
  bool isAcceptable(const HostTensor &tensor) const;

  mlir::MLIRContext &context;
  mlir::OpBuilder builder;
  std::mt19937_64 random;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  llvm::SmallVector<HostTensor> inputs;
  /// What operators can be applied to.
  std::vector<KnownValue> pool;
  /// Everything that was computed.
  llvm::DenseMap<mlir::Value, HostTensor> tensors;
  unsigned numOps = 0, depth = 0;

  // What this graph is like.
  bool isExact = true;
  ElementType floatType = ElementType::Float;
  Shape extents;
  unsigned unitPercent = 10, zeroPercent = 0, dynamicPercent = 0;
  bool hasDimNames = false;
  /// Outputs are numbers: nothing is demanded of how tensors are stored.
  bool hasDigests = false;
};

/// A kind of operator; `add` returns whether it has added one.
struct OpFamily {
  bool (*add)(GraphGenerator &);
  unsigned weight;
};

llvm::ArrayRef<OpFamily> getElementwiseFamilies();
llvm::ArrayRef<OpFamily> getMovementFamilies();
llvm::ArrayRef<OpFamily> getIndexingFamilies();
llvm::ArrayRef<OpFamily> getReduceFamilies();
llvm::ArrayRef<OpFamily> getContractionFamilies();
llvm::ArrayRef<OpFamily> getFeatureFamilies();
llvm::ArrayRef<OpFamily> getQuantizeFamilies();
llvm::ArrayRef<OpFamily> getControlFlowFamilies();

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_GRAPHGENERATOR_H
