//===- NestInterface.td - The loops of operators -----------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_NESTINTERFACE_TD
#define INLAY_CODEGEN_NESTINTERFACE_TD

include "mlir/IR/OpBase.td"

def Inlay_NestOpInterface : OpInterface<"NestOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    The loops that code of an operator is: where the elements of its results
    come from, where those of its operands go, and what it sums. Attached from
    outside, as the code of elements is. An operator answers what is a question
    about it; shapes of operands are static.
  }];
  let methods = [
    InterfaceMethod<[{
      Where the element of a result at `index` comes from, in pieces of which the
      first one whose bounds hold is meant; nothing for an operator that does
      more than to move elements, or says only at run time where to.
    }], "::std::optional<::inlay::IndexPieces>", "getPieces",
        (ins "unsigned":$result, "const ::inlay::LoopIndex &":$index,
             "::inlay::LoopSpace &":$space), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      Where the first operand's element at `index` is in the result, for an
      operator that has every element once.
    }], "::std::optional<::inlay::LoopIndex>", "getResultIndex",
        (ins "const ::inlay::LoopIndex &":$index,
             "::inlay::LoopSpace &":$space), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      The operand that says where the operator reads or writes.
    }], "::std::optional<::inlay::IndexOperand>", "getIndexOperand", (ins), "",
        [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      Where an elementwise operator reads an operand behind the first for the
      result's element at `index`; nothing where it does not fit.
    }], "::std::optional<::inlay::LoopIndex>", "getOperandIndex",
        (ins "unsigned":$operand, "const ::inlay::LoopIndex &":$index,
             "::inlay::LoopSpace &":$space), "", [{
      return ::inlay::getAlignedIndex($_op->getOpOperand(operand), index);
    }]>,
    InterfaceMethod<[{
      What it makes of many elements, whether there is code for their type or
      not; nothing where it says only at run time which dimensions it reduces.
    }], "::std::optional<::inlay::Reduction>", "getReduction", (ins), "",
        [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      The sum of products that it is, for types that there is code for.
    }], "::std::optional<::inlay::Contraction>", "getContraction", (ins), "",
        [{ return ::std::nullopt; }]>,
  ];
}

#endif // INLAY_CODEGEN_NESTINTERFACE_TD
