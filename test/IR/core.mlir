// RUN: %inlay-opt %s | %inlay-opt | FileCheck %s

// A node that is not modelled, with attributes and without.
// CHECK-LABEL: func.func @opaque
// CHECK: inlay.opaque "com.acme::Swirl"(%{{.*}}) {node_attributes = {strength = 2 : i64}} : (tensor<1x3xf32>) -> !inlay.unknown
// CHECK: inlay.opaque "com.acme::Swirl"(%{{.*}}) : (!inlay.unknown) -> tensor<4xf32>
func.func @opaque(%x: tensor<1x3xf32>) -> tensor<4xf32> {
  %0 = inlay.opaque "com.acme::Swirl"(%x) {node_attributes = {strength = 2 : i64}} : (tensor<1x3xf32>) -> !inlay.unknown
  %1 = inlay.opaque "com.acme::Swirl"(%0) : (!inlay.unknown) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Its graphs, with attributes beside them.
// CHECK-LABEL: func.func @opaque_with_graphs
// CHECK: inlay.opaque "com.acme::Pick"(%{{.*}}) {graphs = ["a", "b"], node_attributes = {k = 1 : i64}} : (tensor<i1>) -> tensor<4xf32> {
// CHECK-NEXT: inlay.yield
// CHECK-NEXT: }, {
// CHECK-NEXT: inlay.relu
func.func @opaque_with_graphs(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = inlay.opaque "com.acme::Pick"(%c) {graphs = ["a", "b"], node_attributes = {k = 1 : i64}} : (tensor<i1>) -> tensor<4xf32> {
    inlay.yield %x : tensor<4xf32>
  }, {
    %1 = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Bytes of no file stand at the end of the text; those nobody refers to do not.
// CHECK-LABEL: func.func @buffer
// CHECK: inlay.constant #inlay.data<[[KEY:buffer[0-9]+]], 0, 8> : tensor<2xf32>
// CHECK: {-#
// CHECK: dialect_resources: {
// CHECK: inlay: {
// CHECK-NEXT: [[KEY]]: "0x080000000000803F00000040"
// CHECK-NEXT: }
func.func @buffer() -> tensor<2xf32> {
  %0 = inlay.constant #inlay.data<buffer7, 0, 8> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-#
  dialect_resources: {
    inlay: {
      buffer7: "0x080000000000803F00000040"
    }
  }
#-}
