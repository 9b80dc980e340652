// RUN: %inlay-opt %s -inlay-expand -mlir-print-debuginfo=false | FileCheck %s
// RUN: %inlay-opt %s -inlay-expand=replace -mlir-print-debuginfo=false | FileCheck %s --check-prefix=REPLACE
// RUN: %inlay-opt %s -inlay-expand=native=Softmax,LogSoftmax -mlir-print-debuginfo=false | FileCheck %s --check-prefix=NATIVE

// The composite operator stays beside what it consists of; users see both.
// CHECK-LABEL: func @softmax
// CHECK: %[[MAX:.*]] = inlay.reduce_max %arg0 {axes = array<i64: 1>, inlay.expansion = 0 : i64} {{.*}} -> tensor<4x1xf32>
// CHECK: %[[SUB:.*]] = inlay.sub %arg0, %[[MAX]] {inlay.expansion = 0 : i64}
// CHECK: %[[EXP:.*]] = inlay.exp %[[SUB]] {inlay.expansion = 0 : i64}
// CHECK: %[[SUM:.*]] = inlay.reduce_sum %[[EXP]] {axes = array<i64: 1>, inlay.expansion = 0 : i64}
// CHECK: %[[DIV:.*]] = inlay.div %[[EXP]], %[[SUM]] {inlay.expansion = 0 : i64}
// CHECK: %[[WHOLE:.*]] = inlay.softmax %arg0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: %[[BOTH:.*]] = inlay.expanded %[[WHOLE]] as %[[DIV]] {inlay.expansion = 0 : i64}
// CHECK: inlay.relu %[[BOTH]]
// REPLACE-LABEL: func @softmax
// REPLACE-NOT: inlay.softmax
// REPLACE-NOT: inlay.expansion
// REPLACE: %[[DIV:.*]] = inlay.div
// REPLACE-NEXT: inlay.relu %[[DIV]]
// NATIVE-LABEL: func @softmax
// NATIVE-NEXT: inlay.softmax
// NATIVE-NEXT: inlay.relu
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = inlay.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = inlay.relu %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Expansions are numbered in program order.
// CHECK-LABEL: func @numbers
// CHECK: inlay.expanded {{.*}} {inlay.expansion = 0 : i64}
// CHECK: inlay.log {{.*}} {inlay.expansion = 1 : i64}
// CHECK: inlay.expanded {{.*}} {inlay.expansion = 1 : i64}
func.func @numbers(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = inlay.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = inlay.log_softmax %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Requirement f39: half precision is summed in single precision.
// CHECK-LABEL: func @f16_sums_in_f32
// CHECK: inlay.cast %arg0 {{.*}} -> tensor<4x8xf32>
// CHECK: inlay.reduce_sum {{.*}} : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK: inlay.div {{.*}} -> tensor<4x8xf32>
// CHECK: inlay.cast {{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf16>
func.func @f16_sums_in_f32(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %y = inlay.softmax %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// Requirement f40: before opset 13 all dimensions from the axis on are one.
// CHECK-LABEL: func @coerced
// CHECK: inlay.reduce_max %arg0 {axes = array<i64: 1, 2>
// CHECK: inlay.reduce_sum {{.*}} {axes = array<i64: 1, 2>
// CHECK-LABEL: func @along_axis
// CHECK: inlay.reduce_max %arg0 {axes = array<i64: 1>
// CHECK: inlay.reduce_sum {{.*}} {axes = array<i64: 1>
func.func @coerced(%x: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %y = inlay.softmax %x {axis = 1 : i64, coerce_2d} : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %y : tensor<4x8x2xf32>
}
func.func @along_axis(%x: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %y = inlay.softmax %x {axis = 1 : i64} : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %y : tensor<4x8x2xf32>
}

// Unknown extents do not matter, an unknown rank does.
// CHECK-LABEL: func @dynamic
// CHECK: inlay.expanded
// CHECK-LABEL: func @unranked
// CHECK-NEXT: inlay.softmax
// CHECK-NEXT: return
func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = inlay.softmax %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %y = inlay.softmax %x : (tensor<*xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// What a group or a layout holds stays, and so does what nobody uses.
// CHECK-LABEL: func @grouped
// CHECK-NOT: inlay.expanded
// CHECK: return
func.func @grouped(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %unused = inlay.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = inlay.group "opu" "group_0" stages ["main"] : tensor<4x8xf32> {
    %s = inlay.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    inlay.yield %s : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// Subgraphs are graphs like the function's own.
// CHECK-LABEL: func @branch
// CHECK: inlay.if
// CHECK: inlay.softmax
// CHECK-NEXT: %[[Y:.*]] = inlay.expanded {{.*}}inlay.expansion = 0
// CHECK-NEXT: inlay.yield %[[Y]]
func.func @branch(%c: tensor<i1>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = inlay.if %c : (tensor<i1>) -> tensor<4x8xf32> {
    %s = inlay.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    inlay.yield %s : tensor<4x8xf32>
  } else {
    inlay.yield %x : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}
