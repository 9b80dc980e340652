//===- ControlFlowOps.td - If, Loop and Scan ---------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_CONTROLFLOWOPS_TD
#define INLAY_IR_CONTROLFLOWOPS_TD

include "inlay/IR/InlayOpBase.td"

include "mlir/Interfaces/ControlFlowInterfaces.td"

// Subgraphs are regions that use values from outside freely. They end in
// inlay.yield.
class Inlay_RegionOp<string mnemonic, list<Trait> traits = []>
    : Inlay_BaseOp<mnemonic, !listconcat([
          RecursiveMemoryEffects, SingleBlock,
          DeclareOpInterfaceMethods<Inlay_TypeInferenceOpInterface>,
          DeclareOpInterfaceMethods<Inlay_AxisMapOpInterface>,
          DeclareOpInterfaceMethods<Inlay_FusionOpInterface, ["getFusionClass"]>,
          DeclareOpInterfaceMethods<Inlay_LayoutTransmitOpInterface,
                                    ["getControlFlow"]>], traits)>;

def Inlay_IfOp : Inlay_RegionOp<"if"> {
  let summary = "One of two subgraphs";
  let description = [{
        %y = inlay.if %c : (tensor<i1>) -> tensor<4xf32> {
          inlay.yield %a : tensor<4xf32>
        } else {
          inlay.yield %b : tensor<4xf32>
        }
  }];
  let arguments = (ins Inlay_BoolTensor:$cond);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let regions = (region SizedRegion<1>:$then_branch, SizedRegion<1>:$else_branch);
  let assemblyFormat = [{
    $cond attr-dict `:` functional-type($cond, $outputs) $then_branch `else` $else_branch
  }];
  let hasVerifier = 1;
}

def Inlay_LoopOp : Inlay_RegionOp<"loop", [AttrSizedOperandSegments]> {
  let summary = "A loop with carried values and collected outputs";
  let description = [{
    The body takes the iteration number, the condition and the carried values;
    it yields the next condition, the next carried values and one slice of each
    collected output. Results: the last carried values, then the collected
    outputs with a leading iteration dimension.
  }];
  let arguments = (ins Optional<Inlay_Tensor>:$max_trip_count,
                       Optional<Inlay_Tensor>:$cond,
                       Variadic<Inlay_Value>:$initial);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` (`trip` $max_trip_count^)? (`while` $cond^)? (`carry` $initial^)? `)` attr-dict
    `:` functional-type(operands, $outputs) $body
  }];
  let hasVerifier = 1;
}

def Inlay_ScanOp : Inlay_RegionOp<"scan"> {
  let summary = "A loop over slices of tensors";
  let description = [{
    ONNX Scan (opset 9 on). The first operands are the initial states, the last
    `num_scan_inputs` the tensors that are scanned.
  }];
  let arguments = (ins Variadic<Inlay_Value>:$inputs, I64Attr:$num_scan_inputs,
                       Inlay_Ints:$scan_input_axes, Inlay_Ints:$scan_input_directions,
                       Inlay_Ints:$scan_output_axes, Inlay_Ints:$scan_output_directions);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body
  }];
  let hasVerifier = 1;
}

#endif // INLAY_IR_CONTROLFLOWOPS_TD
