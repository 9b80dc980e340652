// RUN: %inlay-opt %s -inlay-layout-transmit=remarks -verify-diagnostics -o /dev/null

// Regions are visited with their operation.

!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>

// What is wanted of a result is wanted of what both branches yield, and
// captured values are wanted from within.
func.func @if_passes_wants_into_its_branches(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %c: tensor<i1>,
    // expected-remark@+1 {{layout of argument #1: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #2: NCHW}}
    %y: !x,
    // expected-remark@+1 {{layout of argument #3: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.if %c : (tensor<i1>) -> !x {
    // expected-remark@+1 {{layout: NCHW}}
    %1 = inlay.relu %x : (!x) -> !x
    inlay.yield %1 : !x
  } else {
    // expected-remark@+1 {{layout: NCHW}}
    %2 = inlay.abs %y : (!x) -> !x
    inlay.yield %2 : !x
  }
  // expected-remark@+1 {{layout: NCHW}}
  %3 = inlay.conv %0, %w : (!x, !w) -> !x
  return
}

// Forward, the strongest of what the branches yield.
func.func @if_takes_the_strongest_of_its_branches(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %c: tensor<i1>,
    // expected-remark@+1 {{layout of argument #1: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %y: !x,
    // expected-remark@+1 {{layout of argument #3: OIHW}}
    %w: !w) -> !x {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.if %c : (tensor<i1>) -> !x {
    inlay.yield %y : !x
  } else {
    // expected-remark@+1 {{layout: NCHW}}
    %1 = inlay.conv %x, %w : (!x, !w) -> !x
    inlay.yield %1 : !x
  }
  return %0 : !x
}

func.func @if_without_a_known_operator(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %c: tensor<i1>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %x: !x) -> !x {
  // expected-remark@+1 {{layout: Tensor}}
  %0 = inlay.if %c : (tensor<i1>) -> !x {
    // expected-remark@+1 {{layout: Tensor}}
    %1 = inlay.relu %x : (!x) -> !x
    inlay.yield %1 : !x
  } else {
    inlay.yield %x : !x
  }
  return %0 : !x
}

// A carried value is wanted by the body, comes from before the loop, and leaves
// it; the weight is captured.
func.func @loop_carries_layouts(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %n: tensor<i64>,
    // expected-remark@+1 {{layout of argument #1: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #2: OIHW}}
    %w: !w) -> !x {
  // expected-remark@+3 {{layout: NCHW}}
  // expected-remark@+3 {{layout of argument #0: Tensor}}
  // expected-remark@+3 {{layout of argument #1: Tensor}}
  %0 = inlay.loop(trip %n carry %x) : (tensor<i64>, !x) -> !x {
  ^bb0(%i: tensor<i64>,
       %c: tensor<i1>,
       // expected-remark@+1 {{layout of argument #2: NCHW}}
       %s: !x):
    // expected-remark@+1 {{layout: NCHW}}
    %1 = inlay.conv %s, %w : (!x, !w) -> !x
    inlay.yield %c, %1 : tensor<i1>, !x
  }
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.relu %0 : (!x) -> !x
  return %2 : !x
}

// From before the loop into it, and from a consumer behind it to before it.
func.func @loop_without_a_known_operator_passes_on(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %n: tensor<i64>,
    // expected-remark@+1 {{layout of argument #1: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #2: OIHW}}
    %w: !w) -> !x {
  // expected-remark@+3 {{layout: NCHW}}
  // expected-remark@+3 {{layout of argument #0: Tensor}}
  // expected-remark@+3 {{layout of argument #1: Tensor}}
  %0 = inlay.loop(trip %n carry %x) : (tensor<i64>, !x) -> !x {
  ^bb0(%i: tensor<i64>,
       %c: tensor<i1>,
       // expected-remark@+1 {{layout of argument #2: NCHW}}
       %s: !x):
    // expected-remark@+1 {{layout: NCHW}}
    %1 = inlay.relu %s : (!x) -> !x
    inlay.yield %c, %1 : tensor<i1>, !x
  }
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.conv %0, %w : (!x, !w) -> !x
  return %2 : !x
}

// A collected output has a dimension more than what is yielded.
func.func @collected_outputs_are_tensors(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %n: tensor<i64>,
    // expected-remark@+1 {{layout of argument #1: NCW}}
    %x: tensor<1x4x8xf32>,
    // expected-remark@+1 {{layout of argument #2: OIW}}
    %w: tensor<4x4x1xf32>) {
  // expected-remark@+3 {{layout: Tensor}}
  // expected-remark@+3 {{layout of argument #0: Tensor}}
  // expected-remark@+3 {{layout of argument #1: Tensor}}
  %0 = inlay.loop(trip %n) : (tensor<i64>) -> tensor<?x1x4x8xf32> {
  ^bb0(%i: tensor<i64>,
       %c: tensor<i1>):
    // expected-remark@+1 {{layout: NCW}}
    %1 = inlay.conv %x, %w : (tensor<1x4x8xf32>, tensor<4x4x1xf32>) -> tensor<1x4x8xf32>
    inlay.yield %c, %1 : tensor<i1>, tensor<1x4x8xf32>
  }
  return
}

// A scan's states are carried, its slices are tensors of another rank.
func.func @scan_carries_states(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %scanned: tensor<3x1x4x8x8xf32>,
    // expected-remark@+1 {{layout of argument #2: OIHW}}
    %w: !w) {
  // expected-remark@+3 {{layout of result #0: NCHW}}
  // expected-remark@+2 {{layout of result #1: Tensor}}
  // expected-remark@+2 {{layout of argument #0: NCHW}}
  %0:2 = inlay.scan(%x, %scanned) {num_scan_inputs = 1 : i64} : (!x, tensor<3x1x4x8x8xf32>) -> (!x, tensor<?x1x4x8x8xf32>) {
  ^bb0(%state: !x,
       // expected-remark@+1 {{layout of argument #1: Tensor}}
       %slice: !x):
    // expected-remark@+1 {{layout: NCHW}}
    %1 = inlay.conv %state, %w : (!x, !w) -> !x
    // expected-remark@+1 {{layout: NCHW}}
    %2 = inlay.add %1, %slice : (!x, !x) -> !x
    inlay.yield %2, %slice : !x, !x
  }
  return
}
