//===- OpFormsTest.cpp - Operators that others add ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/OpForms.h"
#include "SmallModel.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

using namespace inlay;

namespace {
/// An operation from outside: its result is like its operand.
class SwirlOp
    : public mlir::Op<SwirlOp, mlir::OpTrait::OneOperand,
                      mlir::OpTrait::OneResult, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::ZeroSuccessors,
                      TypeInferenceOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwirlOp)
  using Op::Op;

  static llvm::StringRef getOperationName() { return "acme.swirl"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() {
    static llvm::StringRef names[] = {"turns"};
    return names;
  }
  mlir::LogicalResult inferTypes(TypeInference &inference) {
    inference.set((*this)->getResult(0), (*this)->getOperand(0).getType());
    return mlir::success();
  }
};

class AcmeDialect : public mlir::Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AcmeDialect)
  explicit AcmeDialect(mlir::MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<AcmeDialect>()) {
    addOperations<SwirlOp>();
  }
  static llvm::StringRef getDialectNamespace() { return "acme"; }
};

class OpForms : public ::testing::Test {
protected:
  OpForms() {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
  }

  static void SetUpTestSuite() {
    EXPECT_FALSE(bool(onnx::registerOpForm(
        {"com.acme::Swirl", 1, 1, 1, {}, 1, "acme.swirl"})));
  }

  std::string write(mlir::ModuleOp module) {
    auto done = exportModel(module, folder / "m.onnx");
    EXPECT_TRUE(bool(done)) << llvm::toString(done.takeError());
    return readBytes(folder / "m.onnx");
  }

  /// A model with one node of com.acme::Swirl.
  std::string getModel(llvm::StringRef attributes) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        (R"(module attributes {inlay.ir_version = 8 : i64,
              inlay.opsets = {ai.onnx = 18 : i64, com.acme = 1 : i64}} {
          func.func @main(%x: tensor<4xf32> {inlay.name = "x"})
              -> tensor<4xf32> {
            %y = "inlay.opaque"(%x) {callee = "com.acme::Swirl",
                                     node_attributes = {)" +
         attributes +
         R"(}} : (tensor<4xf32>) -> tensor<4xf32>
            return %y : tensor<4xf32>
          }
        })")
            .str(),
        &context);
    EXPECT_TRUE(module);
    return module ? write(*module) : "";
  }

  mlir::OwningOpRef<mlir::ModuleOp> read(llvm::StringRef bytes) {
    auto module = importModel(context, MappedFile::fromMemory(bytes, "m.onnx"));
    if (module)
      return std::move(*module);
    ADD_FAILURE() << llvm::toString(module.takeError());
    return {};
  }

  /// What the only operator of the model is imported as.
  std::string readName(llvm::StringRef bytes) {
    auto module = read(bytes);
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    return function.getBody().front().front().getName().getStringRef().str();
  }

  mlir::MLIRContext context;
  TemporaryFolder folder;
};
} // namespace

TEST_F(OpForms, ANodeBecomesTheOperationThatWasRegistered) {
  context.loadDialect<AcmeDialect>();
  EXPECT_EQ(readName(getModel("turns = 3 : i64")), "acme.swirl");
}

TEST_F(OpForms, ItIsWrittenAsTheNodeThatItWas) {
  std::string opaque = getModel("turns = 3 : i64");
  context.loadDialect<AcmeDialect>();
  auto module = read(opaque);
  ASSERT_TRUE(module);
  EXPECT_EQ(write(*module), opaque);
}

TEST_F(OpForms, WithoutItsDialectTheNodeIsOpaque) {
  EXPECT_EQ(readName(getModel("turns = 3 : i64")), "inlay.opaque");
}

TEST_F(OpForms, WithAnAttributeThatItLacksTheNodeIsOpaque) {
  context.loadDialect<AcmeDialect>();
  EXPECT_EQ(readName(getModel("speed = 3 : i64")), "inlay.opaque");
}

TEST_F(OpForms, TargetsMayNameIt) {
  EXPECT_TRUE(llvm::is_contained(getOnnxOpTypes(), "com.acme::Swirl"));
  EXPECT_TRUE(llvm::is_sorted(getOnnxOpTypes()));
  EXPECT_EQ(getOperationName("com.acme::Swirl"), "acme.swirl");
  EXPECT_EQ(getOperationName("com.acme::Twirl"), "");
}

TEST_F(OpForms, ATypeHasOneFormOnly) {
  auto message = [](onnx::OpForm form) {
    return llvm::toString(onnx::registerOpForm(std::move(form)));
  };
  EXPECT_EQ(message({"Conv", 3, 1, 1, {}, 1, "acme.conv"}),
            "operator 'Conv' or operation 'acme.conv' has a form already");
  EXPECT_EQ(message({"com.acme::Twirl", 1, 1, 1, {}, 1, "acme.swirl"}),
            "operator 'com.acme::Twirl' or operation 'acme.swirl' has a form "
            "already");
  EXPECT_EQ(getOperationName("com.acme::Twirl"), "");
}
