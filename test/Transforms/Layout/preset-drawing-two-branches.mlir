// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=per-op | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=optimal | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// The two branches (docs/Requirements.md): input1 and input2 go through conv and
// reshape1, input3 through reshape2, and both into add. A relayout before conv
// alone would change what the left branch means, and the shapes would not tell.
// Here 4, 6 and 8 make it visible: every strategy goes back before add reads
// both.

!x = tensor<1x4x6x8xf32>
!w = tensor<4x4x1x1xf32>
!m = tensor<1x4x48xf32>

// CHECK-LABEL: func.func @the_left_branch_does_not_know_of_the_right_one
// CHECK: inlay.relayout %arg0 : {{.*}} -> {{.*}}<NCHW as NHWC>>
// CHECK: %[[C:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.relayout %[[C]] : {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[R1:.*]] = inlay.reshape %[[B]] {{.*}}<Tensor>>
// CHECK-NEXT: %[[R2:.*]] = inlay.reshape %arg2 {{.*}}<Tensor>>
// CHECK-NEXT: inlay.add %[[R1]], %[[R2]] : {{.*}}<Tensor>>
// PHYSICAL-LABEL: func.func @the_left_branch_does_not_know_of_the_right_one
// PHYSICAL: inlay.add {{.*}} : (tensor<1x4x48xf32>, tensor<1x4x48xf32>) -> tensor<1x4x48xf32>
func.func @the_left_branch_does_not_know_of_the_right_one(%input1: !x, %input2: !w, %input3: !x) -> !m {
  %conv = inlay.conv %input1, %input2 : (!x, !w) -> !x
  %reshape1 = inlay.reshape %conv {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %reshape2 = inlay.reshape %input3 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %add = inlay.add %reshape1, %reshape2 : (!m, !m) -> !m
  return %add : !m
}

// The same with equal extents, which is where it could not be seen.
!s = tensor<1x4x4x4xf32>
!n = tensor<1x4x16xf32>
// CHECK-LABEL: func.func @nor_with_equal_extents
// CHECK: %[[C:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.relayout %[[C]] : {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: inlay.reshape %[[B]]
func.func @nor_with_equal_extents(%input1: !s, %input2: !w, %input3: !s) -> !n {
  %conv = inlay.conv %input1, %input2 : (!s, !w) -> !s
  %reshape1 = inlay.reshape %conv {shape = array<i64: 1, 4, 16>} : (!s) -> !n
  %reshape2 = inlay.reshape %input3 {shape = array<i64: 1, 4, 16>} : (!s) -> !n
  %add = inlay.add %reshape1, %reshape2 : (!n, !n) -> !n
  return %add : !n
}
