//===- InlayAttributes.td - Attributes of the dialect ------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_INLAYATTRIBUTES_TD
#define INLAY_IR_INLAYATTRIBUTES_TD

include "inlay/IR/InlayDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

class Inlay_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Inlay_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Inlay_DataAttr : Inlay_Attr<"Data", "data",
    [DeclareAttrInterfaceMethods<TypedAttrInterface>]> {
  let summary = "The elements of a constant, by reference";
  let description = [{
    A range of bytes of a file that the dialect has mapped, little endian and
    row-major, elements narrower than a byte packed as ONNX packs them. The
    elements are never copied into the context.

        #inlay.data<"resnet18.weights", 0, 37632> : tensor<64x3x7x7xf32>

    What a pass computed is in no file but in a buffer that the dialect keeps.
    It prints as a resource, whose bytes stand at the end of the text.

        #inlay.data<buffer0, 0, 1024> : tensor<256xf32>
  }];
  let parameters = (ins "::mlir::StringAttr":$file, "uint64_t":$offset,
                        "uint64_t":$length,
                        AttributeSelfTypeParameter<"">:$type);
  let hasCustomAssemblyFormat = 1;
}

def Inlay_ProtoAttr : Inlay_Attr<"Proto", "proto"> {
  let summary = "An ONNX attribute kept as the bytes it was read from";
  let parameters = (ins "::mlir::StringAttr":$bytes);
  let assemblyFormat = "`<` $bytes `>`";
}

def Inlay_OriginAttr : Inlay_Attr<"Origin", "origin"> {
  let summary = "The node of the model that an operation comes from";
  let description = [{
    Metadata of an operation's location, so that names never keep equal
    operations from merging. `outputs` are the names of the node's outputs, in
    the order of the results ("" where a result had none). `extra` holds what
    else the model says: `doc`, `metadata`, `dims` (dimension names of the
    outputs).

        loc(fused<#inlay.origin<"conv1", "Conv", ["y"]>>[unknown])
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$opType,
                        "::mlir::ArrayAttr":$outputs,
                        OptionalParameter<"::mlir::DictionaryAttr">:$extra);
  let assemblyFormat = "`<` $name `,` $opType `,` $outputs (`,` $extra^)? `>`";
  let genVerifyDecl = 1;
}

def Inlay_RemovedAttr : Inlay_Attr<"Removed", "removed"> {
  let summary = "A node that no operation stands for any more, and why";
  let parameters = (ins "::inlay::OriginAttr":$origin,
                        "::mlir::StringAttr":$reason);
  let assemblyFormat = "`<` $origin `,` $reason `>`";
}

/// inlay::Layout, handed out without copying it.
def Inlay_LayoutParameter
    : AttrOrTypeParameter<"::inlay::Layout", "how a tensor is stored"> {
  let cppAccessorType = "const ::inlay::Layout &";
}

def Inlay_LayoutAttr : Inlay_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "What the dimensions of a tensor mean and how it is stored";
  let description = [{
    The encoding of a tensor type, whose shape stays the logical one. Without
    it a tensor is row-major and nothing is known of its axes. Layout.h
    describes the notation.

        tensor<1x64x56x56xf32, #inlay.layout<NCHW>>
        tensor<1x64x56x56xf32, #inlay.layout<NCHW as NHWC>>
        tensor<1x50x56x56xf16, #inlay.layout<NCHW as NC1HWC0 block 16>>
        tensor<1x8x8x8xf32, #inlay.layout<Tensor as (0,2,3,1)>>
        tensor<1x3136xf32,
               #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=64*7*7>>
  }];
  let parameters = (ins Inlay_LayoutParameter:$layout);
  let hasCustomAssemblyFormat = 1;
}

def Inlay_StoredAttr : Inlay_Attr<"Stored", "stored",
    [DeclareAttrInterfaceMethods<TypedAttrInterface>]> {
  let summary = "A constant in another storage order, computed when it is used";
  let description = [{
    The elements of `base`, another constant, written out in the storage order
    `layout` and read as a plain row-major tensor. The shape is the layout's
    physical shape or any other shape of equally many elements; the padding of
    blocked dimensions is zeros. Elements are computed tile by tile when they
    are written or executed, never kept.

        #inlay.stored<#inlay.data<"resnet18.weights", 0, 37632>
                          : tensor<64x3x7x7xf32>,
                      <OIHW as HWOI>> : tensor<7x7x64x3xf32>
  }];
  let parameters = (ins "::mlir::TypedAttr":$base, "::inlay::LayoutAttr":$layout,
                        AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "`<` $base `,` $layout `>`";
  let genVerifyDecl = 1;
}

def Inlay_ScaledAttr : Inlay_Attr<"Scaled", "scaled",
    [DeclareAttrInterfaceMethods<TypedAttrInterface>]> {
  let summary = "A constant times factors, computed when it is used";
  let description = [{
    The elements of `base`, another constant of floats, each times one of
    `factors`, which has the base's rank and stretches to its shape. Products are
    computed in f64 and rounded once; a base of f64 is rounded so to any type.
    The shape is the base's or any other shape
    of equally many elements. Elements are computed tile by tile when they are
    written or executed, never kept.

        #inlay.scaled<#inlay.data<"resnet18.weights", 0, 37632>
                          : tensor<64x3x7x7xf32>,
                      #inlay.data<buffer0, 0, 512> : tensor<64x1x1x1xf64>>
            : tensor<64x3x7x7xf32>
  }];
  let parameters = (ins "::mlir::TypedAttr":$base, "::mlir::TypedAttr":$factors,
                        AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "`<` $base `,` $factors `>`";
  let genVerifyDecl = 1;
}

/// inlay::KernelNest, handed out without copying it.
def Inlay_KernelNestParameter
    : AttrOrTypeParameter<"::inlay::KernelNest", "the loops of a kernel"> {
  let cppAccessorType = "const ::inlay::KernelNest &";
}

def Inlay_KernelAttr : Inlay_Attr<"Kernel", "kernel"> {
  let summary = "The loops that a kernel is, and where it reads its operands";
  let description = [{
    What the operators of a group are as one kernel. It follows from them: the
    verifier computes it again and refuses any other.

    First the class: that of the contraction, window or reduction, which is the
    anchor, else "elementwise", "broadcast", "transform" or "opaque".
    `anchor` is its number among the operators of the body, constants not
    counted. `space` has the extents of the loops (`?`: unknown), `reduced` those
    of them that are summed over: of a contraction or window they follow those of
    the result, a reduction goes over what it reduces. Without an anchor the
    space is that of the first result. `reads` says of each input, in the order in
    which the body meets them, whether it is read for what is computed where the
    anchor reads (`prologue`), by the anchor, or for what is computed of its
    result (`epilogue`); without an anchor, whether only where what is made of it
    is written (`same`) or elsewhere, too (`other`). Views read nothing
    themselves.

        #inlay.kernel<elementwise, space = [4, 8], reads = [same, other]>
        #inlay.kernel<contraction, anchor = 0, space = [1, 64, 56, 56, 3, 7, 7],
                      reduced = [4, 5, 6], reads = [anchor, anchor, epilogue]>
        #inlay.kernel<reduce, anchor = 0, space = [?, 768], reduced = [1],
                      reads = [anchor|epilogue]>
  }];
  let parameters = (ins Inlay_KernelNestParameter:$nest);
  let hasCustomAssemblyFormat = 1;
}

#endif // INLAY_IR_INLAYATTRIBUTES_TD
