//===- OpTypes.cpp - What operations are called in ONNX -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/OpTypes.h"
#include "OpForms.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;

std::string inlay::getOnnxOpType(mlir::Operation *op) {
  if (auto opaque = llvm::dyn_cast<OpaqueOp>(op)) {
    llvm::StringRef callee = opaque.getCallee();
    callee.consume_front("::");
    return callee.str();
  }
  if (auto group = llvm::dyn_cast<GroupOp>(op))
    return "inlay." + group.getTarget().str() + "::" + group.getName().str();
  if (auto inLayout = llvm::dyn_cast<InLayoutOp>(op))
    return "inlay." + inLayout.getTarget().str() +
           "::" + inLayout.getOpType().str();
  if (llvm::isa<ConstantOp>(op))
    return "Constant";
  if (llvm::isa<IfOp>(op))
    return "If";
  if (llvm::isa<LoopOp>(op))
    return "Loop";
  if (llvm::isa<ScanOp>(op))
    return "Scan";
  llvm::StringRef name = op->getName().getStringRef();
  const onnx::OpForm *form = onnx::lookupByOpName(name);
  return form ? form->onnxName.str() : name.str();
}

llvm::ArrayRef<llvm::StringRef> inlay::getOnnxOpTypes() {
  static const auto types = [] {
    std::vector<llvm::StringRef> names;
    for (const onnx::OpForm &form : onnx::getOpForms())
      names.push_back(form.onnxName);
    llvm::sort(names);
    return names;
  }();
  return types;
}
