//===- StoredExportTest.cpp - Exporting constants in other orders ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Support/TemporaryFolder.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/ONNX/Export.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

using namespace inlay;

namespace {
/// A model whose only output is a constant over the file "weights" of bytes
/// that all differ from their neighbours.
class StoredExport : public ::testing::Test {
protected:
  StoredExport() {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
    std::string bytes;
    for (unsigned i = 0; i < 100000; ++i)
      bytes.push_back(char(i * 7 + i / 251));
    weights = folder.add("weights", bytes);
    for (const char *name : {"stored", "eager"})
      llvm::sys::fs::create_directory(folder / name);
  }

  /// `value` has %s where the file's name goes.
  mlir::OwningOpRef<mlir::ModuleOp> parse(std::string value,
                                          llvm::StringRef type) {
    value.replace(value.find("%s"), 2, weights);
    std::string text = "func.func @main() -> " + type.str() +
                       " {\n%0 = inlay.constant " + value + " : " + type.str() +
                       "\nreturn %0 : " + type.str() + "\n}";
    auto *dialect = context.getOrLoadDialect<InlayDialect>();
    dialect->getDataFiles().add(llvm::cantFail(MappedFile::open(weights)));
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  void exportTo(mlir::ModuleOp module, llvm::StringRef name,
                ExternalData option) {
    ExportOptions options;
    options.externalData = option;
    auto done = exportModel(module, folder / name, options);
    EXPECT_TRUE(bool(done)) << llvm::toString(done.takeError());
  }

  /// Exports the expression and its value; the files are the same.
  void expectSameFiles(const std::string &value, llvm::StringRef type) {
    auto module = parse(value, type);
    ASSERT_TRUE(module);
    for (ExternalData option : {ExternalData::Never, ExternalData::Always}) {
      exportTo(*module, "stored/m", option);
      auto eager = mlir::OwningOpRef<mlir::ModuleOp>(module->clone());
      eager->walk([&](ConstantOp op) {
        HostTensor tensor = llvm::cantFail(getHostTensor(op.getValue()));
        op.setValueAttr(getConstantAttr(&context, tensor));
      });
      exportTo(*eager, "eager/m", option);
      EXPECT_EQ(readBytes(folder / "stored/m"), readBytes(folder / "eager/m"))
          << value;
      EXPECT_EQ(readBytes(folder / "stored/m.data"),
                readBytes(folder / "eager/m.data"))
          << value;
    }
  }

  TemporaryFolder folder;
  std::string weights;
  mlir::MLIRContext context;
};
} // namespace

TEST_F(StoredExport, WritesWhatTheValueHolds) {
  expectSameFiles("#inlay.stored<#inlay.data<\"%s\", 3, 37632> : "
                  "tensor<64x3x7x7xf32>, <OIHW as HWOI>>",
                  "tensor<7x7x64x3xf32>");
  expectSameFiles("#inlay.stored<#inlay.data<\"%s\", 1, 4900> : "
                  "tensor<1x50x7x7xf16>, <NCHW as NC1HWC0 block 16>>",
                  "tensor<1x4x7x7x16xf16>");
  expectSameFiles("#inlay.stored<#inlay.data<\"%s\", 5, 2000> : "
                  "tensor<50x80xi4>, <Tensor as (1,0)>>",
                  "tensor<80x50xi4>");
  expectSameFiles("#inlay.stored<#inlay.data<\"%s\", 5, 2000> : "
                  "tensor<50x40xi1>, <Tensor as (1,0)>>",
                  "tensor<2000xi1>");
}

TEST_F(StoredExport, WritesAnExpressionOverAnother) {
  expectSameFiles("#inlay.stored<#inlay.stored<#inlay.data<\"%s\", 5, 8000> : "
                  "tensor<50x40xf32>, <Tensor as (1:1,0,1:0) block 1=16>> : "
                  "tensor<48x50xf32>, <Tensor as (1,0)>>",
                  "tensor<50x48xf32>");
}

TEST_F(StoredExport, WritesProducts) {
  expectSameFiles("#inlay.scaled<#inlay.data<\"%s\", 3, 4900> : "
                  "tensor<1x50x7x7xf16>, dense<3.0> : tensor<1x50x1x1xf64>>",
                  "tensor<50x49xf16>");
  expectSameFiles("#inlay.stored<#inlay.scaled<#inlay.data<\"%s\", 5, 8000> : "
                  "tensor<50x40xf32>, dense<0.3> : tensor<1x40xf64>> : "
                  "tensor<50x40xf32>, <Tensor as (1:1,0,1:0) block 1=16>>",
                  "tensor<3x50x16xf32>");
}

TEST_F(StoredExport, RefusesBytesPastTheEndOfTheFile) {
  auto module = parse("#inlay.stored<#inlay.data<\"%s\", 99999, 8000> : "
                      "tensor<50x40xf32>, <Tensor as (1,0)>>",
                      "tensor<40x50xf32>");
  ASSERT_TRUE(module);
  for (ExternalData option : {ExternalData::Never, ExternalData::Always}) {
    ExportOptions options;
    options.externalData = option;
    auto done = exportModel(*module, folder / "stored/m", options);
    ASSERT_FALSE(bool(done));
    EXPECT_NE(llvm::toString(done.takeError()).find("lies past the end"),
              std::string::npos);
    EXPECT_FALSE(llvm::sys::fs::exists(folder / "stored/m"));
  }
}
