// RUN: not %inlay-opt %s -inlay-expand=native=Sofmax 2>&1 | FileCheck %s
// RUN: not %inlay-opt %s -inlay-expand=also=Sofmax 2>&1 | FileCheck %s

// CHECK: error: there is no operator 'Sofmax'
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}
