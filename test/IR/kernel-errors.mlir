// RUN: inlay-opt %s -split-input-file -verify-diagnostics

// A kernel says of itself what its operators make of it, and nothing else.

// Another class.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <window, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <window, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// Another anchor.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, anchor = 0, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, anchor = 0, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// No anchor.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// Other extents.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, anchor = 1, space = [4, 2, 9], reduced = [2], reads = [prologue, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, anchor = 1, space = [4, 2, 9], reduced = [2], reads = [prologue, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// An extent that is known.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, anchor = 1, space = [?, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, anchor = 1, space = [?, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// Other loops are summed over.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [1], reads = [prologue, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [1], reads = [prologue, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// Operands are read elsewhere.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [anchor, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [anchor, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// Also behind the anchor.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue|epilogue, anchor, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue|epilogue, anchor, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// One operand more.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue, epilogue]>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue, epilogue]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// Nothing but the class.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'kernel_0' is a kernel <contraction>, by its operators expected <contraction, anchor = 1, space = [4, 2, 8], reduced = [2], reads = [prologue, anchor, epilogue]>}}
  %g = inlay.group "none" "kernel_0" kernel <contraction> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{no kernel is of class 'fast', expected that of an operator, as 'elementwise' or 'contraction'}}
  %g = inlay.group "none" "kernel_0" kernel <fast> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

// Views are in kernels of others.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{no kernel is of class 'view'}}
  %g = inlay.group "none" "kernel_0" kernel <view> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{a kernel has no 'extents', expected 'anchor', 'space', 'reduced' or 'reads'}}
  %g = inlay.group "none" "kernel_0" kernel <elementwise, extents = [4]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'space' is given twice}}
  %g = inlay.group "none" "kernel_0" kernel <elementwise, space = [4], space = [4]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{an extent is -4, expected none below 0}}
  %g = inlay.group "none" "kernel_0" kernel <elementwise, space = [-4]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{a kernel reads nothing 'behind', expected 'same', 'other', 'prologue', 'anchor' or 'epilogue'}}
  %g = inlay.group "none" "kernel_0" kernel <elementwise, reads = [behind]> : tensor<4x2xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = inlay.add %m, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    inlay.yield %y : tensor<4x2xf32>
  }
  return %g : tensor<4x2xf32>
}
