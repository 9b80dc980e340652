//===- InlayDialect.td - The inlay dialect and its types ---*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_INLAYDIALECT_TD
#define INLAY_IR_INLAYDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Inlay_Dialect : Dialect {
  let name = "inlay";
  let cppNamespace = "::inlay";
  let summary = "Neural networks with ONNX semantics in one canonical form";
  let description = [{
    Every operator has the meaning of the ONNX operator it is named after, in
    one form for all opsets. A parameter that is known (axes, pads, perm, ...)
    is an attribute; one that is computed at run time is an operand named
    `<parameter>_operand`. Values are tensors whose types carry their logical
    shape; how a tensor is stored is the type's encoding.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  // Attributes live in the dictionary, where importer and exporter treat them
  // alike for all operators.
  let usePropertiesForAttributes = 0;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasOperationInterfaceFallback = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The files that constants refer to.
    DataFiles &getDataFiles() { return dataFiles; }

  private:
    DataFiles dataFiles;

  public:
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Inlay_Type<string name, string typeMnemonic>
    : TypeDef<Inlay_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Inlay_UnknownType : Inlay_Type<"Unknown", "unknown"> {
  let summary = "A value whose type the model does not declare";
}

def Inlay_StringType : Inlay_Type<"String", "string"> {
  let summary = "The element type of tensors of strings";
}

def Inlay_CarriedType : Inlay_Type<"Carried", "carried"> {
  let summary = "An ONNX element type that builtin types lack";
  let description = [{
    `!inlay.carried<"float4e2m1">`: carried, stored and exported, but not
    computed with by builtin means.
  }];
  let parameters = (ins StringRefParameter<"ONNX's name in lower case">:$name);
  let assemblyFormat = "`<` $name `>`";
}

def Inlay_OpaqueType : Inlay_Type<"OpaqueValue", "opaque"> {
  let summary = "A sequence, map, optional or sparse tensor, kept verbatim";
  let description = [{
    Holds the serialized ONNX TypeProto; `text` is for people.
  }];
  let parameters = (ins StringRefParameter<"for people">:$text,
                        StringRefParameter<"serialized TypeProto">:$proto);
  let assemblyFormat = "`<` $text `,` $proto `>`";
}

//===----------------------------------------------------------------------===//
// Operand and result constraints
//===----------------------------------------------------------------------===//

/// Any value. Tensors may be ranked or not; their type may be undeclared.
def Inlay_Value : AnyTypeOf<
    [AnyTensor, Inlay_UnknownType, Inlay_OpaqueType], "tensor or opaque value">;

/// A tensor, or a value of which nothing is declared.
def Inlay_Tensor : AnyTypeOf<[AnyTensor, Inlay_UnknownType], "tensor">;

class Inlay_TensorOf<list<Type> elements, string description>
    : AnyTypeOf<[TensorOf<elements>, Inlay_UnknownType], description>;

def Inlay_FloatTensor
    : Inlay_TensorOf<[AnyFloat, Inlay_CarriedType], "tensor of floats">;
def Inlay_NumericTensor
    : Inlay_TensorOf<[AnyFloat, AnyInteger, AnyComplex, Inlay_CarriedType],
                     "tensor of numbers">;
def Inlay_IntegerTensor : Inlay_TensorOf<[AnyInteger], "tensor of integers">;
def Inlay_BoolTensor : Inlay_TensorOf<[I1], "tensor of booleans">;

/// A parameter computed at run time: shapes, axes, pads, ...
def Inlay_IntParameter : Inlay_TensorOf<[I32, I64], "tensor of i32 or i64">;

#endif // INLAY_IR_INLAYDIALECT_TD
