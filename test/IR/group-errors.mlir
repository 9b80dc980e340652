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
  // expected-error @+1 {{'kernel_0' is a kernel and has 1 stages of a pipeline, expected none}}
  %g = inlay.group "opu" "kernel_0" kernel <elementwise, space = [4], reads = [same]> stages ["compare"] : tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'cluster_0' is a cluster and has 1 stages of a pipeline, expected none}}
  %g = inlay.group "opu" "cluster_0" cluster stages ["compare"] : tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel and a cluster, expected one}}
  %g = inlay.group "opu" "kernel_0" kernel <elementwise, space = [4], reads = [same]> cluster : tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}
