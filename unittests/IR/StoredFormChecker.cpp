//===- StoredFormChecker.cpp - Operators over permuted tensors ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredFormChecker.h"
#include "FormEnumerator.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/Layout/AxisOrder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <functional>
#include <map>
#include <random>
#include <set>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

namespace {
/// What the letters A, B, ... stand for, and which are unknown.
struct Extents {
  std::string name;
  std::vector<int64_t> values;
  std::string unknown = {};
};

const Extents allExtents[] = {
    {"equal", {4, 4, 4, 4, 4}},
    {"primes", {3, 2, 5, 7, 11}},
    {"products", {4, 6, 2, 9, 4}},
    {"one unknown", {3, 2, 5, 7, 11}, "B"},
    {"all unknown", {3, 2, 5, 7, 11}, "ABCDE"},
    {"with units", {1, 3, 1, 5, 2}},
};

/// A function whose last operation is the one under test, and returns what that
/// computes.
class TestModule {
public:
  TestModule(MLIRContext &context, const FormCase &formCase,
             const Extents &extents, bool isConcrete);

  func::FuncOp getFunction() { return *module->getOps<func::FuncOp>().begin(); }
  Operation *getOperation() {
    return getFunction().getBody().front().getTerminator()->getPrevNode();
  }
  explicit operator bool() const { return bool(module); }

private:
  OwningOpRef<ModuleOp> module;
};
} // namespace

/// "A 2 f32" as "tensor<3x2xf32>".
static std::string getType(StringRef spec, const Extents &extents,
                           bool isConcrete) {
  SmallVector<StringRef> words;
  spec.split(words, ' ', -1, /*KeepEmpty=*/false);
  std::string text = "tensor<";
  for (StringRef word : ArrayRef(words).drop_back()) {
    bool isLetter = word.size() == 1 && word[0] >= 'A' && word[0] <= 'E';
    bool isHidden = word.consume_front("?");
    if (!isConcrete &&
        (isHidden || (isLetter && StringRef(extents.unknown).contains(word))))
      text += "?";
    else
      text +=
          isLetter ? std::to_string(extents.values[word[0] - 'A']) : word.str();
    text += "x";
  }
  return text + words.back().str() + ">";
}

static std::string replaceLetters(StringRef text, const Extents &extents) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '$')
      result += std::to_string(extents.values[text[++i] - 'A']);
    else
      result += text[i];
  return result;
}

TestModule::TestModule(MLIRContext &context, const FormCase &formCase,
                       const Extents &extents, bool isConcrete) {
  SmallVector<std::string> arguments, types;
  for (auto [i, spec] : llvm::enumerate(formCase.operands)) {
    if (spec == "SAME") {
      types.push_back(types.front());
      continue;
    }
    types.push_back(getType(spec, extents, isConcrete));
    arguments.push_back(std::string("%") + char('a' + i) + ": " + types[i]);
  }
  SmallVector<std::string> results;
  for (const std::string &element : formCase.results)
    results.push_back("tensor<*x" + element + ">");
  std::string text = "module {\nfunc.func @f(" + llvm::join(arguments, ", ") +
                     ") {\n" + "%r:" + std::to_string(results.size()) +
                     " = inlay." + formCase.op + " " +
                     replaceLetters(formCase.text, extents) + " : (" +
                     llvm::join(types, ", ") + ") -> (" +
                     llvm::join(results, ", ") + ")\nreturn\n}\n}\n";
  module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "does not parse: " << text;
    return;
  }
  if (formCase.opset)
    (*module)->setAttr(
        "inlay.opsets",
        Builder(&context).getDictionaryAttr(Builder(&context).getNamedAttr(
            "ai.onnx", Builder(&context).getI64IntegerAttr(formCase.opset))));
  Operation *op = getOperation();
  EXPECT_TRUE(succeeded(refineResultTypes(op))) << text;
  unsigned numUsed = std::min(op->getNumResults(), formCase.numUsed);
  getFunction().getBody().front().getTerminator()->setOperands(
      op->getResults().take_front(numUsed));
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static HostTensor draw(Type type, std::mt19937 &generator, unsigned limit) {
  ElementType element = *getOnnxElementType(getElementType(type));
  HostTensor tensor(element, cast<RankedTensorType>(type).getShape());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    int64_t small = int64_t(generator() % 9) - 4;
    if (isFloat(element))
      tensor.setDouble(i, double(small));
    else if (element == ElementType::Int64)
      tensor.setInt(i, generator() % limit);
    else
      tensor.setInt(i, element == ElementType::Bool ? small & 1 : small & 7);
  }
  return tensor;
}

static HostTensor fill(Type type, ArrayRef<double> values) {
  ElementType element = *getOnnxElementType(getElementType(type));
  HostTensor tensor(element, cast<RankedTensorType>(type).getShape());
  for (auto [i, value] : llvm::enumerate(values))
    isFloat(element) ? tensor.setDouble(i, value)
                     : tensor.setInt(i, int64_t(value));
  return tensor;
}

/// The operands of the function's return.
static std::optional<SmallVector<HostTensor>>
run(Block &block, ArrayRef<HostTensor> arguments) {
  DenseMap<Value, HostTensor> values;
  for (auto [argument, tensor] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = tensor;
  auto get = [&](ValueRange operands) {
    return llvm::map_to_vector(operands,
                               [&](Value value) { return values[value]; });
  };
  for (Operation &op : block.without_terminator()) {
    SmallVector<HostTensor> operands = get(op.getOperands());
    Evaluation evaluation(&op, operands);
    if (llvm::Error error =
            cast<EvaluateOpInterface>(op).evaluate(evaluation)) {
      ADD_FAILURE() << llvm::toString(std::move(error));
      return std::nullopt;
    }
    for (auto [value, tensor] :
         llvm::zip_equal(op.getResults(), evaluation.getResults()))
      values[value] = tensor;
  }
  return get(block.getTerminator()->getOperands());
}

/// Where each element of a tensor of `shape` lies among those of the physical
/// one.
static SmallVector<int64_t> getPlaces(ArrayRef<int64_t> shape,
                                      ArrayRef<Atom> order) {
  Layout layout = getLayout(order);
  SmallVector<int64_t> physical = layout.getPhysicalShape(shape), places;
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t count = *getNumElements(shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t dim = index.size(); dim-- > 0;) {
      index[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
    places.push_back(0);
    for (auto [position, extent] :
         llvm::zip_equal(*layout.getPhysicalIndex(index), physical))
      places.back() = places.back() * extent + position;
  }
  return places;
}

/// What no result may show where it comes from padding.
static void fillWithPoison(HostTensor &tensor) {
  ElementType type = tensor.getType();
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (isFloat(type))
      tensor.setDouble(i, i % 2 ? INFINITY : NAN);
    else
      tensor.setInt(i, type == ElementType::Bool ? 1 : 93 - i % 2);
}

/// The tensor as it is stored. Padding that may be anything is the worst.
static HostTensor store(const HostTensor &tensor, ArrayRef<Atom> order) {
  if (!tensor || order.empty())
    return tensor;
  HostTensor physical(tensor.getType(),
                      getLayout(order).getPhysicalShape(tensor.getShape()));
  if (isBlocked(order) && getPadding(order) == Padding::Any)
    fillWithPoison(physical);
  size_t width = getHostByteWidth(tensor.getType());
  for (auto [i, place] : llvm::enumerate(getPlaces(tensor.getShape(), order)))
    llvm::copy(tensor.getBytes().slice(i * width, width),
               physical.getMutableBytes().begin() + place * width);
  return physical;
}

/// A physical tensor with what lies in its padding as in `other`, where that
/// may be anything.
static HostTensor takePadding(const HostTensor &tensor, const HostTensor &other,
                              ArrayRef<int64_t> shape, ArrayRef<Atom> order) {
  bool isOpen = isBlocked(order) && getPadding(order) == Padding::Any &&
                tensor.getShape() == other.getShape();
  if (!isOpen)
    return tensor;
  HostTensor result(tensor.getType(), tensor.getShape());
  llvm::copy(other.getBytes(), result.getMutableBytes().begin());
  size_t width = getHostByteWidth(tensor.getType());
  for (int64_t place : getPlaces(shape, order))
    llvm::copy(tensor.getBytes().slice(place * width, width),
               result.getMutableBytes().begin() + place * width);
  return result;
}

/// `limit`: how far numbers may be apart, as part of them; nothing for bits
/// that are the same.
static bool isSame(const HostTensor &a, const HostTensor &b,
                   std::optional<double> limit) {
  if (a.getType() != b.getType() || a.getShape() != b.getShape())
    return false;
  if (!limit || !isFloat(a.getType()))
    return a.getBytes() == b.getBytes();
  for (int64_t i = 0; i < a.getNumElements(); ++i) {
    double x = a.getDouble(i), y = b.getDouble(i);
    if (x != y && !(std::isnan(x) && std::isnan(y)) &&
        !(std::abs(x - y) <= *limit * (1 + std::abs(x))))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Type encode(Type type, ArrayRef<Atom> order) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || order.empty())
    return type;
  return RankedTensorType::get(
      ranked.getShape(), ranked.getElementType(),
      LayoutAttr::get(type.getContext(), getLayout(order)));
}

/// A function over physical tensors: the operation in the form that its types
/// say. Null when it could not be built.
static OwningOpRef<ModuleOp> buildPhysical(func::FuncOp function,
                                           Operation *op) {
  OpBuilder builder(op->getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types = llvm::map_to_vector(function.getArgumentTypes(),
                                                [](Type type) { return type; });
  for (auto [type, argument] : llvm::zip_equal(types, function.getArguments()))
    type = getPhysicalType(argument.getType());
  auto physical = builder.create<func::FuncOp>(
      op->getLoc(), "f", builder.getFunctionType(types, {}));
  Block *block = physical.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  IRMapping mapping;
  for (auto [from, to] :
       llvm::zip_equal(function.getArguments(), block->getArguments()))
    mapping.map(from, to);
  for (Operation &each : function.getBody().front().without_terminator())
    if (&each != op)
      builder.clone(each, mapping);
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value value) { return mapping.lookup(value); });
  StoredOpBuilder stored(builder, op, operands);
  if (failed(cast<StorageOpInterface>(op).buildStored(stored)) ||
      llvm::is_contained(stored.getResults(), Value()))
    return {};
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), stored.getResults()))
    EXPECT_EQ(cast<ShapedType>(value.getType()).getRank(),
              cast<ShapedType>(getPhysicalType(result.getType())).getRank());
  // As many as are used.
  unsigned numUsed =
      function.getBody().front().getTerminator()->getNumOperands();
  ValueRange used = stored.getResults().take_front(numUsed);
  physical.setFunctionType(builder.getFunctionType(types, TypeRange(used)));
  builder.create<func::ReturnOp>(op->getLoc(), used);
  EXPECT_TRUE(succeeded(verify(*module)));
  return module;
}

/// Sets the types that `form` says.
static void setForm(Operation *op, const StoredForm &form) {
  for (auto [value, order] :
       llvm::zip_equal(op->getOperands(), form.operands)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && !value.getDefiningOp())
      value.setType(
          encode(RankedTensorType::get(type.getShape(), type.getElementType()),
                 order));
  }
  for (auto [value, order] : llvm::zip_equal(op->getResults(), form.results))
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      value.setType(
          encode(RankedTensorType::get(type.getShape(), type.getElementType()),
                 order));
}

static void checkForm(TestModule &test, const StoredForm &form,
                      ArrayRef<HostTensor> inputs,
                      ArrayRef<HostTensor> expected, bool isInexact) {
  Operation *op = test.getOperation();
  setForm(op, form);
  OwningOpRef<ModuleOp> physical = buildPhysical(test.getFunction(), op);
  ASSERT_TRUE(physical) << "cannot be built";
  SmallVector<HostTensor> arguments(inputs);
  for (auto [value, order] : llvm::zip_equal(op->getOperands(), form.operands))
    if (auto argument = dyn_cast<BlockArgument>(value))
      arguments[argument.getArgNumber()] =
          store(inputs[argument.getArgNumber()], order);
  Block &block = (*physical->getOps<func::FuncOp>().begin()).getBody().front();
  auto results = run(block, arguments);
  ASSERT_TRUE(results);
  for (auto [i, result] : llvm::enumerate(*results)) {
    HostTensor wanted = takePadding(store(expected[i], form.results[i]), result,
                                    expected[i].getShape(), form.results[i]);
    // A negative zero is padding as good as any.
    std::optional<double> limit;
    if (isInexact || form.isBlocked())
      limit = isInexact ? 1e-5 : 0;
    EXPECT_TRUE(isSame(wanted, result, limit)) << "result " << i;
  }
}

static void checkExtents(MLIRContext &context, const FormCase &formCase,
                         const Extents &extents, FormCounts &counts) {
  TestModule concrete(context, formCase, extents, /*isConcrete=*/true);
  TestModule test(context, formCase, extents, /*isConcrete=*/false);
  ASSERT_TRUE(concrete && test);
  std::mt19937 generator(formCase.op.size());
  SmallVector<HostTensor> inputs;
  for (auto [i, type] :
       llvm::enumerate(concrete.getFunction().getArgumentTypes())) {
    auto given = formCase.values.find(i);
    inputs.push_back(given == formCase.values.end()
                         ? draw(type, generator, formCase.indexLimit)
                         : fill(type, given->second));
  }
  std::optional<SmallVector<HostTensor>> expected;
  Operation *op = test.getOperation();
  auto storage = dyn_cast<StorageOpInterface>(op);
  ASSERT_TRUE(storage) << "has no storage forms";
  for (const StoredForm &form : enumerateForms(op)) {
    ++counts.asked;
    setForm(op, StoredForm{SmallVector<AtomSequence, 3>(op->getNumOperands()),
                           SmallVector<AtomSequence, 1>(op->getNumResults())});
    if (!admitsStored(op, form))
      continue;
    ++counts.built;
    if (!expected)
      expected = run(concrete.getFunction().getBody().front(), inputs);
    ASSERT_TRUE(expected);
    counts.factored += form.isFactored() && !form.isBlocked();
    counts.blocked += form.isBlocked();
    counts.zero += llvm::any_of(form.results, [](const AtomSequence &order) {
      return getPadding(order) == Padding::Zero;
    });
    SCOPED_TRACE(formCase.op + " " + formCase.text + ", " + extents.name +
                 ": " + describe(form));
    checkForm(test, form, inputs, *expected, formCase.isInexact);
    if (::testing::Test::HasFailure())
      return;
  }
}

FormCounts inlay::testing::checkForms(const FormCase &formCase) {
  FormCounts counts;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<InlayDialect, func::FuncDialect>();
  registerEvaluation(context);
  for (const Extents &extents : allExtents) {
    checkExtents(context, formCase, extents, counts);
    if (::testing::Test::HasFailure())
      break;
  }
  return counts;
}
