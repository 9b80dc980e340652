// RUN: %inlay-opt %s -split-input-file -verify-diagnostics

func.func @constant_of_another_size() -> tensor<4xf32> {
  // expected-error @+1 {{refers to 15 bytes, its type needs 16}}
  %0 = inlay.constant #inlay.data<"w", 0, 15> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute 'inlay.ir_version' is not an integer of 64 bits}}
module attributes {inlay.ir_version = "8"} {}

// -----

// expected-error @+1 {{attribute 'inlay.data' is not a data file with its bytes and checksum}}
module attributes {inlay.data = {bytes = 16 : i64, file = "w"}} {}

// -----

// expected-error @+1 {{attribute 'inlay.dims' is not an array of strings}}
func.func @dims(%x: tensor<4xf32> {inlay.dims = [1]}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{outputs of a node are not an array of strings}}
#origin = #inlay.origin<"n", "Conv", [1]>

// -----

// expected-error @+1 {{'dims' of a node is not names of dimensions}}
#origin = #inlay.origin<"n", "Conv", ["y"], {dims = ["n"]}>
