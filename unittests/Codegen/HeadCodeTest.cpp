//===- HeadCodeTest.cpp - Products whose results are moved ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"

using namespace inlay;
using namespace inlay::testing;

/// Heads of a projection, in some order of dimensions.
static unsigned checkHeads(llvm::StringRef perm, llvm::StringRef type,
                           unsigned width) {
  std::string heads = std::to_string(width), row = std::to_string(4 * width);
  std::string product = "tensor<2x9x" + row + "xf32>",
              split = "tensor<2x9x4x" + heads + "xf32>",
              moved = "tensor<" + type.str() + ">";
  return checkModerate(
      {"2x9x24xf32", "24x" + row + "xf32", row + "xf32", type},
      "%y = inlay.group \"cpu\" \"k\" cluster : " + moved +
          " {\n%0 = inlay.matmul %a, %b : (tensor<2x9x24xf32>, tensor<24x" +
          row + "xf32>) -> " + product + "\n%1 = inlay.add %0, %c : (" +
          product + ", tensor<" + row + "xf32>) -> " + product +
          "\n%2 = inlay.reshape %1 {shape = array<i64: 2, 9, 4, " + heads +
          ">} : (" + product + ") -> " + split +
          "\n%3 = inlay.transpose %2 {perm = array<i64: " + perm.str() +
          ">} : (" + split + ") -> " + moved + "\ninlay.yield %3 : " + moved +
          "\n}",
      16 * 0x1p-24);
}

// Vectors end where a head does, or not.
TEST(HeadCode, MovesHeads) {
  for (unsigned width : {16, 32, 12, 5}) {
    std::string own = std::to_string(width);
    EXPECT_EQ(checkHeads("0, 2, 1, 3", "2x4x9x" + own + "xf32", width), 1u)
        << width;
    EXPECT_EQ(checkHeads("0, 2, 3, 1", "2x4x" + own + "x9xf32", width), 1u)
        << width;
    EXPECT_EQ(checkHeads("2, 0, 1, 3", "4x2x9x" + own + "xf32", width), 1u)
        << width;
  }
}
