// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// The form of PyTorch's exporter: x * (0.5 * (erf(x / 1.41421) + 1)).
// CHECK-LABEL: func.func @gelu_by_division
// CHECK-NEXT: %[[Y:.*]] = inlay.gelu %arg0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @gelu_by_division(%x: !t) -> !t {
  %sqrt2 = inlay.constant dense<1.41421> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %1, %one : (!t, !s) -> !t
  %3 = inlay.mul %half, %2 : (!s, !t) -> !t
  %4 = inlay.mul %x, %3 : (!t, !t) -> !t
  return %4 : !t
}

// -----

// By the reciprocal, commuted, constants of any shape, one half last.
// CHECK-LABEL: func.func @gelu_by_reciprocal
// CHECK-NEXT: %[[Y:.*]] = inlay.gelu %arg0
// CHECK-NEXT: return %[[Y]]
!t = tensor<2x8xf32>
func.func @gelu_by_reciprocal(%x: !t) -> !t {
  %rsqrt2 = inlay.constant dense<0.70710678> : tensor<1x1xf32>
  %one = inlay.constant dense<1.0> : tensor<8xf32>
  %half = inlay.constant dense<0.5> : tensor<1xf32>
  %0 = inlay.mul %rsqrt2, %x : (tensor<1x1xf32>, !t) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %one, %1 : (tensor<8xf32>, !t) -> !t
  %3 = inlay.mul %2, %x : (!t, !t) -> !t
  %4 = inlay.mul %3, %half : (!t, tensor<1xf32>) -> !t
  return %4 : !t
}

// -----

// One half multiplied into the sum; halved by a division; x halved first.
// CHECK-LABEL: func.func @gelu_halved
// CHECK-COUNT-3: inlay.gelu %arg0
// CHECK-NEXT: return
!t = tensor<?x8xf16>
!s = tensor<f16>
func.func @gelu_halved(%x: !t) -> (!t, !t, !t) {
  %sqrt2 = inlay.constant dense<1.414> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %two = inlay.constant dense<2.0> : !s
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.mul %1, %half : (!t, !s) -> !t
  %3 = inlay.add %2, %half : (!t, !s) -> !t
  %4 = inlay.mul %3, %x : (!t, !t) -> !t
  %5 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %6 = inlay.erf %5 : (!t) -> !t
  %7 = inlay.add %6, %one : (!t, !s) -> !t
  %8 = inlay.mul %7, %x : (!t, !t) -> !t
  %9 = inlay.div %8, %two : (!t, !s) -> !t
  %10 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %11 = inlay.erf %10 : (!t) -> !t
  %12 = inlay.add %11, %one : (!t, !s) -> !t
  %13 = inlay.mul %x, %half : (!t, !s) -> !t
  %14 = inlay.mul %13, %12 : (!t, !t) -> !t
  return %4, %9, %14 : !t, !t, !t
}

// -----

// CHECK-LABEL: func.func @no_gelu_with_three_halves_for_the_root
// CHECK-NOT: inlay.gelu
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_gelu_with_three_halves_for_the_root(%x: !t) -> !t {
  %sqrt2 = inlay.constant dense<1.5> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %1, %one : (!t, !s) -> !t
  %3 = inlay.mul %half, %2 : (!s, !t) -> !t
  %4 = inlay.mul %x, %3 : (!t, !t) -> !t
  return %4 : !t
}

// -----

// Four digits are not enough: the results would differ by 1e-5.
// CHECK-LABEL: func.func @no_gelu_with_a_rough_root
// CHECK-NOT: inlay.gelu
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_gelu_with_a_rough_root(%x: !t) -> !t {
  %sqrt2 = inlay.constant dense<1.414> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %1, %one : (!t, !s) -> !t
  %3 = inlay.mul %half, %2 : (!s, !t) -> !t
  %4 = inlay.mul %x, %3 : (!t, !t) -> !t
  return %4 : !t
}

// -----

// Without the half, and with the erf of something else.
// CHECK-LABEL: func.func @no_gelu_without_its_parts
// CHECK-NOT: inlay.gelu
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_gelu_without_its_parts(%x: !t, %y: !t) -> (!t, !t) {
  %sqrt2 = inlay.constant dense<1.41421> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %1, %one : (!t, !s) -> !t
  %3 = inlay.mul %x, %2 : (!t, !t) -> !t
  %4 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %5 = inlay.erf %4 : (!t) -> !t
  %6 = inlay.add %5, %one : (!t, !s) -> !t
  %7 = inlay.mul %half, %6 : (!s, !t) -> !t
  %8 = inlay.mul %y, %7 : (!t, !t) -> !t
  return %3, %8 : !t, !t
}

// -----

// What is needed elsewhere would be computed twice.
// CHECK-LABEL: func.func @no_gelu_where_the_erf_is_used
// CHECK-NOT: inlay.gelu
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_gelu_where_the_erf_is_used(%x: !t) -> (!t, !t) {
  %sqrt2 = inlay.constant dense<1.41421> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %1, %one : (!t, !s) -> !t
  %3 = inlay.mul %half, %2 : (!s, !t) -> !t
  %4 = inlay.mul %x, %3 : (!t, !t) -> !t
  return %4, %1 : !t, !t
}

// -----

// A constant that gives the result another shape is more than a number.
// CHECK-LABEL: func.func @no_gelu_where_a_constant_broadcasts
// CHECK-NOT: inlay.gelu
// CHECK: return
!t = tensor<1x8xf32>
!u = tensor<4x8xf32>
!s = tensor<f32>
func.func @no_gelu_where_a_constant_broadcasts(%x: !t) -> !u {
  %sqrt2 = inlay.constant dense<1.41421> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : tensor<4x1xf32>
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %1, %one : (!t, !s) -> !t
  %3 = inlay.mul %half, %2 : (tensor<4x1xf32>, !t) -> !u
  %4 = inlay.mul %x, %3 : (!t, !u) -> !u
  return %4 : !u
}

// -----

// A branch would compute what is computed once outside of it.
// CHECK-LABEL: func.func @no_gelu_across_blocks
// CHECK-NOT: inlay.gelu
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_gelu_across_blocks(%x: !t, %c: tensor<i1>) -> !t {
  %sqrt2 = inlay.constant dense<1.41421> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %0 = inlay.div %x, %sqrt2 : (!t, !s) -> !t
  %1 = inlay.erf %0 : (!t) -> !t
  %2 = inlay.add %1, %one : (!t, !s) -> !t
  %3 = inlay.mul %half, %2 : (!s, !t) -> !t
  %y = inlay.if %c : (tensor<i1>) -> !t {
    %4 = inlay.mul %x, %3 : (!t, !t) -> !t
    inlay.yield %4 : !t
  } else {
    inlay.yield %x : !t
  }
  return %y : !t
}

// -----

// x^3 as a power and as a product; x in the brackets and in front of them.
// CHECK-LABEL: func.func @gelu_tanh
// CHECK-COUNT-3: inlay.gelu %arg0 {approximate = "tanh"}
// CHECK-NEXT: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @gelu_tanh(%x: !t) -> (!t, !t, !t) {
  %k = inlay.constant dense<0.797884583> : !s
  %m = inlay.constant dense<0.044715> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %three = inlay.constant dense<3.0> : !s
  %0 = inlay.mul %x, %half : (!t, !s) -> !t
  %1 = inlay.pow %x, %three : (!t, !s) -> !t
  %2 = inlay.mul %1, %m : (!t, !s) -> !t
  %3 = inlay.add %x, %2 : (!t, !t) -> !t
  %4 = inlay.mul %3, %k : (!t, !s) -> !t
  %5 = inlay.tanh %4 : (!t) -> !t
  %6 = inlay.add %5, %one : (!t, !s) -> !t
  %7 = inlay.mul %0, %6 : (!t, !t) -> !t

  %8 = inlay.mul %x, %x : (!t, !t) -> !t
  %9 = inlay.mul %8, %x : (!t, !t) -> !t
  %10 = inlay.mul %m, %9 : (!s, !t) -> !t
  %11 = inlay.add %10, %x : (!t, !t) -> !t
  %12 = inlay.mul %k, %11 : (!s, !t) -> !t
  %13 = inlay.tanh %12 : (!t) -> !t
  %14 = inlay.add %one, %13 : (!s, !t) -> !t
  %15 = inlay.mul %x, %14 : (!t, !t) -> !t
  %16 = inlay.mul %half, %15 : (!s, !t) -> !t

  %17 = inlay.mul %x, %k : (!t, !s) -> !t
  %18 = inlay.mul %x, %m : (!t, !s) -> !t
  %19 = inlay.mul %18, %x : (!t, !t) -> !t
  %20 = inlay.add %19, %one : (!t, !s) -> !t
  %21 = inlay.mul %17, %20 : (!t, !t) -> !t
  %22 = inlay.tanh %21 : (!t) -> !t
  %23 = inlay.add %22, %one : (!t, !s) -> !t
  %24 = inlay.mul %x, %half : (!t, !s) -> !t
  %25 = inlay.mul %24, %23 : (!t, !t) -> !t
  return %7, %16, %25 : !t, !t, !t
}

// -----

// CHECK-LABEL: func.func @no_gelu_tanh_of_a_square
// CHECK-NOT: inlay.gelu
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_gelu_tanh_of_a_square(%x: !t) -> !t {
  %k = inlay.constant dense<0.797884583> : !s
  %m = inlay.constant dense<0.044715> : !s
  %one = inlay.constant dense<1.0> : !s
  %half = inlay.constant dense<0.5> : !s
  %two = inlay.constant dense<2.0> : !s
  %0 = inlay.mul %x, %half : (!t, !s) -> !t
  %1 = inlay.pow %x, %two : (!t, !s) -> !t
  %2 = inlay.mul %1, %m : (!t, !s) -> !t
  %3 = inlay.add %x, %2 : (!t, !t) -> !t
  %4 = inlay.mul %3, %k : (!t, !s) -> !t
  %5 = inlay.tanh %4 : (!t) -> !t
  %6 = inlay.add %5, %one : (!t, !s) -> !t
  %7 = inlay.mul %0, %6 : (!t, !t) -> !t
  return %7 : !t
}

// -----

// SiLU, QuickGELU, and SiLU as a quotient.
// CHECK-LABEL: func.func @swish
// CHECK-NEXT: inlay.swish %arg0 :
// CHECK-NEXT: inlay.swish %arg0 {alpha = 1.702000e+00 : f32}
// CHECK-NEXT: inlay.swish %arg0 :
// CHECK-NEXT: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @swish(%x: !t) -> (!t, !t, !t) {
  %a = inlay.constant dense<1.702> : !s
  %one = inlay.constant dense<1.0> : !s
  %0 = inlay.sigmoid %x : (!t) -> !t
  %1 = inlay.mul %0, %x : (!t, !t) -> !t
  %2 = inlay.mul %a, %x : (!s, !t) -> !t
  %3 = inlay.sigmoid %2 : (!t) -> !t
  %4 = inlay.mul %x, %3 : (!t, !t) -> !t
  %5 = inlay.neg %x : (!t) -> !t
  %6 = inlay.exp %5 : (!t) -> !t
  %7 = inlay.add %6, %one : (!t, !s) -> !t
  %8 = inlay.div %x, %7 : (!t, !t) -> !t
  return %1, %4, %8 : !t, !t, !t
}

// -----

// The gate of a squeeze-and-excitation, and a sigmoid that is used elsewhere.
// CHECK-LABEL: func.func @no_swish
// CHECK-NOT: inlay.swish
// CHECK: return
!t = tensor<2x8xf32>
!g = tensor<2x1xf32>
func.func @no_swish(%x: !t, %g: !g) -> (!t, !t, !t) {
  %0 = inlay.sigmoid %g : (!g) -> !g
  %1 = inlay.mul %x, %0 : (!t, !g) -> !t
  %2 = inlay.sigmoid %x : (!t) -> !t
  %3 = inlay.mul %x, %2 : (!t, !t) -> !t
  return %1, %2, %3 : !t, !t, !t
}

// -----

// CHECK-LABEL: func.func @sigmoid
// CHECK-COUNT-2: inlay.sigmoid %arg0
// CHECK-NEXT: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @sigmoid(%x: !t) -> (!t, !t) {
  %one = inlay.constant dense<1.0> : !s
  %minus = inlay.constant dense<-1.0> : !s
  %0 = inlay.neg %x : (!t) -> !t
  %1 = inlay.exp %0 : (!t) -> !t
  %2 = inlay.add %one, %1 : (!s, !t) -> !t
  %3 = inlay.div %one, %2 : (!s, !t) -> !t
  %4 = inlay.mul %x, %minus : (!t, !s) -> !t
  %5 = inlay.exp %4 : (!t) -> !t
  %6 = inlay.add %5, %one : (!t, !s) -> !t
  %7 = inlay.reciprocal %6 : (!t) -> !t
  return %3, %7 : !t, !t
}

// -----

// Of x, not of -x; and two over the sum.
// CHECK-LABEL: func.func @no_sigmoid
// CHECK-NOT: inlay.sigmoid
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_sigmoid(%x: !t) -> (!t, !t) {
  %one = inlay.constant dense<1.0> : !s
  %two = inlay.constant dense<2.0> : !s
  %0 = inlay.exp %x : (!t) -> !t
  %1 = inlay.add %one, %0 : (!s, !t) -> !t
  %2 = inlay.div %one, %1 : (!s, !t) -> !t
  %3 = inlay.neg %x : (!t) -> !t
  %4 = inlay.exp %3 : (!t) -> !t
  %5 = inlay.add %one, %4 : (!s, !t) -> !t
  %6 = inlay.div %two, %5 : (!s, !t) -> !t
  return %2, %6 : !t, !t
}

// -----

// relu6(x + 3) / 6, a * x + b between 0 and 1, and by Min, Max and Relu.
// CHECK-LABEL: func.func @hard_sigmoid
// CHECK-NEXT: inlay.hard_sigmoid %arg0 {alpha = 0.16666667{{[0-9]*}} : f32} :
// CHECK-NEXT: inlay.hard_sigmoid %arg0 {beta = 2.500000e-01 : f32}
// CHECK-NEXT: inlay.hard_sigmoid %arg0 {alpha = 0.16666665{{[0-9]*}} : f32, beta = 0.4999999{{[0-9]*}} : f32}
// CHECK-NEXT: inlay.hard_sigmoid %arg0 {alpha = 1.000000e+00 : f32} :
// CHECK-NEXT: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @hard_sigmoid(%x: !t) -> (!t, !t, !t, !t) {
  %zero = inlay.constant dense<0.0> : !s
  %one = inlay.constant dense<1.0> : !s
  %three = inlay.constant dense<3.0> : !s
  %six = inlay.constant dense<6.0> : !s
  %sixth = inlay.constant dense<0.16666666> : !s
  %half = inlay.constant dense<0.5> : !s
  %a = inlay.constant dense<0.2> : !s
  %b = inlay.constant dense<0.25> : !s
  %0 = inlay.add %x, %three : (!t, !s) -> !t
  %1 = inlay.clip %0 min %zero max %six : (!t, !s, !s) -> !t
  %2 = inlay.div %1, %six : (!t, !s) -> !t
  %3 = inlay.mul %x, %a : (!t, !s) -> !t
  %4 = inlay.add %b, %3 : (!s, !t) -> !t
  %5 = inlay.clip %4 min %zero max %one : (!t, !s, !s) -> !t
  %6 = inlay.add %three, %x : (!s, !t) -> !t
  %7 = inlay.relu %6 : (!t) -> !t
  %8 = inlay.min %7, %six : (!t, !s) -> !t
  %9 = inlay.mul %8, %sixth : (!t, !s) -> !t
  %10 = inlay.add %x, %half : (!t, !s) -> !t
  %11 = inlay.min %one, %10 : (!s, !t) -> !t
  %12 = inlay.max %11, %zero : (!t, !s) -> !t
  return %2, %5, %9, %12 : !t, !t, !t, !t
}

// -----

// Other bounds, another divisor, and a clip that is simple enough.
// CHECK-LABEL: func.func @no_hard_sigmoid
// CHECK-NOT: inlay.hard_sigmoid
// CHECK: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @no_hard_sigmoid(%x: !t) -> (!t, !t, !t) {
  %zero = inlay.constant dense<0.0> : !s
  %minus = inlay.constant dense<-1.0> : !s
  %one = inlay.constant dense<1.0> : !s
  %three = inlay.constant dense<3.0> : !s
  %five = inlay.constant dense<5.0> : !s
  %six = inlay.constant dense<6.0> : !s
  %0 = inlay.add %x, %three : (!t, !s) -> !t
  %1 = inlay.clip %0 min %zero max %six : (!t, !s, !s) -> !t
  %2 = inlay.div %1, %five : (!t, !s) -> !t
  %3 = inlay.add %x, %three : (!t, !s) -> !t
  %4 = inlay.clip %3 min %minus max %one : (!t, !s, !s) -> !t
  %5 = inlay.clip %x min %zero max %one : (!t, !s, !s) -> !t
  return %2, %4, %5 : !t, !t, !t
}

// -----

// Divided last, divided first, and by a hard sigmoid that the model has.
// CHECK-LABEL: func.func @hard_swish
// CHECK-COUNT-3: inlay.hard_swish %arg0
// CHECK-NEXT: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @hard_swish(%x: !t) -> (!t, !t, !t) {
  %zero = inlay.constant dense<0.0> : !s
  %three = inlay.constant dense<3.0> : !s
  %six = inlay.constant dense<6.0> : !s
  %0 = inlay.add %x, %three : (!t, !s) -> !t
  %1 = inlay.clip %0 min %zero max %six : (!t, !s, !s) -> !t
  %2 = inlay.mul %x, %1 : (!t, !t) -> !t
  %3 = inlay.div %2, %six : (!t, !s) -> !t
  %4 = inlay.add %x, %three : (!t, !s) -> !t
  %5 = inlay.clip %4 min %zero max %six : (!t, !s, !s) -> !t
  %6 = inlay.div %5, %six : (!t, !s) -> !t
  %7 = inlay.mul %6, %x : (!t, !t) -> !t
  %8 = inlay.hard_sigmoid %x {alpha = 0.166666672 : f32, beta = 0.5 : f32} : (!t) -> !t
  %9 = inlay.mul %x, %8 : (!t, !t) -> !t
  return %3, %7, %9 : !t, !t, !t
}

// -----

// The default slope of a hard sigmoid is another.
// CHECK-LABEL: func.func @no_hard_swish
// CHECK-NOT: inlay.hard_swish
// CHECK: return
!t = tensor<2x8xf32>
func.func @no_hard_swish(%x: !t) -> !t {
  %0 = inlay.hard_sigmoid %x : (!t) -> !t
  %1 = inlay.mul %x, %0 : (!t, !t) -> !t
  return %1 : !t
}

// -----

// CHECK-LABEL: func.func @mish
// CHECK-COUNT-2: inlay.mish %arg0
// CHECK-NEXT: return
!t = tensor<2x8xf32>
!s = tensor<f32>
func.func @mish(%x: !t) -> (!t, !t) {
  %one = inlay.constant dense<1.0> : !s
  %0 = inlay.softplus %x : (!t) -> !t
  %1 = inlay.tanh %0 : (!t) -> !t
  %2 = inlay.mul %x, %1 : (!t, !t) -> !t
  %3 = inlay.exp %x : (!t) -> !t
  %4 = inlay.add %3, %one : (!t, !s) -> !t
  %5 = inlay.log %4 : (!t) -> !t
  %6 = inlay.tanh %5 : (!t) -> !t
  %7 = inlay.mul %6, %x : (!t, !t) -> !t
  return %2, %7 : !t, !t
}

// -----

// CHECK-LABEL: func.func @no_mish_of_a_sigmoid
// CHECK-NOT: inlay.mish
// CHECK: return
!t = tensor<2x8xf32>
func.func @no_mish_of_a_sigmoid(%x: !t) -> !t {
  %0 = inlay.sigmoid %x : (!t) -> !t
  %1 = inlay.tanh %0 : (!t) -> !t
  %2 = inlay.mul %x, %1 : (!t, !t) -> !t
  return %2 : !t
}
