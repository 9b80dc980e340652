// RUN: %inlay-opt %s -inlay-cancel-relayouts -split-input-file | FileCheck %s

// A relayout that stays for others is of use to transposes too.

!r = tensor<2x11x3xf32>
!n = tensor<2x11x3xf32, #inlay.layout<NCW as NWC>>
!t = tensor<2x3x11xf32>
// CHECK-LABEL: func.func @keeps_a_free_transpose_behind_a_shared_relayout
// CHECK: %[[N:.*]] = inlay.relayout %arg0
// CHECK-NOT: inlay.relayout
// CHECK: inlay.transpose %[[N]]
// CHECK-NOT: inlay.relayout
func.func @keeps_a_free_transpose_behind_a_shared_relayout(%x: !r) -> (!n, !t) {
  %a = inlay.relayout %x : (!r) -> !n
  %y = inlay.relu %a : (!n) -> !n
  %z = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : (!n) -> !t
  return %y, %z : !n, !t
}

// -----

// One of the transpose's users wants what was there before.
!r = tensor<2x11x3xf32>
!n = tensor<2x11x3xf32, #inlay.layout<NCW as NWC>>
!t = tensor<2x3x11xf32>
!u = tensor<2x3x11xf32, #inlay.layout<Tensor as (0,2,1)>>
// CHECK-LABEL: func.func @takes_each_order_from_where_it_is
// CHECK: %[[N:.*]] = inlay.relayout %arg0
// CHECK-NOT: inlay.relayout
// CHECK-DAG: inlay.transpose %[[N]]
// CHECK-DAG: inlay.transpose %arg0
// CHECK-NOT: inlay.relayout
// CHECK: return
func.func @takes_each_order_from_where_it_is(%x: !r) -> (!n, !t, !u) {
  %a = inlay.relayout %x : (!r) -> !n
  %y = inlay.relu %a : (!n) -> !n
  %t = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : (!n) -> !t
  %z = inlay.relu %t : (!t) -> !t
  %u = inlay.relayout %t : (!t) -> !u
  return %y, %z, %u : !n, !t, !u
}

// -----

// The second relayout moves a dimension of one element only: it costs nothing
// behind the first one.
!r = tensor<1x7x5xf32>
!n = tensor<1x7x5xf32, #inlay.layout<Tensor as (0,2,1)>>
!m = tensor<1x7x5xf32, #inlay.layout<Tensor as (2,1,0)>>
// CHECK-LABEL: func.func @keeps_what_is_free_behind_what_is_not
// CHECK: %[[N:.*]] = inlay.relayout %arg0
// CHECK: inlay.relayout %[[N]]
func.func @keeps_what_is_free_behind_what_is_not(%x: !r) -> (!n, !m) {
  %a = inlay.relayout %x : (!r) -> !n
  %b = inlay.relayout %a : (!n) -> !m
  return %a, %b : !n, !m
}

// -----

// Its negative twin: with the first one gone it starts from the input.
!r = tensor<1x7x5xf32>
!n = tensor<1x7x5xf32, #inlay.layout<Tensor as (0,2,1)>>
!m = tensor<1x7x5xf32, #inlay.layout<Tensor as (2,1,0)>>
// CHECK-LABEL: func.func @composes_where_nobody_else_reads
// CHECK-COUNT-1: inlay.relayout %arg0
// CHECK-NEXT: return
func.func @composes_where_nobody_else_reads(%x: !r) -> !m {
  %a = inlay.relayout %x : (!r) -> !n
  %b = inlay.relayout %a : (!n) -> !m
  return %b : !m
}
