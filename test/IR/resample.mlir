// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @resize_takes_scales_or_sizes
func.func @resize_takes_scales_or_sizes(%x: tensor<1x3x4xf32>, %s: tensor<3xf32>, %n: tensor<3xi64>, %r: tensor<6xf32>) {
  // CHECK: inlay.resize %{{.*}} {mode = "linear", scales = array<f32: 1.000000e+00, 1.000000e+00, 2.000000e+00>} :
  %0 = inlay.resize %x {mode = "linear", scales = array<f32: 1.0, 1.0, 2.0>} : (tensor<1x3x4xf32>) -> tensor<1x3x8xf32>
  // CHECK: inlay.resize %{{.*}} scales %{{.*}} :
  %1 = inlay.resize %x scales %s : (tensor<1x3x4xf32>, tensor<3xf32>) -> tensor<?x?x?xf32>
  // CHECK: inlay.resize %{{.*}} roi %{{.*}} sizes %{{.*}} {coordinate_transformation_mode = "tf_crop_and_resize"} :
  %2 = inlay.resize %x roi %r sizes %n {coordinate_transformation_mode = "tf_crop_and_resize"}
      : (tensor<1x3x4xf32>, tensor<6xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return
}

// CHECK-LABEL: @grids_give_the_shape
func.func @grids_give_the_shape(%x: tensor<2x3x4x5xf32>, %g: tensor<2x6x7x2xf32>) {
  // CHECK: inlay.grid_sample %{{.*}}, %{{.*}} {mode = "bicubic"} :
  %0 = inlay.grid_sample %x, %g {mode = "bicubic"} : (tensor<2x3x4x5xf32>, tensor<2x6x7x2xf32>) -> tensor<2x3x6x7xf32>
  return
}
