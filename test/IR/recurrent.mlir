// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @shapes_follow_from_weights
func.func @shapes_follow_from_weights(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // CHECK: inlay.rnn %{{.*}}, %{{.*}}, %{{.*}} : {{.*}} -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  %0:2 = inlay.rnn %x, %w, %r : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// CHECK-LABEL: @everything_else_is_optional
func.func @everything_else_is_optional(%x: tensor<5x2x3xf64>, %w: tensor<2x16x3xf64>, %r: tensor<2x16x4xf64>, %b: tensor<2x32xf64>, %n: tensor<2xi32>, %s: tensor<2x2x4xf64>, %p: tensor<2x12xf64>) {
  // CHECK: inlay.lstm %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} lengths %{{.*}} hidden %{{.*}} cell %{{.*}} peepholes %{{.*}} {direction = "bidirectional"} : {{.*}} -> (tensor<5x2x2x4xf64>, tensor<2x2x4xf64>, tensor<2x2x4xf64>)
  %0:3 = inlay.lstm %x, %w, %r bias %b lengths %n hidden %s cell %s peepholes %p {direction = "bidirectional"} : (tensor<5x2x3xf64>, tensor<2x16x3xf64>, tensor<2x16x4xf64>, tensor<2x32xf64>, tensor<2xi32>, tensor<2x2x4xf64>, tensor<2x2x4xf64>, tensor<2x12xf64>) -> (tensor<5x2x2x4xf64>, tensor<2x2x4xf64>, tensor<2x2x4xf64>)
  // CHECK: inlay.lstm %{{.*}}, %{{.*}}, %{{.*}} cell %{{.*}} {direction = "bidirectional"}
  %1:3 = inlay.lstm %x, %w, %r cell %s {direction = "bidirectional"} : (tensor<5x2x3xf64>, tensor<2x16x3xf64>, tensor<2x16x4xf64>, tensor<2x2x4xf64>) -> (tensor<5x2x2x4xf64>, tensor<2x2x4xf64>, tensor<2x2x4xf64>)
  return
}

// CHECK-LABEL: @the_batch_may_come_first
func.func @the_batch_may_come_first(%x: tensor<2x5x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>, %h: tensor<2x1x4xf32>) {
  // CHECK: inlay.gru {{.*}} {layout = 1 : i64, linear_before_reset = 1 : i64} : {{.*}} -> (tensor<2x5x1x4xf32>, tensor<2x1x4xf32>)
  %0:2 = inlay.gru %x, %w, %r hidden %h {layout = 1 : i64, linear_before_reset = 1 : i64} : (tensor<2x5x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<2x1x4xf32>) -> (tensor<2x5x1x4xf32>, tensor<2x1x4xf32>)
  return
}

// CHECK-LABEL: @a_hidden_size_tells_what_weights_do_not
func.func @a_hidden_size_tells_what_weights_do_not(%x: tensor<?x?x3xf32>, %w: tensor<?x?x?xf32>, %r: tensor<*xf32>) {
  // CHECK: inlay.gru {{.*}} -> (tensor<?x1x?x7xf32>, tensor<1x?x7xf32>)
  %0:2 = inlay.gru %x, %w, %r {hidden_size = 7 : i64} : (tensor<?x?x3xf32>, tensor<?x?x?xf32>, tensor<*xf32>) -> (tensor<?x1x?x7xf32>, tensor<1x?x7xf32>)
  return
}

// CHECK-LABEL: @activations_are_named_in_any_case
func.func @activations_are_named_in_any_case(%x: tensor<5x2x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>) {
  // CHECK: inlay.gru {{.*}} {activation_alpha = array<f32: 5.000000e-01, 2.000000e+00>, activation_beta = array<f32: 1.000000e+00>, activations = ["leakyrelu", "ScaledTanh"]}
  %0:2 = inlay.gru %x, %w, %r {activation_alpha = array<f32: 0.5, 2.0>, activation_beta = array<f32: 1.0>, activations = ["leakyrelu", "ScaledTanh"]} : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}
