//===- FormKinds.cpp - What forms of an operator differ in ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators are looked at by families; within a family those are named that
// are unlike the others.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/FormKinds.h"
#include "OpLists.h"
#include "inlay/IR/OpTypes.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;

namespace {
/// Those that combine elements, but for the ones below.
using CombiningOps = OpList<
#define GET_OP_LIST
#include "inlay/IR/ContractionOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/PoolOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/NormalizationOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/ReduceOps.cpp.inc"
    >;

/// Those that repeat operands where they have several.
using PointwiseOps = OpList<
#define GET_OP_LIST
#include "inlay/IR/ElementwiseOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/QuantizeOps.cpp.inc"
    >;

/// The kinds of all operators, by the names of their operations.
class KindTable {
public:
  KindTable() {
    setAll(NamedOps(), [](auto) { return FormKinds{false, false, false}; });
    setAll(CombiningOps(), []<typename OpT>(OpT) {
      return FormKinds{
          !llvm::is_one_of<OpT, BatchNormalizationOp, TopKOp>::value,
          llvm::is_one_of<OpT, MatMulOp, MatMulIntegerOp, QLinearMatMulOp,
                          GemmOp, EinsumOp>::value,
          std::is_same_v<OpT, BatchNormalizationOp>};
    });
    setAll(ContributedOps(), []<typename OpT>(OpT) {
      return FormKinds{
          !llvm::is_one_of<OpT, QLinearAddOp, QLinearMulOp, QLinearSigmoidOp,
                           QLinearLeakyReluOp, QLinearConcatOp, FastGeluOp,
                           BiasGeluOp>::value,
          std::is_same_v<OpT, QGemmOp>,
          llvm::is_one_of<OpT, QLinearAddOp, QLinearMulOp, FastGeluOp,
                          BiasGeluOp>::value};
    });
    setAll(PointwiseOps(), []<typename OpT>(OpT) {
      bool isUnary = OpT::template hasTrait<mlir::OpTrait::OneOperand>();
      return FormKinds{false, false, !isUnary};
    });
  }

  FormKinds lookup(llvm::StringRef opName) const {
    auto it = kinds.find(opName);
    return it == kinds.end() ? FormKinds() : it->second;
  }

private:
  template <typename... OpTs, typename Fn>
  void setAll(OpList<OpTs...>, Fn &&getKinds) {
    ((kinds[OpTs::getOperationName()] = getKinds(OpTs())), ...);
  }

  llvm::StringMap<FormKinds> kinds;
};
} // namespace

FormKinds inlay::getFormKinds(llvm::StringRef onnxType) {
  static const KindTable table;
  return table.lookup(getOperationName(onnxType));
}
