// RUN: %inlay-opt %s -inlay-layout-transmit=remarks -verify-diagnostics -o /dev/null

// The graphs of docs/Requirements.md, section "Layout transmit".

!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>
!m = tensor<1x4x64xf32>
!k = tensor<64x64xf32>

// The simplified version: A and B feed the known node C, A also feeds D; C feeds
// E, and E and D feed F. One backward sweep colours A and B, one forward sweep
// the rest.
func.func @simplified_version(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %a: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %b: !w) -> !x {
  // expected-remark@+1 {{layout: NCHW}}
  %c = inlay.conv %a, %b : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %d = inlay.abs %a : (!x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %e = inlay.relu %c : (!x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %f = inlay.add %e, %d : (!x, !x) -> !x
  return %f : !x
}

// The same graph without a known node: nothing limits the colours on any path.
func.func @simplified_version_without_a_known_node(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %a: !x,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %b: !x) -> !x {
  // expected-remark@+1 {{layout: Tensor}}
  %c = inlay.mul %a, %b : (!x, !x) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %d = inlay.abs %a : (!x) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %e = inlay.relu %c : (!x) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %f = inlay.add %e, %d : (!x, !x) -> !x
  return %f : !x
}

// Conv(NHWC) --> (NHWC)Reshape(NTensor) --> Gemm(NTensor): going forward, the
// Reshape turns the one into the other.
func.func @conv_reshape_gemm(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) -> !m {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 64>} : (!x) -> !m
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.matmul %1, %k : (!m, !k) -> !m
  return %2 : !m
}

// Conv(NHWC) <-- (?)Reshape(NTensor) <-- Gemm(NTensor): going backward it cannot
// be told, so that the input of the Reshape stays what it is without the Gemm.
func.func @reshape_gemm_without_conv(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %k: !k) -> !m {
  // expected-remark@+1 {{layout: Tensor}}
  %0 = inlay.relu %x : (!x) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 64>} : (!x) -> !m
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.matmul %1, %k : (!m, !k) -> !m
  return %2 : !m
}

// The example with a Reshape: the first sweep passes it over, the lowest path
// gets the default, and the forward sweep colours the rest.
func.func @example_with_a_reshape(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %y: !m,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %lowest: !m) -> !m {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 64>} : (!x) -> !m
  // expected-remark@+1 {{layout: Tensor}}
  %2 = inlay.add %1, %y : (!m, !m) -> !m
  // expected-remark@+1 {{layout: Tensor}}
  %3 = inlay.relu %lowest : (!m) -> !m
  // expected-remark@+1 {{layout: Tensor}}
  %4 = inlay.add %2, %3 : (!m, !m) -> !m
  return %4 : !m
}

// Several in a row: Conv -> Reshape -> a -> b -> Reshape -> Gemm. What lies
// between follows from the first Reshape, which looks at its operand only: its
// result has another rank, so that it is a Tensor.
func.func @several_ambiguous_nodes_in_a_row(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) -> !m {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.reshape %0 {shape = array<i64: 4, 64>} : (!x) -> tensor<4x64xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %a = inlay.relu %1 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %b = inlay.abs %a : (tensor<4x64xf32>) -> tensor<4x64xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.reshape %b {shape = array<i64: 1, 4, 64>} : (tensor<4x64xf32>) -> !m
  // expected-remark@+1 {{layout: NTensor}}
  %3 = inlay.matmul %2, %k : (!m, !k) -> !m
  return %3 : !m
}

// The same with a first Reshape that keeps the rank: what it cuts anew has no
// names, so that it is a Tensor all the same.
func.func @several_ambiguous_nodes_in_a_row_of_one_rank(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) -> !m {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 16, 4>} : (!x) -> tensor<1x4x16x4xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %a = inlay.relu %1 : (tensor<1x4x16x4xf32>) -> tensor<1x4x16x4xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %b = inlay.abs %a : (tensor<1x4x16x4xf32>) -> tensor<1x4x16x4xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.reshape %b {shape = array<i64: 1, 4, 64>} : (tensor<1x4x16x4xf32>) -> !m
  // expected-remark@+1 {{layout: NTensor}}
  %3 = inlay.matmul %2, %k : (!m, !k) -> !m
  return %3 : !m
}

// And with one that keeps the dimensions: the feature layout goes on to the
// second one.
func.func @several_ambiguous_nodes_in_a_row_pass_features_on(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) -> !m {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 8, 8>} : (!x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %a = inlay.relu %1 : (!x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %b = inlay.abs %a : (!x) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.reshape %b {shape = array<i64: 1, 4, 64>} : (!x) -> !m
  // expected-remark@+1 {{layout: NTensor}}
  %3 = inlay.matmul %2, %k : (!m, !k) -> !m
  return %3 : !m
}

// Multi-modal: one node feeds two others that want it in different classes.
func.func @multi_modal_fan_out(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: !m,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: tensor<4x4x1xf32>,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) -> (!m, !m) {
  // expected-remark@+1 {{layout: NCW}}
  %a = inlay.relu %x : (!m) -> !m
  // expected-remark@+1 {{layout: NCW}}
  %b = inlay.conv %a, %w : (!m, tensor<4x4x1xf32>) -> !m
  // expected-remark@+1 {{layout: NTensor}}
  %c = inlay.matmul %a, %k : (!m, !k) -> !m
  return %b, %c : !m, !m
}

// Multi-modal: both kinds of known nodes in one graph that joins them again.
func.func @multi_modal_join(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: !m,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: tensor<4x4x1xf32>,
    // expected-remark@+1 {{layout of argument #2: NTensor}}
    %y: !m,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %k: !k) -> !m {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x, %w : (!m, tensor<4x4x1xf32>) -> !m
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.matmul %y, %k : (!m, !k) -> !m
  // expected-remark@+1 {{layout: NCW}}
  %2 = inlay.add %1, %0 : (!m, !m) -> !m
  return %2 : !m
}
