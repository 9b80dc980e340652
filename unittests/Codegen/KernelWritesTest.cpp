//===- KernelWritesTest.cpp -----------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace inlay::testing;
using namespace mlir;

/// Buffer 0 is read, buffer 1 written.
static std::string check(llvm::StringRef body) {
  MLIRContext context;
  context
      .loadDialect<func::FuncDialect, LLVM::LLVMDialect, arith::ArithDialect>();
  std::string text =
      "func.func @kernel(%t: !llvm.ptr, %begin: i64, %end: i64) {\n"
      "  %x = arith.constant 1.0 : f32\n"
      "  %a0 = llvm.getelementptr %t[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr\n"
      "  %a1 = llvm.getelementptr %t[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr\n"
      "  %p0 = llvm.load %a0 : !llvm.ptr -> !llvm.ptr\n"
      "  %p1 = llvm.load %a1 : !llvm.ptr -> !llvm.ptr\n" +
      body.str() + "\n  return\n}\nfunc.func private @other()";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  return checkWrites(*module->getOps<func::FuncOp>().begin(),
                     [](unsigned buffer) { return buffer == 1; });
}

TEST(KernelWrites, AllowsResultsAndOwnMemory) {
  EXPECT_EQ(check("%at = llvm.getelementptr %p1[%begin] : (!llvm.ptr, i64) -> "
                  "!llvm.ptr, f32\nllvm.store %x, %at : f32, !llvm.ptr"),
            "");
  EXPECT_EQ(check("%n = arith.constant 65536 : i64\n"
                  "%own = llvm.alloca %n x f32 : (i64) -> !llvm.ptr\n"
                  "llvm.store %x, %own : f32, !llvm.ptr"),
            "");
}

TEST(KernelWrites, FindsWhatIsMore) {
  EXPECT_EQ(check("llvm.store %x, %p0 : f32, !llvm.ptr"), "writes to buffer 0");
  EXPECT_EQ(check("llvm.store %p0, %t : !llvm.ptr, !llvm.ptr"),
            "writes to an unknown place");
  EXPECT_EQ(check("func.call @other() : () -> ()"), "func.call in a kernel");
  EXPECT_EQ(check("%n = arith.constant 65537 : i64\n"
                  "%own = llvm.alloca %n x f32 : (i64) -> !llvm.ptr"),
            "has 262148 bytes of its own");
  EXPECT_EQ(check("%c = arith.constant 0 : i8\n"
                  "\"llvm.intr.memset\"(%p1, %c, %begin) <{isVolatile = "
                  "false}> : (!llvm.ptr, i8, i64) -> ()"),
            "llvm.intr.memset in a kernel");
}

TEST(KernelWrites, AllowsAssemblyOnlyWhereItIsEmpty) {
  EXPECT_EQ(check("llvm.inline_asm has_side_effects \"\", \"~{memory}\" : () "
                  "-> ()"),
            "");
  EXPECT_EQ(check("llvm.inline_asm has_side_effects \"nop\", \"~{memory}\" "
                  ": () -> ()"),
            "llvm.inline_asm in a kernel");
  EXPECT_EQ(check("llvm.inline_asm has_side_effects \"\", \"r\" %p1 : "
                  "(!llvm.ptr) -> ()"),
            "llvm.inline_asm in a kernel");
}
