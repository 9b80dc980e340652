//===- InlayOpBase.td - Base classes of the operators ------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_INLAYOPBASE_TD
#define INLAY_IR_INLAYOPBASE_TD

include "inlay/IR/InlayAttributes.td"
include "inlay/IR/InlayDialect.td"
include "inlay/IR/InlayInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// An operation of the dialect, whatever it is.
class Inlay_BaseOp<string mnemonic, list<Trait> traits = []>
    : Op<Inlay_Dialect, mnemonic, traits>;

/// An operator with ONNX semantics: it infers types, has an axis map and a
/// fusion class. What it computes is attached to it (lib/Evaluation).
class Inlay_Op<string mnemonic, list<Trait> traits = []>
    : Inlay_BaseOp<mnemonic, !listconcat([
          Pure, DeclareOpInterfaceMethods<Inlay_TypeInferenceOpInterface>,
          DeclareOpInterfaceMethods<Inlay_AxisMapOpInterface>,
          DeclareOpInterfaceMethods<Inlay_FusionOpInterface, ["getFusionClass"]>,
          Inlay_LayoutTransmitOpInterface], traits)>;

/// For operators with layouts of their own.
defvar Inlay_HasKnownLayouts =
    DeclareOpInterfaceMethods<Inlay_LayoutTransmitOpInterface, ["getKnownLayouts"]>;

/// For operators whose operands' layouts do not follow from the result's.
defvar Inlay_HidesLayouts =
    DeclareOpInterfaceMethods<Inlay_LayoutTransmitOpInterface, ["inferOperandLayouts"]>;

/// For operators that say themselves in which storage orders they work; those
/// with Inlay_StorageOpInterface alone are elementwise.
defvar Inlay_HasForms =
    DeclareOpInterfaceMethods<Inlay_StorageOpInterface, ["admitsForm", "buildStored"]>;

/// The same for operators whose tensors need not be stored along one order.
defvar Inlay_HasFreeForms = DeclareOpInterfaceMethods<Inlay_StorageOpInterface,
    ["admitsForm", "followsAxes", "admitsFactors", "buildStored"]>;

/// For operators over N x C x spatial that know no other place for these:
/// channels may have other numbers, and spatial dimensions change places.
defvar Inlay_HasRenamedForms = [Inlay_StorageOpInterface];
defvar Inlay_RenamedForms = [{
    bool admitsForm(const ::inlay::StoredForm &form) {
      return ::inlay::admitsRenamed(getOperation(), form);
    }
    ::llvm::LogicalResult buildStored(::inlay::StoredOpBuilder &stored) {
      return ::inlay::buildRenamed(stored);
    }
}];

/// For operators with parameters; OpParameters.cpp lists them.
defvar Inlay_HasParameters = DeclareOpInterfaceMethods<Inlay_ParameterOpInterface>;

// Attributes keep ONNX's names and defaults. They are optional, so that a
// model's own choice between stating and omitting a default survives.
class Inlay_Int<string value> : DefaultValuedOptionalAttr<I64Attr, value>;
class Inlay_Float<string value> : DefaultValuedOptionalAttr<F32Attr, value>;
class Inlay_Str<string value>
    : DefaultValuedOptionalAttr<StrAttr, "\"" # value # "\"">;
def Inlay_Ints : OptionalAttr<DenseI64ArrayAttr>;
def Inlay_Floats : OptionalAttr<DenseF32ArrayAttr>;

#endif // INLAY_IR_INLAYOPBASE_TD
