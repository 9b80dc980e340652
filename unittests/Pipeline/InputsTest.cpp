//===- InputsTest.cpp - Inputs as the command line gives them -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Inputs.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Npy.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace inlay;

namespace {
/// A graph with inputs a, b=c and d (which has a default), and a folder.
class InputsTest : public ::testing::Test {
protected:
  InputsTest() : context(createContext()) {
    module = mlir::parseSourceString<mlir::ModuleOp>(R"(
      func.func @main(%a: tensor<2xf32> {inlay.name = "a"},
                      %b: tensor<?xf32> {inlay.name = "b=c"},
                      %d: tensor<1xf32> {inlay.name = "d",
                          inlay.default = dense<1.0> : tensor<1xf32>}) -> tensor<2xf32> {
        return %a : tensor<2xf32>
      })",
                                                     context.get());
    llvm::SmallString<64> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("inputs", path));
    folder = std::string(path);
  }
  ~InputsTest() override { llvm::sys::fs::remove_directories(folder); }

  std::string writeFile(llvm::StringRef name, double value) {
    std::string path = folder + "/" + name.str();
    HostTensor tensor(ElementType::Float, {2});
    tensor.setDouble(0, value);
    llvm::cantFail(writeNpy(path, tensor));
    return path;
  }

  std::vector<GraphInput> read(llvm::ArrayRef<std::string> specs) {
    auto inputs = readInputs(llvm::cantFail(getGraph(*module)), specs);
    if (inputs)
      return std::move(*inputs);
    std::string message;
    takeError(inputs.takeError(), message);
    ADD_FAILURE() << message;
    return std::vector<GraphInput>(3);
  }

  std::string fail(llvm::ArrayRef<std::string> specs) {
    auto inputs = readInputs(llvm::cantFail(getGraph(*module)), specs);
    if (inputs)
      return "no failure";
    std::string message;
    EXPECT_EQ(takeError(inputs.takeError(), message), ExitCode::Usage);
    return message;
  }

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string folder;
};
} // namespace

TEST_F(InputsTest, AreRandomWhenNoneIsGiven) {
  std::vector<GraphInput> inputs = read({});
  EXPECT_EQ(inputs[0].source, "random:0");
  EXPECT_EQ(inputs[1].tensor.getShape(), llvm::ArrayRef<int64_t>({8}));
  EXPECT_EQ(inputs[2].source, "default");
  EXPECT_FALSE(inputs[2].tensor);
}

TEST_F(InputsTest, ExtentsThatWereChosenAreNamed) {
  std::vector<AssumedExtent> assumed = getAssumedExtents(read({}));
  EXPECT_EQ(describeExtents(assumed),
            "dimension 0 of input 'b=c' was taken as 8: set --shape");
  llvm::Error error =
      addAssumedExtents(modelError("shapes do not fit"), assumed);
  std::string message;
  EXPECT_EQ(takeError(std::move(error), message), ExitCode::Model);
  EXPECT_EQ(message, "shapes do not fit (dimension 0 of input 'b=c' was taken "
                     "as 8: set --shape)");
}

TEST_F(InputsTest, ExtentsOfGivenInputsAreNotChosen) {
  std::vector<GraphInput> inputs =
      read({"b=c=" + writeFile("x.npy", 5), "random:1"});
  EXPECT_TRUE(getAssumedExtents(inputs).empty());
  EXPECT_FALSE(addAssumedExtents(llvm::Error::success(), {}));
}

TEST_F(InputsTest, NamesMayHoldEqualSigns) {
  std::vector<GraphInput> inputs =
      read({"b=c=" + writeFile("x.npy", 5), "random:1"});
  EXPECT_EQ(inputs[1].tensor.getDouble(0), 5);
  EXPECT_EQ(inputs[0].source, "random:1");
}

TEST_F(InputsTest, FilesAreMatchedByTheirName) {
  std::vector<GraphInput> inputs = read({writeFile("a.npy", 3), "random:1"});
  EXPECT_EQ(inputs[0].tensor.getDouble(0), 3);
}

TEST_F(InputsTest, ArchivesGiveSeveralInputs) {
  std::string path = folder + "/x.npz";
  HostTensor tensor(ElementType::Float, {2});
  llvm::cantFail(writeNpz(path, {{"a", tensor}, {"b=c", tensor}}));
  EXPECT_EQ(read({path})[1].source, path);
}

TEST_F(InputsTest, FilesWithoutAMatchNameTheInputs) {
  std::string message = fail({writeFile("z.npy", 3)});
  EXPECT_NE(message.find("with one of a, b=c, d"), std::string::npos)
      << message;
}

TEST_F(InputsTest, UnknownNamesAreListed) {
  EXPECT_EQ(fail({"q=x.npy"}),
            "the model has no input 'q'; its inputs are a, b=c, d");
}

TEST_F(InputsTest, MissingInputsAreNamed) {
  std::string message = fail({"a=" + writeFile("x.npy", 1)});
  EXPECT_NE(message.find("input b=c"), std::string::npos) << message;
}

TEST_F(InputsTest, AnInputGivenTwiceIsRefused) {
  std::string file = writeFile("a.npy", 3);
  EXPECT_NE(fail({file, "a=" + file}).find("given twice"), std::string::npos);
}

TEST_F(InputsTest, SeedsAreNumbers) {
  EXPECT_NE(fail({"random:x"}).find("is not random:SEED"), std::string::npos);
  EXPECT_NE(fail({"random:1", "random:2"}).find("twice"), std::string::npos);
}
