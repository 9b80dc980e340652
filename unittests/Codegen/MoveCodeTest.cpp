//===- MoveCodeTest.cpp - Moving operators as code ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"

using namespace inlay;
using namespace inlay::testing;

/// An operator of one operand.
static unsigned checkMove(llvm::StringRef op, llvm::StringRef from,
                          llvm::StringRef to, llvm::StringRef attributes) {
  return check({from, to}, ("%y = inlay." + op + " %a " + attributes +
                            " : (tensor<" + from + ">) -> tensor<" + to + ">")
                               .str());
}

TEST(MoveCode, Transposes) {
  for (llvm::StringRef type : {"f32", "f64", "f16", "bf16", "i8", "ui16", "i1"})
    EXPECT_EQ(checkMove("transpose", ("5x19x" + type).str(),
                        ("19x5x" + type).str(), "{perm = array<i64: 1, 0>}"),
              1u)
        << type.str();
  EXPECT_EQ(checkMove("transpose", "2x3x4x17xf32", "2x4x3x17xf32",
                      "{perm = array<i64: 0, 2, 1, 3>}"),
            1u);
  EXPECT_EQ(checkMove("transpose", "2x3x9x17xf32", "2x9x17x3xf32",
                      "{perm = array<i64: 0, 2, 3, 1>}"),
            1u);
  EXPECT_EQ(checkMove("transpose", "1x1x3xf32", "3x1x1xf32", ""), 1u);
  EXPECT_EQ(checkMove("transpose", "0x3xf32", "3x0xf32", ""), 1u);
}

TEST(MoveCode, Slices) {
  EXPECT_EQ(checkMove("slice", "9x37xf32", "4x11xf32",
                      "{starts = array<i64: 1, -2>, ends = array<i64: 9, 2>, "
                      "steps = array<i64: 2, -3>}"),
            1u);
  EXPECT_EQ(checkMove("slice", "2x9x37xi64", "2x9x20xi64",
                      "{starts = array<i64: 17>, ends = array<i64: 1000>, "
                      "axes = array<i64: -1>}"),
            1u);
  EXPECT_EQ(checkMove("slice", "9xf32", "0xf32",
                      "{starts = array<i64: 5>, ends = array<i64: 5>}"),
            1u);
}

TEST(MoveCode, Repeats) {
  EXPECT_EQ(checkMove("expand", "3x1x9xf32", "2x3x5x9xf32",
                      "{shape = array<i64: 2, 3, 5, 9>}"),
            1u);
  EXPECT_EQ(checkMove("expand", "f32", "33xf32", "{shape = array<i64: 33>}"),
            1u);
  EXPECT_EQ(
      checkMove("tile", "3x10xf32", "6x30xf32", "{repeats = array<i64: 2, 3>}"),
      1u);
}

TEST(MoveCode, JoinsAndCuts) {
  for (auto [axis, b, result] : {std::tuple("0", "2x19xf32", "5x19xf32"),
                                 std::tuple("1", "3x20xf32", "3x39xf32"),
                                 std::tuple("-1", "3x0xf32", "3x19xf32")}) {
    std::string body = std::string("%y = inlay.concat %a, %b {axis = ") + axis +
                       " : i64} : (tensor<3x19xf32>, tensor<" + b +
                       ">) -> tensor<" + result + ">";
    EXPECT_EQ(check({"3x19xf32", b, result}, body), 1u) << axis;
  }
  EXPECT_EQ(check({"4x33xf32", "4x12xf32"},
                  "%x, %y, %z = inlay.split %a {axis = 1 : i64, split = "
                  "array<i64: 20, 12, 1>} : (tensor<4x33xf32>) -> "
                  "(tensor<4x20xf32>, tensor<4x12xf32>, tensor<4x1xf32>)"),
            1u);
}

/// Elements of two parts or more in turn, as in a shuffle of channels.
static unsigned checkTurns(llvm::StringRef shape, llvm::StringRef type,
                           unsigned count) {
  std::string part = (shape + "x1x" + type).str(),
              whole = (shape + "x" + llvm::Twine(count) + "x" + type).str();
  std::string operands, types;
  llvm::SmallVector<llvm::StringRef> all(count, part);
  for (unsigned i = 0; i < count; ++i) {
    operands += std::string(i == 0 ? "%" : ", %") + char('a' + i);
    types += (i == 0 ? "tensor<" : ", tensor<") + part + ">";
  }
  all.push_back(whole);
  return check(all, "%y = inlay.concat " + operands + " {axis = -1 : i64} : (" +
                        types + ") -> tensor<" + whole + ">");
}

TEST(MoveCode, TakesTurns) {
  for (llvm::StringRef type : {"f32", "f64", "f16", "bf16", "i8", "ui16", "i1"})
    EXPECT_EQ(checkTurns("3x5x58", type, 2), 1u) << type.str();
  for (llvm::StringRef shape : {"58", "3x58", "2x1", "4x7", "3x64", "2x1x33"})
    for (unsigned count : {2u, 3u, 4u, 5u})
      EXPECT_EQ(checkTurns(shape, "f32", count), 1u) << shape.str() << count;
}

// The parts come from a tensor that has more, and go on behind a view.
TEST(MoveCode, TakesTurnsOfSlices) {
  EXPECT_EQ(
      check({"6x116xf32", "6x58xf32", "6x116xf32"},
            "%y = inlay.group \"cpu\" \"k\" cluster : tensor<6x116xf32> {\n"
            "%0 = inlay.slice %a {axes = array<i64: 1>, starts = array<i64: "
            "58>, ends = array<i64: 116>} : (tensor<6x116xf32>) -> "
            "tensor<6x58xf32>\n"
            "%1 = inlay.reshape %0 {shape = array<i64: 6, 58, 1>} : "
            "(tensor<6x58xf32>) -> tensor<6x58x1xf32>\n"
            "%2 = inlay.relu %b : (tensor<6x58xf32>) -> tensor<6x58xf32>\n"
            "%3 = inlay.reshape %2 {shape = array<i64: 6, 58, 1>} : "
            "(tensor<6x58xf32>) -> tensor<6x58x1xf32>\n"
            "%4 = inlay.concat %1, %3 {axis = 2 : i64} : (tensor<6x58x1xf32>, "
            "tensor<6x58x1xf32>) -> tensor<6x58x2xf32>\n"
            "%5 = inlay.reshape %4 {shape = array<i64: 6, 116>} : "
            "(tensor<6x58x2xf32>) -> tensor<6x116xf32>\n"
            "inlay.yield %5 : tensor<6x116xf32>\n}"),
      1u);
}

// Two vectors are stored as one.
TEST(MoveCode, WeavesVectors) {
  std::string code = getCode(
      {"3x64x1xf32", "3x64x1xf32", "3x64x2xf32"},
      "%y = inlay.concat %a, %b {axis = 2 : i64} : (tensor<3x64x1xf32>, "
      "tensor<3x64x1xf32>) -> tensor<3x64x2xf32>",
      {16, 32});
  EXPECT_TRUE(llvm::StringRef(code).contains("llvm.store %")) << code;
  EXPECT_TRUE(llvm::StringRef(code).contains("vector<32xf32>, !llvm.ptr"))
      << code;
  EXPECT_FALSE(llvm::StringRef(code).contains(": f32, !llvm.ptr")) << code;
}

TEST(MoveCode, Pads) {
  EXPECT_EQ(checkMove("pad", "2x3x5x20xf32", "2x3x8x23xf32",
                      "{pads = array<i64: 0, 0, 1, 2, 0, 0, 2, 1>}"),
            1u);
  EXPECT_EQ(checkMove("pad", "5x20xf32", "6x17xf32",
                      "{pads = array<i64: -1, 2, 2, -5>}"),
            1u);
  EXPECT_EQ(checkMove("pad", "3x20xf32", "5x29xf32",
                      "{mode = \"edge\", pads = array<i64: 1, 4, 1, 5>}"),
            1u);
  EXPECT_EQ(check({"3x9xf32", "f32", "5x9xf32"},
                  "%y = inlay.pad %a value %b {pads = array<i64: 1, 0, 1, 0>} "
                  ": (tensor<3x9xf32>, tensor<f32>) -> tensor<5x9xf32>"),
            1u);
  EXPECT_EQ(checkMove("pad", "3x20xf32", "5x20xf32",
                      "{mode = \"reflect\", pads = array<i64: 1, 0, 1, 0>}"),
            1u);
}

// Indices from the end count, too.
TEST(MoveCode, Gathers) {
  EXPECT_EQ(check({"7x18xf32", "3x2x18xf32"},
                  "%i = inlay.constant dense<[[0, -1], [3, 6], [-7, 2]]> : "
                  "tensor<3x2xi64>\n"
                  "%y = inlay.gather %a, %i : (tensor<7x18xf32>, "
                  "tensor<3x2xi64>) -> tensor<3x2x18xf32>"),
            1u);
  EXPECT_EQ(check({"4x7xf32", "4x3xf32"},
                  "%i = inlay.constant dense<[5, -2, 0]> : tensor<3xi32>\n"
                  "%y = inlay.gather %a, %i {axis = 1 : i64} : "
                  "(tensor<4x7xf32>, tensor<3xi32>) -> tensor<4x3xf32>"),
            1u);
  EXPECT_EQ(check({"2x3xf32", "2x2xf32"},
                  "%i = inlay.constant dense<[[1, -1], [0, 2]]> : "
                  "tensor<2x2xi64>\n"
                  "%y = inlay.gather_elements %a, %i {axis = 1 : i64} : "
                  "(tensor<2x3xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>"),
            1u);
}

TEST(MoveCode, MovesBlocks) {
  for (llvm::StringRef mode : {"DCR", "CRD"})
    EXPECT_EQ(
        checkMove("depth_to_space", "2x12x3x9xf32", "2x3x6x18xf32",
                  ("{blocksize = 2 : i64, mode = \"" + mode + "\"}").str()),
        1u);
  EXPECT_EQ(checkMove("space_to_depth", "2x3x6x18xf32", "2x12x3x9xf32",
                      "{blocksize = 2 : i64}"),
            1u);
}

// Heads of attention: a loop over what is reshaped becomes two.
TEST(MoveCode, MovesThroughViews) {
  EXPECT_EQ(
      check({"2x4x5x16xf32", "64xf32", "2x5x64xf32"},
            "%y = inlay.group \"cpu\" \"k\" cluster : "
            "tensor<2x5x64xf32> {\n"
            "%0 = inlay.transpose %a {perm = array<i64: 0, 2, 1, 3>} : "
            "(tensor<2x4x5x16xf32>) -> tensor<2x5x4x16xf32>\n"
            "%1 = inlay.reshape %0 {shape = array<i64: 2, 5, 64>} : "
            "(tensor<2x5x4x16xf32>) -> tensor<2x5x64xf32>\n"
            "%2 = inlay.add %1, %b : (tensor<2x5x64xf32>, tensor<64xf32>) -> "
            "tensor<2x5x64xf32>\n"
            "inlay.yield %2 : tensor<2x5x64xf32>\n}"),
      1u);
  // No loops fit both shapes.
  EXPECT_EQ(check({"6x7xf32", "14x3xf32"},
                  "%y = inlay.group \"cpu\" \"k\" cluster : "
                  "tensor<14x3xf32> {\n"
                  "%0 = inlay.transpose %a : (tensor<6x7xf32>) -> "
                  "tensor<7x6xf32>\n"
                  "%1 = inlay.reshape %0 {shape = array<i64: 21, 2>} : "
                  "(tensor<7x6xf32>) -> tensor<21x2xf32>\n"
                  "%2 = inlay.transpose %1 : (tensor<21x2xf32>) -> "
                  "tensor<2x21xf32>\n"
                  "%3 = inlay.reshape %2 {shape = array<i64: 14, 3>} : "
                  "(tensor<2x21xf32>) -> tensor<14x3xf32>\n"
                  "inlay.yield %3 : tensor<14x3xf32>\n}"),
            1u);
  // Of nothing, behind a dimension that is not one.
  EXPECT_EQ(
      checkMove("unsqueeze", "3x0xf32", "3x1x0xf32", "{axes = array<i64: 1>}"),
      1u);
}

TEST(MoveCode, OpensLayouts) {
  EXPECT_EQ(
      check({"1x4x5x9xf32", "1x4x5x9xf32"},
            "%y = inlay.in_layout \"nhwc\" \"Relu\"(%a) layouts [\"NHWC\", "
            "\"NHWC\"] : (tensor<1x4x5x9xf32>) -> tensor<1x4x5x9xf32> {\n"
            "^bb0(%x: tensor<1x4x5x9xf32>):\n"
            "%0 = inlay.transpose %x {perm = array<i64: 0, 3, 1, 2>} : "
            "(tensor<1x4x5x9xf32>) -> tensor<1x9x4x5xf32>\n"
            "%1 = inlay.relu %0 : (tensor<1x9x4x5xf32>) -> "
            "tensor<1x9x4x5xf32>\n"
            "%2 = inlay.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : "
            "(tensor<1x9x4x5xf32>) -> tensor<1x4x5x9xf32>\n"
            "inlay.yield %2 : tensor<1x4x5x9xf32>\n}"),
      1u);
}

// Results of different shapes have loops of their own, in the same parts.
TEST(MoveCode, WritesSeveralShapes) {
  EXPECT_EQ(check({"5x33xf32", "33x5xf32"},
                  "%0, %1 = inlay.group \"cpu\" \"k\" cluster : "
                  "tensor<5x33xf32>, tensor<33x5xf32> {\n"
                  "%2 = inlay.abs %a : (tensor<5x33xf32>) -> "
                  "tensor<5x33xf32>\n"
                  "%3 = inlay.transpose %2 : (tensor<5x33xf32>) -> "
                  "tensor<33x5xf32>\n"
                  "inlay.yield %2, %3 : tensor<5x33xf32>, "
                  "tensor<33x5xf32>\n}\n"
                  "%4 = inlay.transpose %0 : (tensor<5x33xf32>) -> "
                  "tensor<33x5xf32>\n"
                  "%y = inlay.add %1, %4 : (tensor<33x5xf32>, "
                  "tensor<33x5xf32>) -> tensor<33x5xf32>"),
            3u);
}

TEST(MoveCode, GathersTuples) {
  EXPECT_EQ(check({"4x5x19xf32", "3x19xf32"},
                  "%i = inlay.constant dense<[[0, -1], [3, 2], [-4, 0]]> : "
                  "tensor<3x2xi64>\n"
                  "%y = inlay.gather_nd %a, %i : (tensor<4x5x19xf32>, "
                  "tensor<3x2xi64>) -> tensor<3x19xf32>"),
            1u);
  EXPECT_EQ(check({"2x5x3xf32", "2x3xf32"},
                  "%i = inlay.constant dense<[[1], [-2]]> : tensor<2x1xi64>\n"
                  "%y = inlay.gather_nd %a, %i {batch_dims = 1 : i64} : "
                  "(tensor<2x5x3xf32>, tensor<2x1xi64>) -> tensor<2x3xf32>"),
            1u);
}

TEST(MoveCode, Resizes) {
  for (llvm::StringRef mode : {"nearest", "linear"})
    for (llvm::StringRef coordinates :
         {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"})
      for (auto [from, to] : {std::pair("1x3x5x7xf32", "1x3x10x14xf32"),
                              std::pair("1x3x5x7xf32", "1x3x3x9xf32"),
                              std::pair("1x2x1x1xf32", "1x2x4x4xf32"),
                              std::pair("1x4x5x19xf32", "1x9x7x19xf32")}) {
        std::string sizes(to);
        for (size_t at; (at = sizes.find('x')) != std::string::npos;)
          sizes.replace(at, 1, ", ");
        sizes.resize(sizes.rfind(", "));
        std::string body =
            "%y = inlay.resize %a {coordinate_transformation_mode = \"" +
            coordinates.str() + "\", mode = \"" + mode.str() +
            "\", sizes = array<i64: " + sizes + ">} : (tensor<" + from +
            ">) -> tensor<" + to + ">";
        EXPECT_EQ(checkModerate({from, to}, body, 8 * 0x1p-24), 1u) << body;
        // An infinite neighbour without weight changes nothing. Numbers are
        // up to eight times as large.
        EXPECT_EQ(check({from, to}, body, 64 * 0x1p-24), 1u) << body;
      }
  EXPECT_TRUE(isAllCode({"1x1x5x7xf32", "1x1x10x14xf32"},
                        "%y = inlay.resize %a {mode = \"cubic\", sizes = "
                        "array<i64: 1, 1, 10, 14>} : (tensor<1x1x5x7xf32>) "
                        "-> tensor<1x1x10x14xf32>",
                        32 * 0x1p-24));
}

/// A Resize between elements; how it is computed.
static std::string getResizePlan(llvm::StringRef from, llvm::StringRef to,
                                 llvm::StringRef coordinates) {
  std::string sizes(to.take_front(to.rfind('x')));
  for (size_t at; (at = sizes.find('x')) != std::string::npos;)
    sizes.replace(at, 1, ", ");
  std::string body =
      ("%y = inlay.resize %a {coordinate_transformation_mode = \"" +
       coordinates + "\", mode = \"linear\", sizes = array<i64: " + sizes +
       ">} : (tensor<" + from + ">) -> tensor<" + to + ">")
          .str();
  bool isNarrow = to.ends_with("f16");
  check({from, to}, body, 64 * 0x1p-24);
  return getPlan({from, to}, body, isNarrow ? 0x1p-10 : 8 * 0x1p-24);
}

TEST(MoveCode, UpsamplesLines) {
  for (llvm::StringRef coordinates :
       {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"})
    for (auto [from, to] : {std::pair("1x3x5x7xf32", "1x3x11x65xf32"),
                            std::pair("2x3x5x19xf32", "2x3x5x38xf32"),
                            std::pair("1x2x9x1xf32", "1x2x4x37xf32"),
                            std::pair("1x2x3x4x5xf32", "1x2x7x5x100xf32"),
                            std::pair("5xf32", "23xf32"),
                            std::pair("2x3x6x9xf16", "2x3x13x40xf16")})
      EXPECT_EQ(getResizePlan(from, to, coordinates), "upsample")
          << from << " to " << to << ", " << coordinates.str();
  // Less than twice as long, shorter, or of other dimensions; f64.
  for (auto [from, to] : {std::pair("1x3x5x20xf32", "1x3x11x39xf32"),
                          std::pair("1x3x5x20xf32", "1x3x11x7xf32"),
                          std::pair("1x3x5x20xf32", "1x3x17x20xf32"),
                          std::pair("1x3x5x7xf64", "1x3x10x21xf64")})
    EXPECT_EQ(getResizePlan(from, to, "half_pixel"), "elements")
        << from << " to " << to;
}

// What is computed in front and behind, with a tensor that the result may
// replace.
TEST(MoveCode, UpsamplesInKernels) {
  std::string resize =
      "%0 = inlay.abs %a : (tensor<1x3x5x7xf32>) -> tensor<1x3x5x7xf32>\n"
      "%1 = inlay.resize %0 {mode = \"linear\", sizes = array<i64: 1, 3, 11, "
      "40>} : (tensor<1x3x5x7xf32>) -> tensor<1x3x11x40xf32>\n"
      "%2 = inlay.add %1, %b : (tensor<1x3x11x40xf32>, "
      "tensor<1x3x11x40xf32>) -> tensor<1x3x11x40xf32>\n";
  EXPECT_EQ(getPlan({"1x3x5x7xf32", "1x3x11x40xf32", "1x3x11x40xf32"},
                    "%y = inlay.group \"cpu\" \"k\" cluster : "
                    "tensor<1x3x11x40xf32> {\n" +
                        resize + "inlay.yield %2 : tensor<1x3x11x40xf32>\n}",
                    8 * 0x1p-24),
            "upsample");
  // Lines lie across.
  EXPECT_EQ(getPlan({"1x3x5x7xf32", "1x3x11x40xf32", "1x3x40x11xf32"},
                    "%y = inlay.group \"cpu\" \"k\" cluster : "
                    "tensor<1x3x40x11xf32> {\n" +
                        resize +
                        "%3 = inlay.transpose %2 {perm = array<i64: 0, 1, 3, "
                        "2>} : (tensor<1x3x11x40xf32>) -> "
                        "tensor<1x3x40x11xf32>\n"
                        "inlay.yield %3 : tensor<1x3x40x11xf32>\n}",
                    8 * 0x1p-24),
            "upsample");
}
