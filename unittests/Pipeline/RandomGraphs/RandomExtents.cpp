//===- RandomExtents.cpp - Random arithmetic on extents -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomExtents.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include <random>

using namespace inlay;
using namespace mlir;

/// A number, or below zero an unknown extent.
using Part = int64_t;
using Dim = SmallVector<Part, 2>;

namespace {
struct Tensor {
  Value value;
  SmallVector<Dim> dims;
};

class Generator {
public:
  Generator(MLIRContext &context, uint64_t seed)
      : builder(&context), random(seed) {}

  OwningOpRef<ModuleOp> run();

private:
  unsigned draw(unsigned bound) { return random() % bound; }
  bool chance(unsigned percent) { return draw(100) < percent; }
  const Tensor &pick() { return pool[draw(pool.size())]; }

  // Operators.
  Value create(StringRef name, ValueRange operands,
               ArrayRef<NamedAttribute> attributes, Type element);
  Value createInts(StringRef name, ValueRange operands,
                   ArrayRef<NamedAttribute> attributes = {}) {
    return create(name, operands, attributes, builder.getI64Type());
  }
  NamedAttribute getInt(StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  }
  NamedAttribute getInts(StringRef name, ArrayRef<int64_t> values) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
  }
  Value getConstant(const HostTensor &tensor);
  Value getList(ArrayRef<int64_t> values) {
    return getConstant(HostTensor::getInts(values));
  }

  // Numbers as lists of one element.
  Value readExtent(const Tensor &tensor, unsigned dim);
  Value computePart(Part part);
  Value computeDim(const Dim &dim);
  Value disguise(Value number);
  Value join(ArrayRef<Value> entries);

  // Tensors.
  /// Unless it is invalid, which a zero that is known can make it.
  void add(Value value, ArrayRef<Dim> dims) {
    if (value)
      pool.push_back({value, SmallVector<Dim>(dims)});
  }
  void addInput(ModuleOp module);
  void addAny();
  void addRelu();
  void addTranspose();
  void addSum();
  void addReshape();
  void addExpand();
  void addSlice();
  void addCone();
  SmallVector<Dim> regroup(const Tensor &tensor);

  OpBuilder builder;
  std::mt19937_64 random;
  std::vector<Tensor> pool;
  SmallVector<Value> others;
  int64_t numUnknown = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Generator::create(StringRef name, ValueRange operands,
                        ArrayRef<NamedAttribute> attributes, Type element) {
  OperationState state(builder.getUnknownLoc(), "inlay." + name.str());
  state.addOperands(operands);
  state.addAttributes(attributes);
  state.addTypes(UnrankedTensorType::get(element));
  Operation *op = builder.create(state);
  if (succeeded(refineResultTypes(op)))
    return op->getResult(0);
  op->erase();
  return {};
}

Value Generator::getConstant(const HostTensor &tensor) {
  TypedAttr value = getConstantAttr(builder.getContext(), tensor);
  return builder.create<ConstantOp>(builder.getUnknownLoc(), value.getType(),
                                    value);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value Generator::readExtent(const Tensor &tensor, unsigned dim) {
  Value shape = createInts("shape", tensor.value);
  int64_t rank = tensor.dims.size();
  if (chance(30))
    return createInts(
        "slice", shape,
        {getInts("starts", dim), getInts("ends", dim + 1),
         builder.getNamedAttr("operandSegmentSizes",
                              builder.getDenseI32ArrayAttr({1, 0, 0, 0, 0}))});
  int64_t index = chance(30) ? int64_t(dim) - rank : int64_t(dim);
  if (chance(50))
    return createInts("gather", {shape, getList(index)});
  Value scalar = createInts(
      "gather", {shape, getConstant(HostTensor::getInts(index).reshaped({}))});
  return createInts("unsqueeze", scalar, getInts("axes", 0));
}

/// From any tensor that has a dimension of just this.
Value Generator::computePart(Part part) {
  if (part >= 0 && chance(60))
    return getList(part);
  SmallVector<std::pair<unsigned, unsigned>> places;
  for (auto [i, tensor] : llvm::enumerate(pool))
    for (auto [k, dim] : llvm::enumerate(tensor.dims))
      if (dim == Dim{part})
        places.emplace_back(i, k);
  if (places.empty())
    return getList(part);
  auto [tensor, dim] = places[draw(places.size())];
  return readExtent(pool[tensor], dim);
}

/// The same number in another way.
Value Generator::disguise(Value number) {
  switch (draw(8)) {
  case 0:
    return createInts("mul", {number, getList(1)});
  case 1:
    return createInts("add", {getList(0), number});
  case 2: {
    Value three = getList(3);
    return createInts("div", {createInts("mul", {three, number}), three});
  }
  case 3: {
    Value isFree =
        create("equal", {number, getList(-1)}, {}, builder.getI1Type());
    return createInts("where", {isFree, getList(1), number});
  }
  default:
    return number;
  }
}

Value Generator::computeDim(const Dim &dim) {
  for (auto &tensor : pool)
    for (auto [k, own] : llvm::enumerate(tensor.dims))
      if (own == dim && chance(30))
        return disguise(readExtent(tensor, k));
  if (dim.empty())
    return getList(1);
  Dim parts = dim;
  std::shuffle(parts.begin(), parts.end(), random);
  Value product = computePart(parts.front());
  for (Part part : ArrayRef(parts).drop_front())
    product = createInts("mul", {product, computePart(part)});
  return disguise(product);
}

Value Generator::join(ArrayRef<Value> entries) {
  return createInts("concat", entries, getInt("axis", 0));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void Generator::addRelu() {
  Tensor tensor = pick();
  add(create("abs", tensor.value, {}, builder.getF32Type()), tensor.dims);
}

void Generator::addTranspose() {
  Tensor tensor = pick();
  SmallVector<int64_t> perm(tensor.dims.size());
  std::iota(perm.begin(), perm.end(), 0);
  std::shuffle(perm.begin(), perm.end(), random);
  SmallVector<Dim> dims;
  for (int64_t dim : perm)
    dims.push_back(tensor.dims[dim]);
  add(create("transpose", tensor.value, getInts("perm", perm),
             builder.getF32Type()),
      dims);
}

/// Of two that have the same shape, or a tensor and a number.
void Generator::addSum() {
  Tensor a = pick(), b = pick();
  if (a.dims != b.dims)
    b.value = getConstant(
        HostTensor::get<float>(ElementType::Float, {1}, {float(draw(9))}));
  add(create("add", {a.value, b.value}, {}, builder.getF32Type()), a.dims);
}

/// The parts in other groups, some of them of no part at all.
SmallVector<Dim> Generator::regroup(const Tensor &tensor) {
  SmallVector<Dim> dims(1);
  for (const Dim &dim : tensor.dims) {
    bool keeps = chance(60);
    for (auto [i, part] : llvm::enumerate(dim)) {
      bool begins = keeps ? i == 0 : chance(50);
      if (begins && (!dims.back().empty() || chance(10)) && dims.size() < 6)
        dims.emplace_back();
      dims.back().push_back(part);
    }
  }
  return dims;
}

void Generator::addReshape() {
  Tensor tensor = pick();
  SmallVector<Dim> dims = regroup(tensor);
  int64_t free = chance(30) ? int64_t(draw(dims.size())) : -1;
  bool copies = chance(30), allowsZero = !copies && free < 0 && chance(30);
  SmallVector<Value> entries;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool isSame = i < tensor.dims.size() && tensor.dims[i] == dim;
    if (int64_t(i) == free)
      entries.push_back(getList(-1));
    else
      entries.push_back(copies && isSame ? getList(0) : computeDim(dim));
  }
  add(create("reshape", {tensor.value, join(entries)},
             getInt("allowzero", allowsZero), builder.getF32Type()),
      dims);
}

/// Along dimensions of one, and along new ones.
void Generator::addExpand() {
  Tensor tensor = pick();
  SmallVector<Value> entries;
  SmallVector<Dim> dims;
  const Tensor &other = pick();
  auto stretch = [&] {
    dims.push_back(other.dims[draw(other.dims.size())]);
    entries.push_back(computeDim(dims.back()));
  };
  if (tensor.dims.size() < 5 && chance(30))
    stretch();
  for (const Dim &dim : tensor.dims) {
    bool isOne = llvm::all_of(dim, [](Part part) { return part == 1; });
    if (isOne && chance(50)) {
      stretch();
      continue;
    }
    dims.push_back(dim);
    entries.push_back(chance(50) ? getList(1) : computeDim(dim));
  }
  add(create("expand", {tensor.value, join(entries)}, {}, builder.getF32Type()),
      dims);
}

void Generator::addSlice() {
  Tensor tensor = pick();
  int64_t axis = draw(tensor.dims.size()), start = draw(2);
  Value end = chance(70) ? computeDim(tensor.dims[axis]) : getList(2);
  bool isBackwards = chance(10);
  Dim dim = {-++numUnknown};
  Value result = create(
      "slice", {tensor.value, end},
      {getInts("starts", isBackwards ? 5 : start),
       getInts("axes", chance(50) ? axis : axis - int64_t(tensor.dims.size())),
       getInts("steps", isBackwards ? -1 : 1),
       builder.getNamedAttr("operandSegmentSizes",
                            builder.getDenseI32ArrayAttr({1, 0, 1, 0, 0}))},
      builder.getF32Type());
  tensor.dims[axis] = dim;
  add(result, tensor.dims);
}

/// Constants large and small, in front of each other.
void Generator::addCone() {
  int64_t rows = 1 + draw(40), columns = 1 + draw(40);
  HostTensor weight(ElementType::Float, {rows, columns});
  for (float &element : weight.getMutable<float>())
    element = float(draw(100));
  Type f32 = builder.getF32Type();
  Value value = getConstant(weight);
  unsigned numSteps = 1 + draw(5);
  for (unsigned i = 0; i < numSteps; ++i) {
    switch (draw(5)) {
    case 0:
      value = create("transpose", value, getInts("perm", {1, 0}), f32);
      break;
    case 1:
      value = create("expand", {value, getList({1 + int64_t(draw(30)), 1, 1})},
                     {}, f32);
      value = create("reduce_max", value,
                     {getInts("axes", 0), getInt("keepdims", 0)}, f32);
      break;
    case 2:
      value = create("mul", {value, value}, {}, f32);
      break;
    case 3:
      value = create("concat", {value, value}, getInt("axis", draw(2)), f32);
      break;
    default:
      others.push_back(create("neg", value, {}, f32));
    }
  }
  others.push_back(value);
}

void Generator::addAny() {
  static constexpr void (Generator::*kinds[])() = {
      &Generator::addRelu,    &Generator::addTranspose, &Generator::addSum,
      &Generator::addReshape, &Generator::addReshape,   &Generator::addReshape,
      &Generator::addExpand,  &Generator::addSlice,     &Generator::addCone};
  (this->*kinds[draw(std::size(kinds))])();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void Generator::addInput(ModuleOp module) {
  SmallVector<int64_t> shape;
  SmallVector<Dim> dims;
  unsigned rank = 2 + draw(3);
  for (unsigned i = 0; i < rank; ++i) {
    bool isUnknown = chance(60);
    int64_t extent = 1 + draw(4);
    shape.push_back(isUnknown ? ShapedType::kDynamic : extent);
    dims.push_back({isUnknown ? -++numUnknown : extent});
  }
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  builder.setInsertionPointToEnd(module.getBody());
  auto function = builder.create<func::FuncOp>(
      builder.getUnknownLoc(), "main", builder.getFunctionType(type, {}));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  pool.push_back({block->getArgument(0), dims});
}

OwningOpRef<ModuleOp> Generator::run() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  addInput(*module);
  unsigned numSteps = 4 + draw(10);
  for (unsigned i = 0; i < numSteps; ++i)
    addAny();
  SmallVector<Value> outputs(others);
  for (const Tensor &tensor : ArrayRef(pool).drop_front())
    if (tensor.value.use_empty() || chance(20))
      outputs.push_back(tensor.value);
  builder.create<func::ReturnOp>(builder.getUnknownLoc(), outputs);
  auto function = llvm::cantFail(getGraph(*module));
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(outputs).getTypes()));
  return module;
}

OwningOpRef<ModuleOp> inlay::testing::makeRandomExtents(MLIRContext &context,
                                                        uint64_t seed) {
  return Generator(context, seed).run();
}

HostTensor inlay::testing::makeInput(ModuleOp module, ArrayRef<int64_t> choices,
                                     uint64_t seed) {
  std::mt19937_64 random(seed);
  Type type = llvm::cantFail(getGraph(module)).getArgumentTypes()[0];
  SmallVector<int64_t> shape(cast<ShapedType>(type).getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = choices[random() % choices.size()];
  HostTensor tensor(ElementType::Float, shape);
  for (float &element : tensor.getMutable<float>())
    element = float(random() % 200) - 100;
  return tensor;
}
