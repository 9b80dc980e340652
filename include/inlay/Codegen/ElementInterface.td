//===- ElementInterface.td - Operators on single elements --*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_ELEMENTINTERFACE_TD
#define INLAY_CODEGEN_ELEMENTINTERFACE_TD

include "mlir/IR/OpBase.td"

def Inlay_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    The code of an elementwise operator for one element, or for a vector of
    them. Attached from outside: the dialect knows nothing of code.
  }];
  let methods = [
    InterfaceMethod<[{
      The result's element for those of the operands, in the order of the
      operation's operands: floats, integers without a sign of their own, i1 for
      booleans, or vectors of these. Computes what the executor does, but for
      rounding. Null where there is no code for these element types; nothing is
      created then.
    }], "::mlir::Value", "emitElement",
        (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands)>,
    InterfaceMethod<"Whether that is a few instructions for any element.",
        "bool", "isShort", (ins), "", [{ return false; }]>,
  ];
}

#endif // INLAY_CODEGEN_ELEMENTINTERFACE_TD
