//===- consumer.cpp - A program that uses an installed Inlay --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Compiler.h"
#include "inlay/Pipeline/Context.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

static int countOperators(mlir::ModuleOp module) {
  int count = 0;
  module.walk([&](mlir::Operation *op) {
    count += llvm::isa_and_nonnull<inlay::InlayDialect>(op->getDialect());
  });
  return count;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file)
    return 2;
  auto context = inlay::createContext();
  inlay::Compiler compiler({});
  auto compiled = compiler.compile(*context, (*file)->getBuffer(), argv[1]);
  if (!compiled) {
    llvm::errs() << llvm::toString(compiled.takeError()) << "\n";
    return 1;
  }
  int count = countOperators(*compiled->module);
  llvm::outs() << count << " operators\n";
  return count > 0 ? 0 : 1;
}
