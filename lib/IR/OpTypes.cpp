//===- OpTypes.cpp - What operations are called in ONNX -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The class of an operator bears ONNX's name: Conv is ConvOp, and
// com.microsoft::QLinearAdd is QLinearAddOp.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/OpTypes.h"
#include "OpLists.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/TypeName.h"

using namespace inlay;

namespace {
/// Both directions.
class OpTypeTable {
public:
  OpTypeTable();

  bool add(llvm::StringRef onnxType, llvm::StringRef opName);

  llvm::StringMap<std::string> byOnnxType, byOpName;
  /// Sorted; the keys of the map.
  std::vector<llvm::StringRef> types;

private:
  template <typename... OpTs>
  void addAll(OpList<OpTs...>, llvm::StringRef domain = "");
};
} // namespace

/// "Conv" of ConvOp.
template <typename OpT> static llvm::StringRef getClassType() {
  llvm::StringRef name = llvm::getTypeName<OpT>();
  name.consume_back("Op");
  return name.rsplit("::").second;
}

bool OpTypeTable::add(llvm::StringRef onnxType, llvm::StringRef opName) {
  if (byOnnxType.contains(onnxType) || byOpName.contains(opName))
    return false;
  auto it = byOnnxType.try_emplace(onnxType, opName.str()).first;
  byOpName[opName] = onnxType.str();
  types.insert(llvm::lower_bound(types, onnxType), it->first());
  return true;
}

template <typename... OpTs>
void OpTypeTable::addAll(OpList<OpTs...>, llvm::StringRef domain) {
  (add((domain + getClassType<OpTs>()).str(), OpTs::getOperationName()), ...);
}

OpTypeTable::OpTypeTable() {
  addAll(NamedOps());
  addAll(ContributedOps(), "com.microsoft::");
}

static OpTypeTable &getTable() {
  static OpTypeTable table;
  return table;
}

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
  // What ONNX has, but no target takes.
  if (llvm::isa<ConstantOp>(op))
    return "Constant";
  if (llvm::isa<IfOp>(op))
    return "If";
  if (llvm::isa<LoopOp>(op))
    return "Loop";
  if (llvm::isa<ScanOp>(op))
    return "Scan";
  llvm::StringRef name = op->getName().getStringRef();
  auto it = getTable().byOpName.find(name);
  return it == getTable().byOpName.end() ? name.str() : it->second;
}

llvm::ArrayRef<llvm::StringRef> inlay::getOnnxOpTypes() {
  return getTable().types;
}

llvm::StringRef inlay::getOperationName(llvm::StringRef onnxType) {
  auto it = getTable().byOnnxType.find(onnxType);
  return it == getTable().byOnnxType.end() ? llvm::StringRef()
                                           : llvm::StringRef(it->second);
}

bool inlay::addOnnxOpType(llvm::StringRef onnxType, llvm::StringRef opName) {
  return getTable().add(onnxType, opName);
}

std::string inlay::getElementWord(mlir::Type type) {
  std::string word;
  if (type)
    llvm::raw_string_ostream(word) << mlir::getElementTypeOrSelf(type);
  return word;
}
