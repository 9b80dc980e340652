//===- SanitizedProduct.cpp - A checked product of 128 bits ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under the undefined-behaviour sanitizer a call into the runtime on arm64.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>

/// Multiplies 2^N by 3, which overflows where N is 126 or more.
int main(int argc, char **argv) {
  __int128 power = 1;
  for (int n = argc > 1 ? std::atoi(argv[1]) : 0; n > 1; --n)
    power = power * 2;
  volatile __int128 factor = 3;
  return power * factor > 0 ? 0 : 1;
}
