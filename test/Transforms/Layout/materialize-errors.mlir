// RUN: %inlay-opt %s -inlay-materialize-layouts -split-input-file -verify-diagnostics

// Along C elements meet: a softmax is not built over padding.
!x = tensor<1x50x7x7xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @refuses_padding_where_elements_meet(%x: !x) -> !x {
  // expected-error @below {{node 'inlay.softmax' (Softmax): ONNX has no operator for the storage orders NC1HWC0 block 16 pad zero -> NC1HWC0 block 16 pad zero, a target is required to wrap it for}}
  %y = inlay.softmax %x {axis = 1 : i64} : (!x) -> !x
  return %y : !x
}

// -----

!x = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
func.func @refuses_branches_that_differ(%c: tensor<i1>, %x: !x, %z: tensor<1x3x4x4xf32>) -> !x {
  // expected-error @below {{node 'inlay.if' (If): values that a subgraph takes, yields and returns in the same place must be stored alike}}
  %y = inlay.if %c : (tensor<i1>) -> !x {
    inlay.yield %x : !x
  } else {
    inlay.yield %z : tensor<1x3x4x4xf32>
  }
  return %y : !x
}

// -----

!s = tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
func.func @refuses_to_collect_other_orders(%n: tensor<i64>, %x: !s) -> tensor<?x2x3xf32> {
  // expected-error @below {{node 'inlay.loop' (Loop): only values that pass through its subgraphs unchanged need not be row-major}}
  %y = inlay.loop(trip %n) : (tensor<i64>) -> tensor<?x2x3xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    inlay.yield %c, %x : tensor<i1>, !s
  }
  return %y : tensor<?x2x3xf32>
}

// -----

!a = tensor<?xf32, #inlay.layout<Tensor as (0:0,0:1) split 0=a*b>>
func.func @refuses_extents_that_are_not_known(%x: tensor<?xf32>) -> !a {
  // expected-error @below {{node 'inlay.relayout' (inlay.relayout): relayout row-major -> (0:0,0:1) split 0=a*b depends on extents that are not known}}
  %y = inlay.relayout %x : (tensor<?xf32>) -> !a
  return %y : !a
}
