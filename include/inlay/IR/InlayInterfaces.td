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
      Whether all that it computes is which elements of its first operand it
      takes.
    }], "bool", "movesElements", (ins), "", [{
      return $_op.getFusionClass() == ::inlay::FusionClass::Transform;
    }]>,
  ];
}

def Inlay_ExpandOpInterface : OpInterface<"ExpandOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    Composite operators: what they compute, other operators compute together.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the operators that it consists of and sets the value that stands
      for each result; failure where a type that this depends on is unknown.
    }], "::llvm::LogicalResult", "expand", (ins "::inlay::Expansion &":$expansion)>,
    InterfaceMethod<[{
      The class that a kernel of what it consists of has, for operators that are
      opaque as a whole.
    }], "::inlay::FusionClass", "getExpandedClass", (ins), "",
        [{ return ::inlay::FusionClass::Opaque; }]>,
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

def Inlay_StorageOpInterface : OpInterface<"StorageOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    Operators that work on permuted tensors as well: the storage orders of
    their operands and results may be others than row-major, and the same
    operator with other attributes computes the same. What does not implement
    it is row-major. The defaults are those of elementwise operators.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether the operator can be built in `form`, which need not be the one
      that the types say. Where dimensions of one element stand makes no
      difference. Callers ask for forms along one order of the axis map's axes
      where `followsAxes`, and for factored dimensions where `admitsFactors`,
      but any form gets a true answer.
    }], "bool", "admitsForm", (ins "const ::inlay::StoredForm &":$form), "",
        [{ return ::inlay::admitsElementwise($_op, form); }]>,
    InterfaceMethod<[{
      Whether all tensors are stored along one common order of the axes of the
      axis map; otherwise each has an order of its own.
    }], "bool", "followsAxes", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
      Whether a dimension may be stored as several atoms.
    }], "bool", "admitsFactors", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
      Whether the operator may have all its tensors row-major. A transpose may
      not: it is the demand that both are stored alike.
    }], "bool", "admitsRowMajor", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
      Builds the operator over physical tensors, in a form that it admits, and
      sets every result. Failure only where an unknown extent keeps a view from
      being expressed.
    }], "::llvm::LogicalResult", "buildStored",
        (ins "::inlay::StoredOpBuilder &":$stored), "",
        [{ return ::inlay::buildElementwise(stored); }]>,
  ];
}

def Inlay_LayoutTransmitOpInterface : OpInterface<"LayoutTransmitOpInterface"> {
  let cppNamespace = "::inlay";
  let description = [{
    What the operation says about the layouts (class and names of the axes) of
    the tensors around it. Layouts are row-major here; a null layout is one that
    is not known. The defaults follow the axis map.
  }];
  let methods = [
    InterfaceMethod<[{
      The layouts that the operation has whatever stands around it, or none.
    }], "::inlay::KnownLayouts", "getKnownLayouts", (ins), "", [{ return {}; }]>,
    InterfaceMethod<[{
      Sets the layouts of the operands that follow from those of the results,
      and leaves the others as they are.
    }], "void", "inferOperandLayouts",
        (ins "::llvm::ArrayRef<::inlay::LayoutAttr>":$results,
             "::llvm::MutableArrayRef<::inlay::LayoutAttr>":$operands), "", [{
      ::inlay::inferOperandLayoutsByAxes($_op.getAxisMap(), results, operands);
    }]>,
    InterfaceMethod<[{
      Sets the layouts of the results that follow from those of the operands,
      and leaves the others as they are.
    }], "void", "inferResultLayouts",
        (ins "::llvm::ArrayRef<::inlay::LayoutAttr>":$operands,
             "::llvm::MutableArrayRef<::inlay::LayoutAttr>":$results), "", [{
      ::inlay::inferResultLayoutsByAxes($_op.getAxisMap(), operands, results);
    }]>,
    InterfaceMethod<[{
      Which values become which others, unchanged, as control enters and leaves
      the operation's regions.
    }], "::inlay::ControlFlow", "getControlFlow", (ins), "", [{ return {}; }]>,
  ];
}

#endif // INLAY_IR_INLAYINTERFACES_TD
