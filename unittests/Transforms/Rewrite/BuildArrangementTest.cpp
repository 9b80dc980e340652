//===- BuildArrangementTest.cpp - Chains of views, read and built again ---===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildArrangement.h"
#include "../../Runtime/ModuleTesting.h"
#include "inlay/Runtime/Executor.h"
#include "mlir/IR/Verifier.h"
#include <numeric>
#include <random>

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

namespace {
/// Writes a function of reshapes, transposes, selections and scales.
class ChainWriter {
public:
  explicit ChainWriter(unsigned seed) : random(seed) {}

  std::string write();

private:
  using Shape = std::vector<int64_t>;

  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  static std::string getType(const Shape &shape) {
    std::string type = "tensor<";
    for (int64_t extent : shape)
      type += std::to_string(extent) + "x";
    return type + "f32>";
  }
  static std::string getInts(const Shape &ints) {
    std::string text = "array<i64: ";
    for (auto [i, value] : llvm::enumerate(ints))
      text += (i == 0 ? "" : ", ") + std::to_string(value);
    return text + ">";
  }
  void add(StringRef operation, Shape result, StringRef more = "");
  void addReshape();
  void addTranspose();
  void addSelection();

  std::mt19937 random;
  Shape shape;
  std::string body, value = "%x";
  unsigned numValues = 0;
};
} // namespace

void ChainWriter::add(StringRef operation, Shape result, StringRef more) {
  std::string name = "%v" + std::to_string(numValues++);
  body += "  " + name + " = " + operation.str() + " : (" + getType(shape) +
          more.str() + ") -> " + getType(result) + "\n";
  value = name;
  shape = std::move(result);
}

/// Splits the number of elements anew, not always along the old borders.
void ChainWriter::addReshape() {
  int64_t left = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                 std::multiplies<>());
  Shape result;
  while (result.size() < 4 && left != 1) {
    int64_t extent = draw(1, 6);
    if (left % extent != 0)
      continue;
    result.push_back(extent);
    left /= extent;
  }
  result.push_back(left);
  add("inlay.reshape " + value + " {shape = " + getInts(result) + "}", result);
}

void ChainWriter::addTranspose() {
  Shape perm(shape.size()), result;
  std::iota(perm.begin(), perm.end(), 0);
  std::shuffle(perm.begin(), perm.end(), random);
  for (int64_t from : perm)
    result.push_back(shape[from]);
  add("inlay.transpose " + value + " {perm = " + getInts(perm) + "}", result);
}

void ChainWriter::addSelection() {
  if (shape.size() < 2)
    return;
  int64_t axis = draw(0, int64_t(shape.size()) - 1);
  std::string index = "%i" + std::to_string(numValues);
  body += "  " + index + " = inlay.constant dense<" +
          std::to_string(draw(0, shape[axis] - 1)) + "> : tensor<i64>\n";
  Shape result = shape;
  result.erase(result.begin() + axis);
  add("inlay.gather " + value + ", " + index +
          " {axis = " + std::to_string(axis) + " : i64}",
      result, ", tensor<i64>");
}

std::string ChainWriter::write() {
  for (int64_t i = 0, e = draw(1, 4); i != e; ++i)
    shape.push_back(draw(1, 2) == 1 ? draw(1, 4) : 2 * draw(1, 6));
  std::string input = getType(shape);
  for (int64_t i = 0, e = draw(1, 7); i != e; ++i)
    switch (draw(0, 4)) {
    case 0:
      addSelection();
      break;
    case 1:
    case 2:
      addTranspose();
      break;
    default:
      addReshape();
    }
  return "func.func @main(%x: " + input + ") -> " + getType(shape) + " {\n" +
         body + "  return " + value + " : " + getType(shape) + "\n}\n";
}

static HostTensor run(ModuleOp module, StringRef text) {
  Type type =
      cast<func::FuncOp>(module.lookupSymbol("main")).getArgumentTypes()[0];
  HostTensor input(ElementType::Float, cast<RankedTensorType>(type).getShape());
  for (int64_t i = 0; i < input.getNumElements(); ++i)
    input.setDouble(i, double(i));
  auto outputs = execute(module, input);
  if (outputs)
    return outputs->front();
  ADD_FAILURE() << describe(outputs.takeError()).second << "\n" << text.str();
  return {};
}

/// Every prefix of the chain that is read gives the same tensor when it is
/// built again.
static unsigned expectSameElements(const std::string &text) {
  ParsedModule original(text);
  HostTensor expected = run(original.get(), text);
  unsigned numSteps = 0;
  for (bool goesOn = true; goesOn;) {
    ParsedModule module(text);
    Operation *last = module.getGraph().front().getTerminator();
    Arrangement arrangement(last->getOperand(0));
    unsigned read = 0;
    while (read <= numSteps && arrangement.step({}))
      ++read;
    goesOn = read > numSteps;
    numSteps += goesOn;
    EXPECT_TRUE(arrangement.canBuild(arrangement.getDims())) << text;
    OpBuilder builder(last);
    last->setOperand(0, buildArrangement(builder, last->getLoc(), arrangement,
                                         arrangement.getDims()));
    EXPECT_TRUE(succeeded(verify(module.get()))) << text;
    HostTensor found = run(module.get(), text);
    EXPECT_TRUE(found && found.getShape() == expected.getShape() &&
                found.getBytes() == expected.getBytes())
        << text;
  }
  return numSteps;
}

TEST(Arrangement, BuildsWhatItHasRead) {
  unsigned numSteps = 0;
  for (unsigned seed = 0; seed != 600; ++seed)
    numSteps += expectSameElements(ChainWriter(seed).write());
  EXPECT_GT(numSteps, 600u);
}

TEST(Arrangement, KnowsWhereNoTransposeIsNeeded) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<2x5x32xf32>) -> tensor<2x4x8x5xf32> {
      %0 = inlay.reshape %x {shape = array<i64: 2, 5, 4, 8>}
          : (tensor<2x5x32xf32>) -> tensor<2x5x4x8xf32>
      %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 3, 1>}
          : (tensor<2x5x4x8xf32>) -> tensor<2x4x8x5xf32>
      return %1 : tensor<2x4x8x5xf32>
    })");
  Value key = module.getGraph().front().getTerminator()->getOperand(0);
  Arrangement at(key);
  EXPECT_TRUE(at.isInOrder(at.getDims()));
  ASSERT_TRUE(at.step({}));
  ASSERT_TRUE(at.step({}));
  EXPECT_FALSE(at.step({}));
  EXPECT_EQ(at.getNumTransposes(), 1u);
  EXPECT_FALSE(at.isInOrder(at.getDims()));
  const Arrangement::Dims &dims = at.getDims();
  EXPECT_TRUE(at.isInOrder({dims[0], dims[3], dims[1], dims[2]}));
  EXPECT_EQ(at.getExtent(dims[1]), 4);
}

TEST(Arrangement, StopsWhereElementsAreMixed) {
  ParsedModule module(R"(
    func.func @main(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
      %0 = inlay.transpose %x {perm = array<i64: 1, 0>}
          : (tensor<4x6xf32>) -> tensor<6x4xf32>
      %1 = inlay.reshape %0 {shape = array<i64: 8, 3>}
          : (tensor<6x4xf32>) -> tensor<8x3xf32>
      return %1 : tensor<8x3xf32>
    })");
  Arrangement at(module.getGraph().front().getTerminator()->getOperand(0));
  // 8x3 and 6x4 have no common factors in this order.
  EXPECT_FALSE(at.step({}));
}
