// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{body takes 1 values, expected none}}
  %g = inlay.group "opu" "group_0" stages ["compare"] : tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    inlay.yield %a : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{body yields 0 values, expected 1}}
  %g = inlay.group "opu" "group_0" stages [] : tensor<4xf32> {
    inlay.yield
  }
  return %g : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel of class 'fast', expected that of an operator, as 'elementwise' or 'contraction'}}
  %g = inlay.group "none" "kernel_0" kernel "fast" : tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}

// -----

// Views are in kernels of others.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel of class 'view'}}
  %g = inlay.group "none" "kernel_0" kernel "view" : tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel and has 1 stages of a pipeline, expected none}}
  %g = inlay.group "opu" "kernel_0" kernel "elementwise" stages ["compare"] : tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}
