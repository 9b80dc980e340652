// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @shapes_must_broadcast(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{shapes 2 and 3 do not broadcast}}
  %0 = inlay.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @element_types_must_agree(%x: tensor<2xf32>, %y: tensor<2xf16>) {
  // expected-error @+1 {{different element types}}
  %0 = inlay.add %x, %y : (tensor<2xf32>, tensor<2xf16>) -> !inlay.unknown
  return
}

// -----

func.func @logic_takes_booleans(%x: tensor<2xf32>) {
  // expected-error @+1 {{must be tensor of booleans}}
  %0 = inlay.and %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result_must_fit(%x: tensor<2xf32>) {
  // expected-error @+1 {{inlay.abs}}
  %0 = inlay.abs %x : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @variadic_needs_an_operand() {
  // expected-error @+1 {{must have at least one operand}}
  %0 = "inlay.sum"() : () -> tensor<3xf32>
  return
}

// -----

func.func @bounds_have_one_element(%x: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{min must have one element but has shape 2}}
  %0 = inlay.clip %x min %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @slope_must_broadcast_to_input(%x: tensor<2x3xf32>, %s: tensor<4x2x3xf32>) {
  // expected-error @+1 {{slope of shape 4x2x3 does not broadcast to shape 2x3}}
  %0 = inlay.prelu %x, %s : (tensor<2x3xf32>, tensor<4x2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @direction_is_left_or_right(%x: tensor<2xui8>) {
  // expected-error @+1 {{'direction' must be LEFT or RIGHT but is 'UP'}}
  %0 = inlay.bit_shift %x, %x {direction = "UP"} : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return
}

// -----

func.func @approximation_is_known(%x: tensor<2xf32>) {
  // expected-error @+1 {{'approximate' must be none or tanh but is 'erf'}}
  %0 = inlay.gelu %x {approximate = "erf"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @cast_needs_an_element_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{'to' must be the number of an element type but is 99}}
  %0 = inlay.cast %x {to = 99 : i64} : (tensor<2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @ratio_is_given_once(%x: tensor<2xf32>, %r: tensor<f32>) {
  // expected-error @+1 {{'ratio' is given both as an attribute and as an operand}}
  %0:2 = inlay.dropout %x ratio %r {ratio = 0.5 : f32}
      : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xi1>)
  return
}
