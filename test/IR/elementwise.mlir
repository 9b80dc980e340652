// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @unary_keeps_type
func.func @unary_keeps_type(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: inlay.abs %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %0 = inlay.abs %x : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: inlay.leaky_relu %{{.*}} {alpha = 1.000000e-01 : f32}
  %1 = inlay.leaky_relu %0 {alpha = 0.1 : f32} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}

// CHECK-LABEL: @binary_broadcasts
func.func @binary_broadcasts(%x: tensor<2x1xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: inlay.add %{{.*}}, %{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = inlay.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @equal_takes_strings
func.func @equal_takes_strings(%x: tensor<3x!inlay.string>) -> tensor<3xi1> {
  // CHECK: inlay.equal
  %0 = inlay.equal %x, %x : (tensor<3x!inlay.string>, tensor<3x!inlay.string>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// CHECK-LABEL: @identity_takes_anything
func.func @identity_takes_anything(%x: !inlay.unknown) -> !inlay.unknown {
  // CHECK: inlay.identity %{{.*}} : (!inlay.unknown) -> !inlay.unknown
  %0 = inlay.identity %x : (!inlay.unknown) -> !inlay.unknown
  return %0 : !inlay.unknown
}

// CHECK-LABEL: @bounds_are_optional
func.func @bounds_are_optional(%x: tensor<3xf32>, %b: tensor<f32>) -> tensor<3xf32> {
  // CHECK: inlay.clip %{{.*}} : (tensor<3xf32>) -> tensor<3xf32>
  %0 = inlay.clip %x : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: inlay.clip %{{.*}} min %{{.*}} :
  %1 = inlay.clip %0 min %b : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: inlay.clip %{{.*}} max %{{.*}} :
  %2 = inlay.clip %1 max %b : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: inlay.clip %{{.*}} min %{{.*}} max %{{.*}} :
  %3 = inlay.clip %2 min %b max %b : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return %3 : tensor<3xf32>
}

// CHECK-LABEL: @dropout_parameters_are_attributes_or_operands
func.func @dropout_parameters_are_attributes_or_operands(
    %x: tensor<3xf32>, %r: tensor<f32>, %t: tensor<i1>) -> tensor<3xf32> {
  // CHECK: inlay.dropout %{{.*}} {ratio = 2.500000e-01 : f32}
  %0:2 = inlay.dropout %x {ratio = 0.25 : f32} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>)
  // CHECK: inlay.dropout %{{.*}} ratio %{{.*}} training_mode %{{.*}} :
  %1:2 = inlay.dropout %0#0 ratio %r training_mode %t
      : (tensor<3xf32>, tensor<f32>, tensor<i1>) -> (tensor<3xf32>, tensor<3xi1>)
  return %1#0 : tensor<3xf32>
}

// CHECK-LABEL: @cast_may_be_declared_loosely
func.func @cast_may_be_declared_loosely(%x: tensor<3xf32>) -> tensor<*xi64> {
  // CHECK: inlay.cast %{{.*}} {to = 7 : i64} : (tensor<3xf32>) -> tensor<*xi64>
  %0 = inlay.cast %x {to = 7 : i64} : (tensor<3xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}
