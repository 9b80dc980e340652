// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/three.yaml -inlay-legalize 2>&1 | FileCheck %s
// RUN: not %inlay-opt %s -inlay-set-target=target=four -inlay-legalize 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: no target or file 'four'

// What cannot be computed in steps stays, and says why.
// CHECK: remark: {{.*}}node 'cut' (Split): at most 3 outputs are taken, found 4; the extents of its outputs are not known
// CHECK: remark: {{.*}}node 'product' (Einsum): at most 2 inputs are taken, found 3; it cannot be computed in steps

// CHECK-LABEL: @keeps_split_of_unknown_extents
func.func @keeps_split_of_unknown_extents(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: inlay.split %arg0 {{.*}} -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
  %y:4 = inlay.split %x {axis = 0 : i64} : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) loc(fused<#inlay.origin<"cut", "Split", ["p", "q", "r", "s"]>>[unknown])
  return %y#0 : tensor<?xf32>
}

// CHECK-LABEL: @keeps_products_of_three
func.func @keeps_products_of_three(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: inlay.einsum "i,i,i->i"(%arg0, %arg0, %arg0)
  %y = inlay.einsum "i,i,i->i"(%x, %x, %x) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc(fused<#inlay.origin<"product", "Einsum", ["y"]>>[unknown])
  return %y : tensor<2xf32>
}
