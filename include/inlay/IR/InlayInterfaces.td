//===- InlayInterfaces.td - What operators say -------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interfaces answer, passes ask: no pass has a list of operators.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_INLAYINTERFACES_TD
#define INLAY_IR_INLAYINTERFACES_TD

include "mlir/IR/OpBase.td"

def Inlay_TypeInferenceOpInterface : OpInterface<"TypeInferenceOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    Result types from operands and attributes. The same method serves the
    importer, simplification and the verifier: an operation is valid when the
    inferred types are compatible with the ones it has.
  }];
  let methods = [
    InterfaceMethod<[{
      Sets what follows for each result's type, however little (a result that
      is not set stays unknown), or reports through `inference` why the
      operation is invalid and returns failure. Does not read result types.
    }], "::llvm::LogicalResult", "inferTypes",
        (ins "::inlay::TypeInference &":$inference)>,
  ];
  let verify = [{ return ::inlay::verifyInferredTypes($_op); }];
}

def Inlay_AxisMapOpInterface : OpInterface<"AxisMapOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    How each dimension of the results comes from dimensions of the operands.
  }];
  let methods = [
    InterfaceMethod<[{
      The axis map of the operation as it stands, or an opaque one where the
      ranks or parameters that it depends on are unknown.
    }], "::inlay::AxisMap", "getAxisMap", (ins)>,
  ];
}

def Inlay_FusionOpInterface : OpInterface<"FusionOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{ What kind of loop nest the operation is. }];
  let methods = [
    InterfaceMethod<"The operation's class.",
        "::inlay::FusionClass", "getFusionClass", (ins)>,
    InterfaceMethod<[{
      Bytes of all operands read and results written, each once; nothing when
      a shape is not static.
    }], "::std::optional<uint64_t>", "getTraffic", (ins), "", [{
      return ::inlay::computeTraffic($_op.getOperation());
    }]>,
  ];
}

def Inlay_EvaluateOpInterface : OpInterface<"EvaluateOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    The reference meaning of the operation, on tensors in host memory. It is
    independent of all optimisation code.
  }];
  let methods = [
    InterfaceMethod<[{
      Computes all results that have uses from the operands.
    }], "::llvm::Error", "evaluate", (ins "::inlay::Evaluation &":$evaluation)>,
    InterfaceMethod<[{
      Whether runtimes agree on the results. Where they do not, the one that
      executes the model has the say, and nothing is computed ahead of it.
    }], "bool", "isUnambiguous", (ins), "", [{ return true; }]>,
  ];
}

def Inlay_ParameterOpInterface : OpInterface<"ParameterOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    Operators with parameters (axes, shapes, pads, ...) that are attributes when
    they are known and operands when they are computed.
  }];
  let methods = [
    StaticInterfaceMethod<"The parameters, in the order of their operands.",
        "::llvm::ArrayRef<::inlay::Parameter>", "getParameters", (ins)>,
  ];
}

#endif // INLAY_IR_INLAYINTERFACES_TD
