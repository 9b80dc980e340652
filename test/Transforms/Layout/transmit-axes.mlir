// RUN: %inlay-opt %s -inlay-layout-transmit=remarks -verify-diagnostics -o /dev/null

// How layouts pass through operators: names move with the axes.

!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>

func.func @transpose_permutes_names_forward(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NHWC}}
  %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : (!x) -> tensor<1x8x8x4xf32>
  // expected-remark@+1 {{layout: NHWC}}
  %2 = inlay.relu %1 : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  // expected-remark@+1 {{layout: NCHW}}
  %3 = inlay.transpose %2 {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x4xf32>) -> !x
  return
}

func.func @transpose_permutes_names_backward(
    // expected-remark@+1 {{layout of argument #0: NHWC}}
    %x: tensor<1x8x8x4xf32>,
    // expected-remark@+1 {{layout of argument #1: HWIO}}
    %w: tensor<1x1x4x4xf32>) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.transpose %x {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x4xf32>) -> !x
  // expected-remark@+1 {{layout: OIHW}}
  %1 = inlay.transpose %w {perm = array<i64: 3, 2, 0, 1>} : (tensor<1x1x4x4xf32>) -> !w
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.conv %0, %1 : (!x, !w) -> !x
  return
}

func.func @transpose_of_matrices_keeps_the_class(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %a: tensor<2x3x4xf32>,
    // expected-remark@+1 {{layout of argument #1: NTensor}}
    %b: tensor<2x5x4xf32>) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.transpose %b {perm = array<i64: 0, 2, 1>} : (tensor<2x5x4xf32>) -> tensor<2x4x5xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %1 = inlay.matmul %a, %0 : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @ranks_of_convolutions(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x1: tensor<1x4x8xf32>,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w1: tensor<4x4x1xf32>,
    // expected-remark@+1 {{layout of argument #2: NCDHW}}
    %x3: tensor<1x4x8x8x8xf32>,
    // expected-remark@+1 {{layout of argument #3: OIDHW}}
    %w3: tensor<4x4x1x1x1xf32>,
    // expected-remark@+1 {{layout of argument #4: Tensor}}
    %b: tensor<4xf32>) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x1, %w1, %b : (tensor<1x4x8xf32>, tensor<4x4x1xf32>, tensor<4xf32>) -> tensor<1x4x8xf32>
  // expected-remark@+1 {{layout: NCDHW}}
  %1 = inlay.conv %x3, %w3, %b : (tensor<1x4x8x8x8xf32>, tensor<4x4x1x1x1xf32>, tensor<4xf32>) -> tensor<1x4x8x8x8xf32>
  return
}

func.func @weight_of_a_transposed_convolution(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: IOHW}}
    %w: tensor<4x5x1x1xf32>) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv_transpose %x, %w : (!x, tensor<4x5x1x1xf32>) -> tensor<1x5x8x8xf32>
  return
}

// Pools and normalisations pass features on, and ask for none.
func.func @pools_pass_features_on(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %v: tensor<4xf32>) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.average_pool %x {kernel_shape = array<i64: 1, 1>} : (!x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.instance_normalization %0, %v, %v : (!x, tensor<4xf32>, tensor<4xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %3 = inlay.lrn %2 {size = 3 : i64} : (!x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %4 = inlay.global_average_pool %3 : (!x) -> tensor<1x4x1x1xf32>
  return
}

func.func @pools_ask_for_nothing(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %x: !x) {
  // expected-remark@+1 {{layout: Tensor}}
  %0 = inlay.average_pool %x {kernel_shape = array<i64: 1, 1>} : (!x) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.global_average_pool %0 : (!x) -> tensor<1x4x1x1xf32>
  return
}

func.func @reductions_keep_names_with_the_dimensions(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.reduce_max %x {axes = array<i64: 2>} : (!x) -> tensor<1x4x1x8xf32>
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.conv %0, %w : (tensor<1x4x1x8xf32>, !w) -> tensor<1x4x1x8xf32>
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.reduce_mean %1 {axes = array<i64: 1, 3>} : (tensor<1x4x1x8xf32>) -> tensor<1x1x1x1xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %3 = inlay.reduce_mean %1 {axes = array<i64: 3>, keepdims = 0 : i64} : (tensor<1x4x1x8xf32>) -> tensor<1x4x1xf32>
  return
}

// What is wanted of a result of fewer dimensions says nothing about the operand.
func.func @reduction_without_keepdims_hides_its_operand(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: tensor<4x4x1xf32>) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.reduce_max %x {axes = array<i64: 2>, keepdims = 0 : i64} : (!x) -> tensor<1x4x8xf32>
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.conv %0, %w : (tensor<1x4x8xf32>, tensor<4x4x1xf32>) -> tensor<1x4x8xf32>
  return
}

func.func @joining_and_cutting(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: tensor<1x2x8x8xf32>,
    // expected-remark@+1 {{layout of argument #1: NCHW}}
    %y: tensor<1x2x6x8xf32>,
    // expected-remark@+1 {{layout of argument #2: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.pad %y {pads = array<i64: 0, 0, 1, 0, 0, 0, 1, 0>} : (tensor<1x2x6x8xf32>) -> tensor<1x2x8x8xf32>
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.concat %x, %0 {axis = 1 : i64} : (tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  // expected-remark@+2 {{layout of result #0: NCHW}}
  // expected-remark@+1 {{layout of result #1: NCHW}}
  %3, %4 = inlay.split %2 {axis = 1 : i64} : (!x) -> (tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>)
  // expected-remark@+1 {{layout: NCHW}}
  %5 = inlay.slice %3 {starts = array<i64: 1>, ends = array<i64: 3>, axes = array<i64: 3>} : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x2xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %i = inlay.constant dense<[1, 0]> : tensor<2xi64>
  // expected-remark@+1 {{layout: NCHW}}
  %6 = inlay.gather %2, %i {axis = 1 : i64} : (!x, tensor<2xi64>) -> tensor<1x2x8x8xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %j = inlay.constant dense<1> : tensor<i64>
  // expected-remark@+1 {{layout: Tensor}}
  %7 = inlay.gather %2, %j {axis = 1 : i64} : (!x, tensor<i64>) -> tensor<1x8x8xf32>
  return
}

// A split result that nothing wants, beside one that a convolution wants.
func.func @results_one_by_one(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: tensor<1x8x8x8xf32>,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w) {
  // expected-remark@+2 {{layout of result #0: NCHW}}
  // expected-remark@+1 {{layout of result #1: NCHW}}
  %0, %1 = inlay.split %x {axis = 1 : i64} : (tensor<1x8x8x8xf32>) -> (!x, !x)
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  return
}

// Results of different ranks are decided by themselves.
func.func @results_of_different_ranks(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+3 {{layout of result #0: NCHW}}
  // expected-remark@+2 {{layout of result #1: Tensor}}
  // expected-remark@+1 {{layout of result #2: Tensor}}
  %1:3 = inlay.dynamic_quantize_linear %0 : (!x) -> (tensor<1x4x8x8xui8>, tensor<f32>, tensor<ui8>)
  return
}

// Backward, reshapes of all kinds and broadcasts hide their operand, even where
// the shape shows what it could be.
func.func @reshapes_hide_their_operand(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %reshaped: tensor<1x4x64x1xf32>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %squeezed: tensor<1x1x4x8x8xf32>,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %unsqueezed: tensor<4x8x8xf32>,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %flat: tensor<1x4xf32>,
    // expected-remark@+1 {{layout of argument #4: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #5: Tensor}}
    %k: tensor<4x4xf32>) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.reshape %reshaped {shape = array<i64: 1, 4, 8, 8>} : (tensor<1x4x64x1xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.conv %0, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.squeeze %squeezed {axes = array<i64: 0>} : (tensor<1x1x4x8x8xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %3 = inlay.conv %2, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %4 = inlay.unsqueeze %unsqueezed {axes = array<i64: 0>} : (tensor<4x8x8xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %5 = inlay.conv %4, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %6 = inlay.flatten %flat : (tensor<1x4xf32>) -> tensor<1x4xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %7 = inlay.gemm %6, %k : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  return
}

func.func @broadcasts_hide_their_operand(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %expanded: tensor<1x4x1x8xf32>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %units: tensor<1x4x1x1xf32>,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %vector: tensor<8xf32>,
    // expected-remark@+1 {{layout of argument #3: NCHW}}
    %whole: !x,
    // expected-remark@+1 {{layout of argument #4: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.expand %expanded {shape = array<i64: 1, 4, 8, 8>} : (tensor<1x4x1x8xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.add %0, %units : (!x, tensor<1x4x1x1xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.add %1, %vector : (!x, tensor<8xf32>) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %3 = inlay.add %2, %whole : (!x, !x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %4 = inlay.conv %3, %w : (!x, !w) -> !x
  return
}

// Forward they do not.
func.func @broadcasts_pass_features_on(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: tensor<1x4x1x1xf32>,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (tensor<1x4x1x1xf32>, !w) -> tensor<1x4x1x1xf32>
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.expand %0 {shape = array<i64: 1, 4, 8, 8>} : (tensor<1x4x1x1xf32>) -> !x
  return
}

// A block of elements moves between channels and space, and all keep their
// names; a Reshape of the same shapes cuts the dimensions anew.
func.func @blocks_keep_names_and_reshapes_do_not(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.depth_to_space %0 {blocksize = 2 : i64} : (!x) -> tensor<1x1x16x16xf32>
  // expected-remark@+1 {{layout: NCHW}}
  %2 = inlay.space_to_depth %1 {blocksize = 2 : i64} : (tensor<1x1x16x16xf32>) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %3 = inlay.reshape %0 {shape = array<i64: 1, 1, 16, 16>} : (!x) -> tensor<1x1x16x16xf32>
  return
}

// A node that is not modelled is a barrier in both directions.
func.func @opaque_nodes_are_barriers(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.opaque "com.acme::Swirl"(%x) : (!x) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.conv %0, %w : (!x, !w) -> !x
  // expected-remark@+1 {{layout: Tensor}}
  %2 = inlay.opaque "com.acme::Swirl"(%1) : (!x) -> !x
  return
}

// Values without a rank have no layout; symbolic extents do not matter.
func.func @ranks_count_not_extents(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: tensor<?x4x?x?xf32>,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !w,
    // expected-remark@+1 {{layout of argument #2: none}}
    %u: tensor<*xf32>) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.conv %x, %w : (tensor<?x4x?x?xf32>, !w) -> tensor<?x4x?x?xf32>
  // expected-remark@+1 {{layout: none}}
  %1 = inlay.relu %u : (tensor<*xf32>) -> tensor<*xf32>
  return
}
