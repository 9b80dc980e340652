// RUN: %inlay-opt %s -inlay-layout-transmit | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit > %t.once.mlir
// RUN: %inlay-opt %t.once.mlir -inlay-layout-transmit > %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: %inlay-opt %t.once.mlir -inlay-simplify | FileCheck %s --check-prefix=SIMPLE

// What the pass leaves in the IR.

// Signature, constants and results carry the layouts.
// CHECK-LABEL: func.func @types_carry_layouts
// CHECK-SAME: (%{{.*}}: tensor<1x4x8x8xf32, #inlay.layout<NCHW>>
// CHECK-SAME: -> tensor<1x4x8x8xf32, #inlay.layout<NCHW>>
// CHECK: inlay.constant dense<1.000000e+00> : tensor<4x4x1x1xf32, #inlay.layout<OIHW>>
// CHECK: inlay.constant dense<0.000000e+00> : tensor<4xf32, #inlay.layout<Tensor>>
// CHECK: inlay.conv {{.*}} -> tensor<1x4x8x8xf32, #inlay.layout<NCHW>>
// CHECK: return %{{.*}} : tensor<1x4x8x8xf32, #inlay.layout<NCHW>>
// SIMPLE-LABEL: func.func @types_carry_layouts
// SIMPLE-SAME: (%{{.*}}: tensor<1x4x8x8xf32, #inlay.layout<NCHW>>
// SIMPLE: inlay.constant dense<1.000000e+00> : tensor<4x4x1x1xf32, #inlay.layout<OIHW>>
// SIMPLE: inlay.conv {{.*}} -> tensor<1x4x8x8xf32, #inlay.layout<NCHW>>
func.func @types_carry_layouts(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = inlay.constant dense<1.0> : tensor<4x4x1x1xf32>
  %b = inlay.constant dense<0.0> : tensor<4xf32>
  %0 = inlay.conv %x, %w, %b : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// Elements that are not splats, of a byte and less, and strings.
// CHECK-LABEL: func.func @constants_keep_their_elements
// CHECK: inlay.constant dense<{{\[}}[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32, #inlay.layout<Tensor>>
// CHECK: inlay.constant dense<[true, false, true]> : tensor<3xi1, #inlay.layout<Tensor>>
// CHECK: inlay.constant dense<true> : tensor<3xi1, #inlay.layout<Tensor>>
// CHECK: inlay.constant dense<[1, -2, 7]> : tensor<3xi4, #inlay.layout<Tensor>>
// CHECK: inlay.constant dense<> : tensor<0xi64, #inlay.layout<Tensor>>
func.func @constants_keep_their_elements() {
  %0 = inlay.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = inlay.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = inlay.constant dense<true> : tensor<3xi1>
  %3 = inlay.constant dense<[1, -2, 7]> : tensor<3xi4>
  %4 = inlay.constant dense<> : tensor<0xi64>
  return
}

// A storage order that was chosen stays; names without one are inferred anew.
// CHECK-LABEL: func.func @chosen_orders_stay
// CHECK-SAME: tensor<1x4x8x8xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-SAME: tensor<1x4x8x8xf32, #inlay.layout<Tensor>>
func.func @chosen_orders_stay(%x: tensor<1x4x8x8xf32, #inlay.layout<NCHW as NHWC>>,
                              %y: tensor<1x4x8x8xf32, #inlay.layout<NHWC>>) {
  return
}

// CHECK-LABEL: func.func @regions
// CHECK: inlay.loop
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64, #inlay.layout<Tensor>>{{.*}}, %{{.*}}: tensor<i1, #inlay.layout<Tensor>>{{.*}}, %{{.*}}: tensor<1x4x8x8xf32, #inlay.layout<NCHW>>
func.func @regions(%n: tensor<i64>, %x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32> {
  %0 = inlay.loop(trip %n carry %x) : (tensor<i64>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<1x4x8x8xf32>):
    %1 = inlay.conv %s, %w : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
    inlay.yield %c, %1 : tensor<i1>, tensor<1x4x8x8xf32>
  }
  return %0 : tensor<1x4x8x8xf32>
}

// CHECK-LABEL: func.func @no_rank_no_layout
// CHECK-SAME: (%{{.*}}: tensor<*xf32>
// CHECK-SAME: !inlay.unknown
func.func @no_rank_no_layout(%x: tensor<*xf32>, %y: !inlay.unknown) {
  return
}

// CHECK-LABEL: func.func private @without_a_body(tensor<4xf32>)
func.func private @without_a_body(tensor<4xf32>)
