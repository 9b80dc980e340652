//===- RandomSamplesTest.cpp - Operators for one sample after another -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operator of random graphs alone, with the values that it has there. Some
// of its operands become inputs with any one of their dimensions in front,
// which is open. Where samples are then said to be computed one by one, that
// must give what the whole gives.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "GraphGenerator.h"
#include "inlay/Analysis/Samples.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "mlir/IR/IRMapping.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 200;
static uint64_t firstSeed = 1;
static constexpr unsigned graphSize = 25;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The order of dimensions in which `dim` comes first, or goes back there.
static SmallVector<int64_t> moveToFront(int64_t rank, int64_t dim) {
  SmallVector<int64_t> perm = {dim};
  for (int64_t i = 0; i != rank; ++i)
    if (i != dim)
      perm.push_back(i);
  return perm;
}

static SmallVector<int64_t> moveBack(int64_t rank, int64_t dim) {
  SmallVector<int64_t> perm(rank);
  for (auto [to, from] : llvm::enumerate(moveToFront(rank, dim)))
    perm[from] = to;
  return perm;
}

static HostTensor transpose(const HostTensor &tensor, ArrayRef<int64_t> perm) {
  HostTensor::Shape shape;
  SmallVector<int64_t> strides(perm.size(), 1), steps;
  for (int64_t i = int64_t(perm.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * tensor.getShape()[i + 1];
  for (int64_t dim : perm) {
    shape.push_back(tensor.getShape()[dim]);
    steps.push_back(strides[dim]);
  }
  HostTensor result(tensor.getType(), shape);
  size_t width = getHostByteWidth(tensor.getType());
  char *to = result.getMutableBytes().data();
  for (int64_t i = 0; i != tensor.getNumElements(); ++i) {
    int64_t rest = i, from = 0;
    for (int64_t dim = int64_t(perm.size()) - 1; dim >= 0; --dim) {
      from += rest % shape[dim] * steps[dim];
      rest /= shape[dim];
    }
    std::memcpy(to + i * width, tensor.getBytes().data() + from * width, width);
  }
  return result;
}

/// One of `count` equal parts of the first dimension.
static HostTensor getPart(const HostTensor &tensor, int64_t number,
                          int64_t count) {
  HostTensor::Shape shape(tensor.getShape());
  shape.front() /= count;
  HostTensor part(tensor.getType(), shape);
  size_t bytes = part.getBytes().size();
  std::memcpy(part.getMutableBytes().data(),
              tensor.getBytes().data() + number * bytes, bytes);
  return part;
}

//===----------------------------------------------------------------------===//
// Operators with open inputs
//===----------------------------------------------------------------------===//

namespace {
/// An operator as a model; what is not an input is a constant of it.
struct OpenOperator {
  OwningOpRef<ModuleOp> module;
  SmallVector<HostTensor> inputs;
};

/// Draws which operands are inputs, and which of their dimensions are open.
class Opener {
public:
  explicit Opener(uint64_t seed) : random(seed) {}

  std::optional<OpenOperator> open(Operation *op,
                                   ArrayRef<HostTensor> operands);

private:
  unsigned draw(unsigned bound) { return random() % bound; }
  Value addInput(const HostTensor &tensor, int64_t dim);
  Value addOperand(Value value, const HostTensor &tensor);
  Value create(StringRef name, Value operand, ArrayRef<int64_t> perm);
  void addOutput(Value result);

  std::mt19937_64 random;
  OpBuilder *builder = nullptr;
  func::FuncOp function;
  int64_t extent = 0;
  OpenOperator result;
  SmallVector<Value> outputs;
};
} // namespace

static Type getOpenType(Type element, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> open(shape);
  open.front() = ShapedType::kDynamic;
  return RankedTensorType::get(open, element);
}

Value Opener::create(StringRef name, Value operand, ArrayRef<int64_t> perm) {
  OperationState state(builder->getUnknownLoc(), name);
  state.addOperands(operand);
  state.addAttribute("perm", builder->getDenseI64ArrayAttr(perm));
  state.addTypes(UnrankedTensorType::get(getElementTypeOrSelf(operand)));
  Operation *op = builder->create(state);
  return succeeded(refineResultTypes(op)) ? op->getResult(0) : Value();
}

Value Opener::addInput(const HostTensor &tensor, int64_t dim) {
  int64_t rank = tensor.getRank();
  HostTensor moved = transpose(tensor, moveToFront(rank, dim));
  Type element = getMlirElementType(builder->getContext(), tensor.getType());
  Block &block = function.getBody().front();
  Value argument = block.addArgument(getOpenType(element, moved.getShape()),
                                     builder->getUnknownLoc());
  result.inputs.push_back(moved);
  return create("inlay.transpose", argument, moveBack(rank, dim));
}

Value Opener::addOperand(Value value, const HostTensor &tensor) {
  SmallVector<int64_t> dims;
  for (auto [i, own] : llvm::enumerate(tensor.getShape()))
    if (own > 1 && (extent == 0 || own == extent))
      dims.push_back(i);
  bool isInput = !value.getDefiningOp<ConstantOp>() && !dims.empty() &&
                 (extent == 0 || draw(4) != 0);
  if (isInput) {
    int64_t dim = dims[draw(dims.size())];
    extent = tensor.getShape()[dim];
    return addInput(tensor, dim);
  }
  TypedAttr constant = getConstantAttr(builder->getContext(), tensor);
  return builder->create<ConstantOp>(builder->getUnknownLoc(),
                                     constant.getType(), constant);
}

/// With the open dimension in front.
void Opener::addOutput(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.getNumDynamicDims() == 1) {
    int64_t dim = llvm::find(type.getShape(), ShapedType::kDynamic) -
                  type.getShape().begin();
    if (dim != 0)
      value =
          create("inlay.transpose", value, moveToFront(type.getRank(), dim));
  }
  outputs.push_back(value);
}

std::optional<OpenOperator> Opener::open(Operation *op,
                                         ArrayRef<HostTensor> operands) {
  OpBuilder own(op->getContext());
  builder = &own;
  Location loc = own.getUnknownLoc();
  result.module = ModuleOp::create(loc);
  own.setInsertionPointToStart(result.module->getBody());
  function = own.create<func::FuncOp>(loc, "main", own.getFunctionType({}, {}));
  own.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  for (auto [value, tensor] : llvm::zip_equal(op->getOperands(), operands))
    if (!mapping.contains(value))
      mapping.map(value, addOperand(value, tensor));
  Operation *copy = own.clone(*op, mapping);
  for (Value value : copy->getResults())
    value.setType(UnrankedTensorType::get(getElementTypeOrSelf(value)));
  if (extent == 0 || failed(refineResultTypes(copy)))
    return std::nullopt;
  for (auto [before, after] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    if (!before.use_empty())
      addOutput(after);
  own.create<func::ReturnOp>(loc, outputs);
  function.setFunctionType(
      own.getFunctionType(function.getBody().front().getArgumentTypes(),
                          ValueRange(outputs).getTypes()));
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

/// What the operands of an operator are when the graph runs; nothing where one
/// cannot be an output.
static std::optional<SmallVector<HostTensor>>
findOperands(const RandomGraph &graph, Operation *op) {
  IRMapping mapping;
  OwningOpRef<ModuleOp> module =
      cast<ModuleOp>((*graph.module)->clone(mapping));
  func::FuncOp function = llvm::cantFail(getGraph(*module));
  SmallVector<Value> exposed;
  for (Value operand : op->getOperands())
    exposed.push_back(mapping.lookup(operand));
  function.getBody().front().getTerminator()->setOperands(exposed);
  function.setFunctionType(FunctionType::get(module->getContext(),
                                             function.getArgumentTypes(),
                                             ValueRange(exposed).getTypes()));
  function.removeResAttrsAttr();
  auto outputs = execute(*module, graph.inputs);
  if (outputs)
    return SmallVector<HostTensor>(*outputs);
  llvm::consumeError(outputs.takeError());
  return std::nullopt;
}

/// What is wrong, or nothing.
static std::string compareSample(ArrayRef<HostTensor> whole,
                                 ArrayRef<HostTensor> one,
                                 ArrayRef<int64_t> perSample, int64_t number,
                                 int64_t count) {
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(whole, one))) {
    const auto &[all, own] = pair;
    if (perSample[i] != 0 && all.getShape().front() != perSample[i] * count)
      return "output " + std::to_string(i) + " has another extent";
    HostTensor part = perSample[i] == 0 ? all : getPart(all, number, count);
    TensorComparison compared = compareTensors("", part, own);
    if (!compared.isEqual)
      return "output " + std::to_string(i) + " of sample " +
             std::to_string(number) + " differs: " + compared.reason;
  }
  return "";
}

/// Whether samples are computed one by one; expects that they are right then.
static bool checkOperator(const OpenOperator &open, StringRef name) {
  func::FuncOp graph = llvm::cantFail(getGraph(*open.module));
  auto found = findSamples(graph);
  if (!found) {
    llvm::consumeError(found.takeError());
    return false;
  }
  const Samples &samples = **found;
  auto whole = execute(*open.module, open.inputs);
  if (!whole) {
    llvm::consumeError(whole.takeError());
    return false;
  }
  OwningOpRef<ModuleOp> one = ModuleOp::create(graph.getLoc());
  one->push_back(getSampleGraph(graph, samples).release());
  int64_t count = open.inputs.front().getShape().front();
  for (int64_t i = 0; i != count; ++i) {
    SmallVector<HostTensor> parts;
    for (const HostTensor &input : open.inputs)
      parts.push_back(getPart(input, i, count));
    auto results = execute(*one, parts);
    if (!results) {
      ADD_FAILURE() << name.str() << ": "
                    << llvm::toString(results.takeError());
      return false;
    }
    EXPECT_EQ(compareSample(*whole, *results, samples.outputs, i, count), "")
        << name.str();
  }
  return true;
}

TEST(RandomSamples, AreWhatTheWholeIs) {
  std::unique_ptr<MLIRContext> context = createContext();
  llvm::StringMap<unsigned> accepted;
  uint64_t numTried = 0, numAccepted = 0;
  for (uint64_t seed = firstSeed; seed != firstSeed + numGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    func::FuncOp function = llvm::cantFail(getGraph(*graph.module));
    uint64_t number = 0;
    for (Operation &op : function.getBody().front().without_terminator()) {
      if (isa<ConstantOp>(op) || op.getNumRegions() != 0 ||
          op.getNumOperands() == 0)
        continue;
      auto operands = findOperands(graph, &op);
      auto open = operands ? Opener(seed * 1000 + number++).open(&op, *operands)
                           : std::nullopt;
      numTried += open.has_value();
      StringRef name = op.getName().getStringRef();
      if (open && checkOperator(*open, name)) {
        ++numAccepted;
        ++accepted[name];
      }
    }
  }
  RecordProperty("operators", std::to_string(numAccepted));
  EXPECT_GT(5 * numAccepted, numTried) << "hardly anything was tried";
  EXPECT_GT(accepted.size(), numGraphs < 100 ? 20u : 60u);
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
