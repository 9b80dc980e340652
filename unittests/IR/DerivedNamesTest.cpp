//===- DerivedNamesTest.cpp -----------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/DerivedNames.h"
#include <gtest/gtest.h>

using namespace inlay;

TEST(DerivedNames, BeginWithTheNameOfTheOrigin) {
  EXPECT_EQ(deriveName("conv1", "Transpose"), "conv1/Transpose");
  EXPECT_EQ(deriveName("", "Transpose"), "/Transpose");
}

TEST(DerivedNames, RepeatOnlyTheBeginningOfALongName) {
  std::string name(maxDerivedBytes, 'a');
  EXPECT_EQ(shortenName(name), name);
  EXPECT_EQ(shortenName(name + "b"), name);
  EXPECT_EQ(deriveName(std::string(1 << 20, 'a'), "x"), name + "/x");
}

TEST(DerivedNames, CutNoCharacterApart) {
  // The last character that fits has two bytes, or would have had.
  std::string fits = std::string(maxDerivedBytes - 2, 'a') + "é";
  std::string parted = std::string(maxDerivedBytes - 1, 'a') + "é";
  EXPECT_EQ(shortenName(fits + "b"), fits);
  EXPECT_EQ(shortenName(parted), std::string(maxDerivedBytes - 1, 'a'));
  // What is no text is cut somewhere.
  EXPECT_LE(shortenName(std::string(1000, '\x80')).size(), maxDerivedBytes);
}
