//===- FactInterfaces.td - What analyses ask operators -----*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts that few ask for. Operators get them as external models, so that the
// definitions of operators need not know them.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_FACTINTERFACES_TD
#define INLAY_IR_FACTINTERFACES_TD

include "mlir/IR/OpBase.td"

def Inlay_TargetFactsOpInterface : OpInterface<"TargetFactsOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{ What descriptions of hardware may ask of an operator. }];
  let methods = [
    InterfaceMethod<[{
      Whether operands may be exchanged, up to the order of the result's
      elements.
    }], "bool", "exchangesOperands", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      The extents of its window, unknown ones dynamic, or nothing when it has
      none.
    }], "::std::optional<::llvm::SmallVector<int64_t>>", "getWindow", (ins), "",
        [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      The pads of its window, those that `auto_pad` gives included.
    }], "::inlay::AttributeFact", "getWindowPads", (ins), "", [{ return {}; }]>,
    InterfaceMethod<[{
      Whether it adds something per channel after it has multiplied.
    }], "bool", "hasBias", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Whether operands behind the first are parameters rather than data.
    }], "bool", "takesParameters", (ins), "",
        [{ return ::llvm::isa<::inlay::ParameterOpInterface>($_op.getOperation()); }]>,
    InterfaceMethod<[{
      Whether all results are data, not only the first.
    }], "bool", "yieldsData", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      What no pipeline does of what the attributes say; empty when there is
      nothing of the kind.
    }], "::std::string", "findObstacle", (ins), "", [{ return ""; }]>,
    InterfaceMethod<[{
      An attribute as target files call it, its default where it is not given.
    }], "::inlay::AttributeFact", "getFact", (ins "::llvm::StringRef":$name)>,
  ];
}

def Inlay_ProductOpInterface : OpInterface<"ProductOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{ Operators whose work is to sum products. }];
  let methods = [
    InterfaceMethod<[{
      How many products are summed, those with padding included; nothing where
      that depends on an unknown extent.
    }], "::std::optional<uint64_t>", "countProducts", (ins)>,
  ];
}

def Inlay_ValueRangeOpInterface : OpInterface<"ValueRangeOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{ Between which numbers results lie. }];
  let methods = [
    InterfaceMethod<[{
      What all results lie in, given what the operands do.
    }], "::inlay::NumberRange", "inferRange", (ins "::inlay::RangeLookup":$ranges)>,
    InterfaceMethod<[{
      Whether each element of the result is one of the first operand's,
      converted at the most.
    }], "bool", "keepsElements", (ins), "", [{ return false; }]>,
  ];
}

def Inlay_OperandDemandOpInterface : OpInterface<"OperandDemandOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{ What operands must be for anything to be computed. }];
  let methods = [
    InterfaceMethod<[{
      Tells what is asked of operands whatever becomes of the results: indices
      inside their dimension, roots of what is not negative, shapes that fit.
    }], "void", "demandOfOperands", (ins "::inlay::DemandSink":$sink)>,
  ];
}

def Inlay_DemandTransferOpInterface : OpInterface<"DemandTransferOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    What is asked of operands for a result to be as demanded. What follows is
    enough for the demand, not always needed for it: of a sum that is not to be
    negative, neither operand is. Where nothing simple is enough (differences,
    contractions), nothing is asked.
  }];
  let methods = [
    InterfaceMethod<[{
      Tells what follows for the operands. Of two ways to satisfy a demand the
      one is taken that the operand's range has.
    }], "void", "transferDemand", (ins "const ::inlay::ResultDemand &":$asked)>,
  ];
}

#endif // INLAY_IR_FACTINTERFACES_TD
