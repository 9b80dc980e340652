// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// The form of PyTorch's exporter before opset 17.
// CHECK-LABEL: func.func @layer_norm
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}} = inlay.layer_normalization %arg0, %arg1, %arg2 {epsilon = 1.000000e-03 : f32} :
// CHECK-NEXT: return %[[Y]]
!x = tensor<2x5x8xf32>
!m = tensor<2x5x1xf32>
!p = tensor<8xf32>
!s = tensor<f32>
func.func @layer_norm(%x: !x, %s: !p, %b: !p) -> !x {
  %two = inlay.constant dense<2.0> : !s
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.pow %d, %two : (!x, !s) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  %w = inlay.mul %n, %s : (!x, !p) -> !x
  %y = inlay.add %w, %b : (!x, !p) -> !x
  return %y : !x
}

// -----

// A square as a product, the reciprocal of the root, which takes the scale
// first (TensorFlow), constants of other shapes, everything commuted.
// CHECK-LABEL: func.func @layer_norm_commuted
// CHECK-DAG: %[[S:.*]] = inlay.constant dense<[1.0{{.*}}, 2.0{{.*}}, 3.0{{.*}}, 4.0{{.*}}]> : tensor<4xf32>
// CHECK-DAG: %[[B:.*]] = inlay.constant dense<5.0{{.*}}> : tensor<4xf32>
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = inlay.layer_normalization %arg0, %[[S]], %[[B]] {epsilon = 9.99999996E-13 : f32} :
// CHECK-NEXT: return %[[Y]]
!x = tensor<?x5x4xf32>
!m = tensor<?x5x1xf32>
func.func @layer_norm_commuted(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-12> : tensor<1x1x1xf32>
  %s = inlay.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf32>
  %b = inlay.constant dense<5.0> : tensor<1xf32>
  %axes = inlay.constant dense<2> : tensor<1xi64>
  %mean = inlay.reduce_mean %x, axes %axes : (!x, tensor<1xi64>) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q, axes %axes : (!x, tensor<1xi64>) -> !m
  %e = inlay.add %eps, %v : (tensor<1x1x1xf32>, !m) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %i = inlay.reciprocal %r : (!m) -> !m
  %w = inlay.mul %i, %s : (!m, tensor<1x1x4xf32>) -> !x
  %n = inlay.mul %w, %d : (!x, !x) -> !x
  %y = inlay.add %b, %n : (tensor<1xf32>, !x) -> !x
  return %y : !x
}

// -----

// One over the root, the power of minus one half, means as sums over their
// number; without a scale.
// CHECK-LABEL: func.func @layer_norm_without_parameters
// CHECK: %[[ONES:.*]] = inlay.constant dense<1.000000e+00> : tensor<5x8xf32>
// CHECK: inlay.layer_normalization %arg0, %[[ONES]] {axis = -2 : i64, epsilon = 1.000000e-03 : f32} :
// CHECK: inlay.layer_normalization %arg0, %{{.*}} {axis = -2 : i64, epsilon = 1.000000e-03 : f32} :
// CHECK-NEXT: return
!x = tensor<2x5x8xf32>
!m = tensor<2x1x1xf32>
!s = tensor<f32>
func.func @layer_norm_without_parameters(%x: !x) -> (!x, !x) {
  %one = inlay.constant dense<1.0> : !s
  %eps = inlay.constant dense<1.0e-3> : !s
  %power = inlay.constant dense<-0.5> : !s
  %count = inlay.constant dense<40.0> : !s
  %part = inlay.constant dense<0.025> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: 2, 1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1, -2>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %i = inlay.div %one, %r : (!s, !m) -> !m
  %n = inlay.mul %d, %i : (!x, !m) -> !x
  %sum = inlay.reduce_sum %x {axes = array<i64: 1, 2>} : (!x) -> !m
  %mean2 = inlay.div %sum, %count : (!m, !s) -> !m
  %d2 = inlay.sub %x, %mean2 : (!x, !m) -> !x
  %q2 = inlay.mul %d2, %d2 : (!x, !x) -> !x
  %sum2 = inlay.reduce_sum %q2 {axes = array<i64: 1, 2>} : (!x) -> !m
  %v2 = inlay.mul %sum2, %part : (!m, !s) -> !m
  %e2 = inlay.add %v2, %eps : (!m, !s) -> !m
  %i2 = inlay.pow %e2, %power : (!m, !s) -> !m
  %n2 = inlay.mul %d2, %i2 : (!x, !m) -> !x
  return %n, %n2 : !x, !x
}

// -----

// TensorFlow multiplies the mean out.
// CHECK-LABEL: func.func @layer_norm_shifted
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}} = inlay.layer_normalization %arg0, %arg1, %arg2 {epsilon = 1.000000e-03 : f32} :
// CHECK-NEXT: return %[[Y]]
!x = tensor<2x5x8xf32>
!m = tensor<2x5x1xf32>
!p = tensor<8xf32>
!s = tensor<f32>
func.func @layer_norm_shifted(%x: !x, %s: !p, %b: !p) -> !x {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %i = inlay.reciprocal %r : (!m) -> !m
  %f = inlay.mul %i, %s : (!m, !p) -> !x
  %0 = inlay.mul %x, %f : (!x, !x) -> !x
  %1 = inlay.mul %mean, %f : (!m, !x) -> !x
  %2 = inlay.sub %b, %1 : (!p, !x) -> !x
  %y = inlay.add %0, %2 : (!x, !x) -> !x
  return %y : !x
}

// -----

// The mean of another tensor is subtracted.
// CHECK-LABEL: func.func @no_layer_norm_shifted_by_another_mean
// CHECK-NOT: inlay.{{.*}}_normalization
// CHECK: return
!x = tensor<2x5x8xf32>
!m = tensor<2x5x1xf32>
!p = tensor<8xf32>
!s = tensor<f32>
func.func @no_layer_norm_shifted_by_another_mean(%x: !x, %z: !m, %s: !p, %b: !p) -> !x {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %i = inlay.reciprocal %r : (!m) -> !m
  %f = inlay.mul %i, %s : (!m, !p) -> !x
  %0 = inlay.mul %x, %f : (!x, !x) -> !x
  %1 = inlay.mul %z, %f : (!m, !x) -> !x
  %2 = inlay.sub %b, %1 : (!p, !x) -> !x
  %y = inlay.add %0, %2 : (!x, !x) -> !x
  return %y : !x
}

// -----

// Converted to f32 around the normalisation, and around the statistics alone.
// CHECK-LABEL: func.func @layer_norm_of_halves
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}} = inlay.layer_normalization %arg0, %arg1, %arg2 {{.*}} : (tensor<2x5x8xf16>, tensor<8xf16>, tensor<8xf16>) -> (tensor<2x5x8xf16>, tensor<2x5x1xf32>, tensor<2x5x1xf32>)
// CHECK-NEXT: %[[Z:.*]], %{{.*}}, %{{.*}} = inlay.layer_normalization %arg0, %arg1 {{.*}} : (tensor<2x5x8xf16>, tensor<8xf16>) ->
// CHECK-NEXT: return %[[Y]], %[[Z]]
!h = tensor<2x5x8xf16>
!k = tensor<2x5x1xf16>
!x = tensor<2x5x8xf32>
!m = tensor<2x5x1xf32>
!p = tensor<8xf16>
!s = tensor<f32>
func.func @layer_norm_of_halves(%h: !h, %s: !p, %b: !p) -> (!h, !h) {
  %two = inlay.constant dense<2.0> : !s
  %eps = inlay.constant dense<1.0e-3> : !s
  %x = inlay.cast %h {to = 1 : i64} : (!h) -> !x
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.pow %d, %two : (!x, !s) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  %c = inlay.cast %n {to = 10 : i64} : (!x) -> !h
  %w = inlay.mul %c, %s : (!h, !p) -> !h
  %y = inlay.add %w, %b : (!h, !p) -> !h
  %mean2 = inlay.reduce_mean %h {axes = array<i64: -1>} : (!h) -> !k
  %d2 = inlay.sub %h, %mean2 : (!h, !k) -> !h
  %c2 = inlay.cast %d2 {to = 1 : i64} : (!h) -> !x
  %q2 = inlay.pow %c2, %two : (!x, !s) -> !x
  %v2 = inlay.reduce_mean %q2 {axes = array<i64: -1>} : (!x) -> !m
  %e2 = inlay.add %v2, %eps : (!m, !s) -> !m
  %r2 = inlay.sqrt %e2 : (!m) -> !m
  %k2 = inlay.cast %r2 {to = 10 : i64} : (!m) -> !k
  %n2 = inlay.div %d2, %k2 : (!h, !k) -> !h
  %w2 = inlay.mul %n2, %s : (!h, !p) -> !h
  return %y, %w2 : !h, !h
}

// -----

// A scale and bias in f32 are rounded when they are narrowed: the conversions
// stay outside.
// CHECK-LABEL: func.func @layer_norm_between_casts
// CHECK: %[[X:.*]] = inlay.cast %arg0
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}} = inlay.layer_normalization %[[X]], %arg1
// CHECK-NEXT: inlay.cast %[[Y]]
// CHECK-NEXT: return
!h = tensor<2x8xf16>
!x = tensor<2x8xf32>
!m = tensor<2x1xf32>
!p = tensor<8xf32>
!s = tensor<f32>
func.func @layer_norm_between_casts(%h: !h, %s: !p) -> !h {
  %two = inlay.constant dense<2.0> : !s
  %eps = inlay.constant dense<1.0e-3> : !s
  %x = inlay.cast %h {to = 1 : i64} : (!h) -> !x
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.pow %d, %two : (!x, !s) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  %w = inlay.mul %n, %s : (!x, !p) -> !x
  %y = inlay.cast %w {to = 10 : i64} : (!x) -> !h
  return %y : !h
}

// -----

// Statistics in f16: a square overflows where the operator's does not.
// CHECK-LABEL: func.func @no_layer_norm_of_half_statistics
// CHECK-NOT: _normalization
// CHECK: return
!x = tensor<2x8xf16>
!m = tensor<2x1xf16>
!s = tensor<f16>
func.func @no_layer_norm_of_half_statistics(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  return %n : !x
}

// -----

// Epsilon added behind the root.
// CHECK-LABEL: func.func @no_layer_norm_with_epsilon_outside
// CHECK-NOT: _normalization
// CHECK: return
!x = tensor<2x8xf32>
!m = tensor<2x1xf32>
!s = tensor<f32>
func.func @no_layer_norm_with_epsilon_outside(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %r = inlay.sqrt %v : (!m) -> !m
  %e = inlay.add %r, %eps : (!m, !s) -> !m
  %n = inlay.div %d, %e : (!x, !m) -> !x
  return %n : !x
}

// -----

// The variance of a sample, over one less than their number.
// CHECK-LABEL: func.func @no_layer_norm_of_a_sample
// CHECK-NOT: _normalization
// CHECK: return
!x = tensor<2x8xf32>
!m = tensor<2x1xf32>
!s = tensor<f32>
func.func @no_layer_norm_of_a_sample(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-3> : !s
  %count = inlay.constant dense<7.0> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_sum %q {axes = array<i64: -1>} : (!x) -> !m
  %u = inlay.div %v, %count : (!m, !s) -> !m
  %e = inlay.add %u, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  return %n : !x
}

// -----

// Over the channels of an image: no operator normalises along them.
// CHECK-LABEL: func.func @no_layer_norm_of_channels
// CHECK-NOT: _normalization
// CHECK: return
!x = tensor<2x8x4x4xf32>
!m = tensor<2x1x4x4xf32>
!s = tensor<f32>
func.func @no_layer_norm_of_channels(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: 1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: 1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  return %n : !x
}

// -----

// The mean is needed elsewhere and would be computed twice: only what follows
// it is taken together.
// CHECK-LABEL: func.func @no_layer_norm_where_the_mean_is_used
// CHECK: %[[M:.*]] = inlay.reduce_mean %arg0
// CHECK: %[[D:.*]] = inlay.sub %arg0, %[[M]]
// CHECK: %[[Y:.*]] = inlay.rms_normalization %[[D]]
// CHECK-NEXT: return %[[Y]], %[[M]]
!x = tensor<2x8xf32>
!m = tensor<2x1xf32>
!s = tensor<f32>
func.func @no_layer_norm_where_the_mean_is_used(%x: !x) -> (!x, !m) {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  return %n, %mean : !x, !m
}

// -----

// The variance is needed elsewhere.
// CHECK-LABEL: func.func @no_normalization_where_the_variance_is_used
// CHECK-NOT: inlay.{{.*}}_normalization
// CHECK: return
!x = tensor<2x8xf32>
!m = tensor<2x1xf32>
!s = tensor<f32>
func.func @no_normalization_where_the_variance_is_used(%x: !x) -> (!x, !m) {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  return %n, %v : !x, !m
}

// -----

// The mean along other axes than the variance: what is centred so has a root
// mean square, but no layer normalisation.
// CHECK-LABEL: func.func @no_layer_norm_with_another_mean
// CHECK: inlay.reduce_mean
// CHECK: %[[D:.*]] = inlay.sub
// CHECK: inlay.rms_normalization %[[D]]
// CHECK-NEXT: return
!x = tensor<2x4x8xf32>
!m = tensor<2x4x1xf32>
!o = tensor<2x1x1xf32>
!s = tensor<f32>
func.func @no_layer_norm_with_another_mean(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-3> : !s
  %mean = inlay.reduce_mean %x {axes = array<i64: 1, 2>} : (!x) -> !o
  %d = inlay.sub %x, %mean : (!x, !o) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  return %n : !x
}

// -----

// Scales that vary along other dimensions, or not along all, stay outside; so
// does one that would have to be reshaped when the model runs.
// CHECK-LABEL: func.func @keeps_scales_that_are_none
// CHECK: inlay.mul %{{.*}}, %arg1
// CHECK: inlay.mul %{{.*}}, %arg2
// CHECK: inlay.mul %{{.*}}, %arg3
// CHECK: return
!x = tensor<2x4x8xf32>
!m = tensor<2x1x1xf32>
!p = tensor<4x8xf32>
func.func @keeps_scales_that_are_none(%x: !x, %a: tensor<2x1x1xf32>, %b: tensor<8xf32>, %c: tensor<1x4x8xf32>) -> (!x, !x, !x) {
  %ones = inlay.constant dense<1.0> : !p
  %0, %m0, %i0 = inlay.layer_normalization %x, %ones {axis = -2 : i64} : (!x, !p) -> (!x, !m, !m)
  %1 = inlay.mul %0, %a : (!x, tensor<2x1x1xf32>) -> !x
  %2, %m2, %i2 = inlay.layer_normalization %x, %ones {axis = -2 : i64} : (!x, !p) -> (!x, !m, !m)
  %3 = inlay.mul %2, %b : (!x, tensor<8xf32>) -> !x
  %4, %m4, %i4 = inlay.layer_normalization %x, %ones {axis = -2 : i64} : (!x, !p) -> (!x, !m, !m)
  %5 = inlay.mul %4, %c : (!x, tensor<1x4x8xf32>) -> !x
  return %1, %3, %5 : !x, !x, !x
}

// -----

// An operator that has a scale keeps it, and one that has two users is not
// scaled for one of them.
// CHECK-LABEL: func.func @keeps_scales_behind_others
// CHECK: inlay.mul %{{.*}}, %arg1
// CHECK: inlay.mul %{{.*}}, %arg1
// CHECK: return
!x = tensor<2x8xf32>
!m = tensor<2x1xf32>
!p = tensor<8xf32>
func.func @keeps_scales_behind_others(%x: !x, %s: !p) -> (!x, !x, !x) {
  %ones = inlay.constant dense<1.0> : !p
  %0, %m0, %i0 = inlay.layer_normalization %x, %s : (!x, !p) -> (!x, !m, !m)
  %1 = inlay.mul %0, %s : (!x, !p) -> !x
  %2, %m2, %i2 = inlay.layer_normalization %x, %ones : (!x, !p) -> (!x, !m, !m)
  %3 = inlay.mul %2, %s : (!x, !p) -> !x
  return %1, %2, %3 : !x, !x, !x
}

// -----

// Llama, in f32 and in f16.
// CHECK-LABEL: func.func @rms_norm
// CHECK-NEXT: %[[Y:.*]] = inlay.rms_normalization %arg0, %arg1 {epsilon = 9.99999997E-7 : f32} : (tensor<2x5x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
// CHECK-NEXT: %[[Z:.*]] = inlay.rms_normalization %arg2, %arg3 {epsilon = 9.99999997E-7 : f32} : (tensor<2x5x8xf16>, tensor<8xf16>) -> tensor<2x5x8xf16>
// CHECK-NEXT: return %[[Y]], %[[Z]]
!x = tensor<2x5x8xf32>
!m = tensor<2x5x1xf32>
!h = tensor<2x5x8xf16>
!s = tensor<f32>
func.func @rms_norm(%x: !x, %s: tensor<8xf32>, %h: !h, %t: tensor<8xf16>) -> (!x, !h) {
  %two = inlay.constant dense<2.0> : !s
  %eps = inlay.constant dense<1.0e-6> : !s
  %q = inlay.pow %x, %two : (!x, !s) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %i = inlay.reciprocal %r : (!m) -> !m
  %n = inlay.mul %x, %i : (!x, !m) -> !x
  %y = inlay.mul %s, %n : (tensor<8xf32>, !x) -> !x
  %w = inlay.cast %h {to = 1 : i64} : (!h) -> !x
  %q2 = inlay.mul %w, %w : (!x, !x) -> !x
  %v2 = inlay.reduce_mean %q2 {axes = array<i64: -1>} : (!x) -> !m
  %e2 = inlay.add %v2, %eps : (!m, !s) -> !m
  %r2 = inlay.sqrt %e2 : (!m) -> !m
  %n2 = inlay.div %w, %r2 : (!x, !m) -> !x
  %c2 = inlay.cast %n2 {to = 10 : i64} : (!x) -> !h
  %y2 = inlay.mul %t, %c2 : (tensor<8xf16>, !h) -> !h
  return %y, %y2 : !x, !h
}

// -----

// The mean of x, of |x|^3, the root of another tensor; extents that are not
// known cannot have a scale of ones.
// CHECK-LABEL: func.func @no_rms_norm
// CHECK-NOT: _normalization
// CHECK: return
!x = tensor<2x8xf32>
!m = tensor<2x1xf32>
!d = tensor<2x?xf32>
!s = tensor<f32>
func.func @no_rms_norm(%x: !x, %z: !x, %u: !d) -> (!x, !x, !x, !d) {
  %two = inlay.constant dense<2.0> : !s
  %three = inlay.constant dense<3.0> : !s
  %eps = inlay.constant dense<1.0e-6> : !s
  %v0 = inlay.reduce_mean %x {axes = array<i64: -1>} : (!x) -> !m
  %e0 = inlay.add %v0, %eps : (!m, !s) -> !m
  %r0 = inlay.sqrt %e0 : (!m) -> !m
  %n0 = inlay.div %x, %r0 : (!x, !m) -> !x
  %q1 = inlay.pow %x, %three : (!x, !s) -> !x
  %v1 = inlay.reduce_mean %q1 {axes = array<i64: -1>} : (!x) -> !m
  %e1 = inlay.add %v1, %eps : (!m, !s) -> !m
  %r1 = inlay.sqrt %e1 : (!m) -> !m
  %n1 = inlay.div %x, %r1 : (!x, !m) -> !x
  %q2 = inlay.pow %x, %two : (!x, !s) -> !x
  %v2 = inlay.reduce_mean %q2 {axes = array<i64: -1>} : (!x) -> !m
  %e2 = inlay.add %v2, %eps : (!m, !s) -> !m
  %r2 = inlay.sqrt %e2 : (!m) -> !m
  %n2 = inlay.div %z, %r2 : (!x, !m) -> !x
  %q3 = inlay.pow %u, %two : (!d, !s) -> !d
  %v3 = inlay.reduce_mean %q3 {axes = array<i64: -1>} : (!d) -> !m
  %e3 = inlay.add %v3, %eps : (!m, !s) -> !m
  %r3 = inlay.sqrt %e3 : (!m) -> !m
  %n3 = inlay.div %u, %r3 : (!d, !m) -> !d
  return %n0, %n1, %n2, %n3 : !x, !x, !x, !d
}
