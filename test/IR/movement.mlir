// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @permutation_is_optional
func.func @permutation_is_optional(%x: tensor<2x3xf32>) {
  // CHECK: inlay.transpose %{{.*}} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = inlay.transpose %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: inlay.transpose %{{.*}} {perm = array<i64: 0, 1>} :
  %1 = inlay.transpose %x {perm = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @shapes_are_attributes_or_operands
func.func @shapes_are_attributes_or_operands(%x: tensor<2x3xf32>, %s: tensor<2xi64>) {
  // CHECK: inlay.reshape %{{.*}} {allowzero = 1 : i64, shape = array<i64: 3, 2>} :
  %0 = inlay.reshape %x {allowzero = 1 : i64, shape = array<i64: 3, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: inlay.reshape %{{.*}}, shape %{{.*}} :
  %1 = inlay.reshape %x, shape %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: inlay.expand %{{.*}}, shape %{{.*}} :
  %2 = inlay.expand %x, shape %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK: inlay.tile %{{.*}}, repeats %{{.*}} :
  %3 = inlay.tile %x, repeats %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: inlay.constant_of_shape shape %{{.*}} :
  %4 = inlay.constant_of_shape shape %s : (tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: inlay.constant_of_shape {shape = array<i64: 2>, value = dense<7> : tensor<1xi32>} : () -> tensor<2xi32>
  %5 = inlay.constant_of_shape {shape = array<i64: 2>, value = dense<7> : tensor<1xi32>} : () -> tensor<2xi32>
  return
}

// CHECK-LABEL: @axes_are_attributes_or_operands
func.func @axes_are_attributes_or_operands(%x: tensor<1x3xf32>, %a: tensor<1xi64>) {
  // CHECK: inlay.squeeze %{{.*}} {axes = array<i64: -2>} :
  %0 = inlay.squeeze %x {axes = array<i64: -2>} : (tensor<1x3xf32>) -> tensor<3xf32>
  // CHECK: inlay.squeeze %{{.*}}, axes %{{.*}} :
  %1 = inlay.squeeze %x, axes %a : (tensor<1x3xf32>, tensor<1xi64>) -> tensor<?xf32>
  // CHECK: inlay.unsqueeze %{{.*}}, axes %{{.*}} :
  %2 = inlay.unsqueeze %x, axes %a : (tensor<1x3xf32>, tensor<1xi64>) -> tensor<?x?x?xf32>
  return
}

// CHECK-LABEL: @any_parameter_of_a_slice_may_be_an_operand
func.func @any_parameter_of_a_slice_may_be_an_operand(%x: tensor<4x5xf32>, %i: tensor<1xi64>) {
  // CHECK: inlay.slice %{{.*}} {axes = array<i64: 1>, ends = array<i64: 3>, starts = array<i64: 1>} :
  %0 = inlay.slice %x {starts = array<i64: 1>, ends = array<i64: 3>, axes = array<i64: 1>}
      : (tensor<4x5xf32>) -> tensor<4x2xf32>
  // CHECK: inlay.slice %{{.*}} ends %{{.*}} steps %{{.*}} {axes = array<i64: 1>, starts = array<i64: 1>} :
  %1 = inlay.slice %x ends %i steps %i {starts = array<i64: 1>, axes = array<i64: 1>}
      : (tensor<4x5xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: @pads_have_a_value
func.func @pads_have_a_value(%x: tensor<2x3xf32>, %p: tensor<4xi64>, %v: tensor<f32>) {
  // CHECK: inlay.pad %{{.*}} value %{{.*}} {pads = array<i64: 1, 0, 1, 0>} :
  %0 = inlay.pad %x value %v {pads = array<i64: 1, 0, 1, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  // CHECK: inlay.pad %{{.*}} pads %{{.*}} {mode = "edge"} :
  %1 = inlay.pad %x pads %p {mode = "edge"} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: @strings_move
func.func @strings_move(%x: tensor<2x!inlay.string>) {
  // CHECK: inlay.concat %{{.*}}, %{{.*}} {axis = 0 : i64} :
  %0 = inlay.concat %x, %x {axis = 0 : i64}
      : (tensor<2x!inlay.string>, tensor<2x!inlay.string>) -> tensor<4x!inlay.string>
  // CHECK: inlay.split %{{.*}} {num_outputs = 2 : i64} :
  %1:2 = inlay.split %0 {num_outputs = 2 : i64}
      : (tensor<4x!inlay.string>) -> (tensor<2x!inlay.string>, tensor<2x!inlay.string>)
  return
}

// CHECK-LABEL: @what_makes_tensors
func.func @what_makes_tensors(%x: tensor<2x3xf32>, %i: tensor<i64>) {
  // CHECK: inlay.shape %{{.*}} {end = 1 : i64} :
  %0 = inlay.shape %x {end = 1 : i64} : (tensor<2x3xf32>) -> tensor<1xi64>
  // CHECK: inlay.size %{{.*}} :
  %1 = inlay.size %x : (tensor<2x3xf32>) -> tensor<i64>
  // CHECK: inlay.range %{{.*}}, %{{.*}}, %{{.*}} :
  %2 = inlay.range %i, %i, %i : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  // CHECK: inlay.eye_like %{{.*}} {dtype = 7 : i64, k = 1 : i64} :
  %3 = inlay.eye_like %x {dtype = 7 : i64, k = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xi64>
  // CHECK: inlay.trilu %{{.*}}, k %{{.*}} {upper = 0 : i64} :
  %4 = inlay.trilu %x, k %i {upper = 0 : i64} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// An extent that is copied may be zero, and then there is nothing to count.
// CHECK-LABEL: func.func @reshape_of_what_may_be_nothing
// CHECK: inlay.reshape %arg0 {shape = array<i64: 0>} : (tensor<?x0x4xf32>) -> tensor<?xf32>
func.func @reshape_of_what_may_be_nothing(%x: tensor<?x0x4xf32>) -> tensor<?xf32> {
  %y = inlay.reshape %x {shape = array<i64: 0>} : (tensor<?x0x4xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
