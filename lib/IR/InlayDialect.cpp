//===- InlayDialect.cpp - The inlay dialect -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayDialect.h"
#include "DataResources.h"
#include "OpLists.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/FactInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace inlay;
using namespace mlir;

#include "inlay/IR/InlayDialect.cpp.inc"
#include "inlay/IR/InlayInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "inlay/IR/InlayTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "inlay/IR/InlayAttributes.cpp.inc"

void InlayDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "inlay/IR/InlayTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "inlay/IR/InlayAttributes.cpp.inc"
      >();
  auto add = [this]<typename... OpTs>(OpList<OpTs...>) {
    addOperations<OpTs...>();
  };
  add(NamedOps());
  add(ContributedOps());
  add(StructuralOps());
  addInterfaces<DataResources>();
  registerExpansions(*getContext());
  registerFacts(*getContext());
}

Operation *InlayDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || typed.getType() != type)
    return nullptr;
  return builder.create<ConstantOp>(loc, type, typed);
}

/// Is asked for interfaces that an operation lacks. Only whoever forgot to
/// attach an evaluation lacks that of constants.
void *InlayDialect::getRegisteredInterfaceForOp(TypeID interfaceID,
                                                OperationName) {
  if (interfaceID == EvaluateOpInterface::getInterfaceID() &&
      !OperationName(ConstantOp::getOperationName(), getContext())
           .hasInterface<EvaluateOpInterface>())
    llvm::report_fatal_error(
        "the context has no evaluation of operators: call registerEvaluation "
        "(inlay/Evaluation/Registration.h)");
  return nullptr;
}
