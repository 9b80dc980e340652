// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// The advanced way: subnets of one class, with relayouts at head and tail.

!x = tensor<1x4x6x8xf32>
!w = tensor<4x4x1x1xf32>
!m = tensor<1x4x48xf32>

// The first drawing: both nodes are Features, and so are one subnet.
// CHECK-LABEL: func.func @the_advanced_way_feature_feature
// CHECK: %[[T1:.*]] = inlay.relayout %arg0 : {{.*}}<NCHW>>) -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[N1:.*]] = inlay.conv %[[T1]]
// CHECK-NEXT: %[[N2:.*]] = inlay.conv %[[N1]]
// CHECK-NEXT: %[[T2:.*]] = inlay.relayout %[[N2]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: return %[[T2]]
func.func @the_advanced_way_feature_feature(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.conv %0, %w : (!x, !w) -> !x
  return %1 : !x
}

// The second drawing: a Tensor between them, and so four.
// CHECK-LABEL: func.func @the_advanced_way_feature_tensor_feature
// CHECK: %[[T1:.*]] = inlay.relayout %arg0 : {{.*}}<NCHW>>) -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[N1:.*]] = inlay.conv %[[T1]]
// CHECK-NEXT: %[[T3:.*]] = inlay.relayout %[[N1]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[A:.*]] = inlay.reshape %[[T3]] {{.*}}<NCHW>>) -> {{.*}}<Tensor>>
// CHECK-NEXT: %[[B:.*]] = inlay.abs %[[A]] : {{.*}}<Tensor>>) -> {{.*}}<Tensor>>
// CHECK-NEXT: %[[T4:.*]] = inlay.relayout %[[B]]
// CHECK-NEXT: %[[C:.*]] = inlay.reshape %[[T4]] {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[N2:.*]] = inlay.conv %[[C]]
// CHECK-NEXT: %[[T2:.*]] = inlay.relayout %[[N2]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: return %[[T2]]
// PHYSICAL-LABEL: func.func @the_advanced_way_feature_tensor_feature
// PHYSICAL: inlay.abs {{.*}} : (tensor<1x4x48xf32>) -> tensor<1x4x48xf32>
// PHYSICAL-NEXT: inlay.transpose {{.*}} : (tensor<1x4x48xf32>) -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<1x48x4xf32>) -> tensor<1x6x8x4xf32>
func.func @the_advanced_way_feature_tensor_feature(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.abs %1 : (!m) -> !m
  %3 = inlay.reshape %2 {shape = array<i64: 1, 4, 6, 8>} : (!m) -> !x
  %4 = inlay.conv %3, %w : (!x, !w) -> !x
  return %4 : !x
}

// A network of one class: NHWC goes from the inputs to the outputs.
// CHECK-LABEL: func.func @single_cnn_network
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.average_pool
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.add
// CHECK-NEXT: inlay.relayout
// CHECK-NEXT: return
func.func @single_cnn_network(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.relu %0 : (!x) -> !x
  %2 = inlay.average_pool %1 {kernel_shape = array<i64: 1, 1>} : (!x) -> !x
  %3 = inlay.conv %2, %w : (!x, !w) -> !x
  %4 = inlay.add %3, %1 : (!x, !x) -> !x
  return %4 : !x
}

// Features and Weights are both of the CNN kind: what computes a weight joins the
// convolution that reads it, and the weight is stored as HWOI from its input on.
!k = tensor<4x4x3x3xf32>
!q = tensor<4x4x3x3xi8>
// CHECK-LABEL: func.func @single_cnn_network_with_computed_weights
// CHECK: %[[Q:.*]] = inlay.relayout %arg1 : {{.*}} -> tensor<4x4x3x3xi8, #inlay.layout<OIHW as HWOI>>
// CHECK-NEXT: %[[W:.*]] = inlay.dequantize_linear %[[Q]]
// CHECK-NEXT: %[[X:.*]] = inlay.relayout %arg0
// CHECK-NEXT: %[[A:.*]] = inlay.conv %[[X]], %[[W]]
// CHECK-NEXT: inlay.relayout %[[A]]
// CHECK-NEXT: return
func.func @single_cnn_network_with_computed_weights(%x: !x, %q: !q) -> !x {
  %s = inlay.constant dense<0.5> : tensor<f32>
  %w = inlay.dequantize_linear %q, %s : (!q, tensor<f32>) -> !k
  %0 = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !k) -> !x
  return %0 : !x
}

// Pools whose indices nobody reads, and tensors of one element per channel,
// which are stored alike in both orders, do not leave the region.
// CHECK-LABEL: func.func @single_cnn_network_with_pools
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.max_pool {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.global_average_pool
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.mul
// CHECK-NEXT: inlay.relayout
// CHECK-NEXT: return
func.func @single_cnn_network_with_pools(%x: tensor<2x4x6x8xf32>) -> tensor<2x4x3x4xf32> {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (tensor<2x4x6x8xf32>, !w) -> tensor<2x4x6x8xf32>
  %1:2 = inlay.max_pool %0 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<2x4x6x8xf32>) -> (tensor<2x4x3x4xf32>, tensor<2x4x3x4xi64>)
  %2 = inlay.global_average_pool %1#0 : (tensor<2x4x3x4xf32>) -> tensor<2x4x1x1xf32>
  %3 = inlay.conv %2, %w : (tensor<2x4x1x1xf32>, !w) -> tensor<2x4x1x1xf32>
  %4 = inlay.mul %1#0, %3 : (tensor<2x4x3x4xf32>, tensor<2x4x1x1xf32>) -> tensor<2x4x3x4xf32>
  return %4 : tensor<2x4x3x4xf32>
}
