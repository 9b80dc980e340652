// RUN: %inlay-opt %s -inlay-layout-transmit=remarks -verify-diagnostics -o /dev/null

// Which class a value has where several are possible.

!x = tensor<1x4x8xf32>
!w = tensor<4x4x1xf32>
!k = tensor<8x8xf32>

// An input has no producer: the highest class wins, whatever the order of the
// users.
func.func @input_of_matmul_and_conv(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.matmul %x, %k : (!x, !k) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.conv %x, %w : (!x, !w) -> !x
  return
}

func.func @input_of_conv_and_matmul(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.matmul %x, %k : (!x, !k) -> !x
  return
}

func.func @input_that_is_feature_and_weight(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: tensor<4x4x1xf32>) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x, %x : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  return
}

func.func @constant_that_is_weight_and_matrix(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: tensor<4x4x1xf32>,
    // expected-remark@+1 {{layout of argument #1: NTensor}}
    %y: tensor<4x1x4xf32>) {
  // expected-remark@+1 {{layout: OIW}}
  %w = inlay.constant dense<1.0> : tensor<4x4x1xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.matmul %y, %w : (tensor<4x1x4xf32>, tensor<4x4x1xf32>) -> tensor<4x1x1xf32>
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.conv %x, %w : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  return
}

// A producer that knows keeps its layout; the consumer converts.
func.func @conv_before_matmul_keeps_its_layout(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.matmul %0, %k : (!x, !k) -> !x
  return
}

func.func @matmul_before_conv_keeps_its_layout(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.matmul %x, %k : (!x, !k) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.conv %0, %w : (!x, !w) -> !x
  return
}

// Wanted in two classes, the value keeps what its producer passes on from
// before it...
func.func @contested_value_keeps_its_producers_class(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.matmul %x, %k : (!x, !k) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.relu %0 : (!x) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %3 = inlay.matmul %1, %k : (!x, !k) -> !x
  return
}

// ... but what its only consumer wants where that is one class.
func.func @value_with_one_consumer_is_what_it_wants(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.matmul %x, %k : (!x, !k) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.relu %0 : (!x) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  return
}

// A Reshape gives its result nothing that is wanted: the highest class wins.
func.func @contested_result_of_a_reshape(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %x: tensor<4x8xf32>,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %k: !k) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.reshape %x {shape = array<i64: 1, 4, 8>} : (tensor<4x8xf32>) -> !x
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.matmul %0, %k : (!x, !k) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %2 = inlay.conv %0, %w : (!x, !w) -> !x
  return
}

// Inputs and constants without any known operator on their paths.
func.func @default_is_tensor(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %unused: !x) {
  // expected-remark@+1 {{layout: Tensor}}
  %c = inlay.constant dense<1.0> : !x
  // expected-remark@+1 {{layout: Tensor}}
  %0 = inlay.add %x, %c : (!x, !x) -> !x
  return
}

// The highest class among the operands of the result's rank: a broadcast
// constant does not make an Add a Tensor.
func.func @broadcast_constant_does_not_win(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %vector: tensor<8xf32>,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %units: tensor<1x4x1xf32>) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.add %vector, %0 : (tensor<8xf32>, !x) -> !x
  // expected-remark@+1 {{layout: NCW}}
  %2 = inlay.add %units, %1 : (tensor<1x4x1xf32>, !x) -> !x
  return
}

// Weight beats NTensor, NTensor beats Tensor.
func.func @order_of_classes(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: tensor<4x4x1xf32>,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: tensor<4x4x1xf32>,
    // expected-remark@+1 {{layout of argument #2: NTensor}}
    %n: tensor<4x4x1xf32>,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %k: tensor<1x1xf32>,
    // expected-remark@+1 {{layout of argument #4: Tensor}}
    %t: tensor<4x4x1xf32>) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x, %w : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.matmul %n, %k : (tensor<4x4x1xf32>, tensor<1x1xf32>) -> tensor<4x4x1xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.add %t, %1 : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  // expected-remark@+1 {{layout: OIW}}
  %3 = inlay.add %2, %w : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  // expected-remark@+1 {{layout: NCW}}
  %4 = inlay.add %3, %0 : (tensor<4x4x1xf32>, tensor<4x4x1xf32>) -> tensor<4x4x1xf32>
  return
}

// Two orders of one class: the alphabet decides, whatever the order of users.
func.func @two_names_of_one_class(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: tensor<1x4x4xf32>,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.conv %0, %w : (tensor<1x4x4xf32>, !w) -> tensor<1x4x4xf32>
  // expected-remark@+1 {{layout: NCW}}
  %2 = inlay.conv %x, %w : (tensor<1x4x4xf32>, !w) -> tensor<1x4x4xf32>
  return
}
