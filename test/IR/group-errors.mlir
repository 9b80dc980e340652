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
