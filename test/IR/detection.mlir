// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @how_many_boxes_are_chosen_is_not_known
func.func @how_many_boxes_are_chosen_is_not_known(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %n: tensor<1xi64>, %t: tensor<f32>) {
  // CHECK: inlay.non_max_suppression %{{.*}}, %{{.*}} : {{.*}} -> tensor<?x3xi64>
  %0 = inlay.non_max_suppression %b, %s : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> tensor<?x3xi64>
  // CHECK: inlay.non_max_suppression %{{.*}}, %{{.*}} most %{{.*}} score %{{.*}} {center_point_box = 1 : i64}
  %1 = inlay.non_max_suppression %b, %s most %n score %t {center_point_box = 1 : i64} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xi64>, tensor<f32>) -> tensor<?x3xi64>
  // CHECK: inlay.non_max_suppression %{{.*}}, %{{.*}} most %{{.*}} iou %{{.*}} score %{{.*}} :
  %2 = inlay.non_max_suppression %b, %s most %n iou %t score %t : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xi64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64>
  return
}

// CHECK-LABEL: @regions_have_one_size
func.func @regions_have_one_size(%x: tensor<2x8x?x?xf32>, %r: tensor<?x4xf32>, %i: tensor<3xi64>) {
  // CHECK: inlay.roi_align %{{.*}}, %{{.*}}, %{{.*}} : {{.*}} -> tensor<3x8x1x1xf32>
  %0 = inlay.roi_align %x, %r, %i : (tensor<2x8x?x?xf32>, tensor<?x4xf32>, tensor<3xi64>) -> tensor<3x8x1x1xf32>
  // CHECK: inlay.roi_align {{.*}} {coordinate_transformation_mode = "output_half_pixel", mode = "max", output_height = 5 : i64, output_width = 7 : i64, sampling_ratio = 2 : i64, spatial_scale = 2.500000e-01 : f32} : {{.*}} -> tensor<3x8x5x7xf32>
  %1 = inlay.roi_align %x, %r, %i {coordinate_transformation_mode = "output_half_pixel", mode = "max", output_height = 5 : i64, output_width = 7 : i64, sampling_ratio = 2 : i64, spatial_scale = 0.25 : f32} : (tensor<2x8x?x?xf32>, tensor<?x4xf32>, tensor<3xi64>) -> tensor<3x8x5x7xf32>
  return
}
