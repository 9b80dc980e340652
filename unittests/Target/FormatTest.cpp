//===- FormatTest.cpp - Tests of blocked storage orders by name -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "gtest/gtest.h"

using namespace inlay;

/// The faults of a text that begins in line 3, after schema and name.
static std::string getFaults(llvm::StringRef body) {
  std::string faults;
  std::string text = ("schema: inlay.target/1\nname: test\n" + body).str();
  for (const TargetFault &fault : readTarget(text).faults)
    faults += std::to_string(fault.line) + ":" + std::to_string(fault.column) +
              ": " + fault.message + "\n";
  return faults;
}

static AtomSequence parseOrder(llvm::StringRef text) {
  return AtomSequence(llvm::cantFail(Layout::parse(text)).getOrder());
}

//===----------------------------------------------------------------------===//
// What formats mean
//===----------------------------------------------------------------------===//

static Format getData() {
  return {OrderRole::Data, "NC1HWC0", {{'C', 16}}, {{"int8", {{'C', 32}}}}};
}

TEST(FormatTest, BlocksAreThoseOfTheElementType) {
  Format format = getData();
  EXPECT_EQ(getFormatOrder(format, "NCHW", "float"),
            parseOrder("NCHW as NC1HWC0 block 16"));
  EXPECT_EQ(getFormatOrder(format, "NCHW", "int8"),
            parseOrder("NCHW as NC1HWC0 block 32"));
  EXPECT_EQ(getFormatOrder(format, "NCHW", ""),
            parseOrder("NCHW as NC1HWC0 block 16"));
}

TEST(FormatTest, FormatsCarryOverToOtherRanks) {
  Format format = getData();
  EXPECT_EQ(getFormatOrder(format, "NCW", "float"),
            parseOrder("NCW as NC1WC0 block 16"));
  EXPECT_EQ(getFormatOrder(format, "NCDHW", "float"),
            parseOrder("NCDHW as NC1DHWC0 block 16"));
  EXPECT_EQ(getFormatOrder(format, "NC", "float"),
            parseOrder("NC as NC1C0 block 16"));
  EXPECT_EQ(getFormatOrder(format, "NCABDHW", "float"), std::nullopt);
  EXPECT_EQ(getFormatOrder(format, "", "float"), std::nullopt);
  // Spatial axes that are apart have a meaning in one rank only.
  Format apart{OrderRole::Data, "NHC1WC0", {{'C', 8}}, {}};
  EXPECT_TRUE(getFormatOrder(apart, "NCHW", "float"));
  EXPECT_FALSE(getFormatOrder(apart, "NCDHW", "float"));
}

TEST(FormatTest, LettersAreAxesNotPositions) {
  Format format{OrderRole::Weight, "I1HWO1O0I0", {{'I', 16}, {'O', 16}}, {}};
  EXPECT_EQ(getFormatOrder(format, "OIHW", "float"),
            parseOrder("OIHW as I1HWO1O0I0 block 16"));
  EXPECT_EQ(getFormatOrder(format, "IOHW", "float"),
            parseOrder("IOHW as I1HWO1O0I0 block 16"));
  EXPECT_FALSE(getFormatOrder(format, "NCHW", "float"));
}

/// In what order a built-in target stores tensors of `axes` that a rule has as
/// `order`.
static std::optional<AtomSequence> getBuiltinOrder(llvm::StringRef target,
                                                   llvm::StringRef order,
                                                   llvm::StringRef axes,
                                                   llvm::StringRef type) {
  return llvm::cantFail(loadTarget(target)).getOrder(order, axes, type);
}

TEST(FormatTest, BuiltinFormatsAreAsTheirVendorsHaveThem) {
  EXPECT_EQ(getBuiltinOrder("nchw16c", "nChw16c", "NCHW", "float"),
            parseOrder("NCHW as NC1HWC0 block 16"));
  EXPECT_EQ(getBuiltinOrder("nchw16c", "OIhw16i16o", "OIHW", "float"),
            parseOrder("OIHW as O1I1HWI0O0 block 16"));
  EXPECT_EQ(getBuiltinOrder("chw32", "CHW32", "NCHW", "int8"),
            parseOrder("NCHW as NC1HWC0 block 32"));
  for (llvm::StringRef type : {"int8", "int16", "float"})
    EXPECT_EQ(getBuiltinOrder("nhcwb16", "NHCWB16", "NCHW", type),
              parseOrder("NCHW as NHC1WC0 block 16"));
  EXPECT_EQ(getBuiltinOrder("nc1hwc2", "NC1HWC2", "NCHW", "int8"),
            parseOrder("NCHW as NC1HWC0 block 16"));
  EXPECT_EQ(getBuiltinOrder("nc1hwc2", "NC1HWC2", "NCHW", "float16"),
            parseOrder("NCHW as NC1HWC0 block 8"));
  EXPECT_EQ(getBuiltinOrder("nc1hwc2", "NC1HWC2", "NCHW", "int32"),
            parseOrder("NCHW as NC1HWC0 block 4"));
}

TEST(FormatTest, AxesAreCountedOnce) {
  EXPECT_EQ(getFormatAxes("NC1HWC0"), "NHWC");
  EXPECT_EQ(getFormatAxes("I1HWO1O0I0"), "HWOI");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST(FormatTest, RulesNameFormats) {
  TargetResult result = readTarget("schema: inlay.target/1\n"
                                   "name: test\n"
                                   "formats:\n"
                                   "  F: {data: NC1HWC0, block: {C: 8}}\n"
                                   "  Z: {weight: I1HWO1O0I0, block: {I: 8, O: "
                                   "4}, types: {int8: {I: 32}}}\n"
                                   "layouts:\n"
                                   "  - {op: Conv, data: F, weight: Z}\n"
                                   "  - {op: MaxPool, data: [F, NCHW]}\n"
                                   "costs: {relayout: 0}\n");
  ASSERT_TRUE(result.faults.empty()) << result.faults.front().message;
  const Target &target = result.target;
  EXPECT_EQ(target.findRule("Conv")->choices,
            (std::vector<LayoutChoice>{{"F", "Z", "F"}}));
  EXPECT_TRUE(target.isKeyOp("Conv"));
  EXPECT_FALSE(target.isKeyOp("MaxPool"));
  EXPECT_EQ(target.getOrder("Z", "OIHW", "int8"),
            parseOrder("OIHW as I1HWO1O0I0 block O=4, I=32"));
  EXPECT_EQ(target.getOrder("NHWC", "NCHW", "int8"),
            parseOrder("NCHW as NHWC"));
  EXPECT_EQ(target.getOrder("NCHW", "NCHW", "int8"), AtomSequence());
}

TEST(FormatTest, AscendHasBlocksOfSixteenAndThirtyTwo) {
  llvm::Expected<Target> target = loadTarget("ascend");
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  for (llvm::StringRef type : {"float", "float16"})
    EXPECT_EQ(target->getOrder("NC1HWC0", "NCHW", type),
              parseOrder("NCHW as NC1HWC0 block 16"));
  for (llvm::StringRef type : {"int8", "uint8"})
    EXPECT_EQ(target->getOrder("NC1HWC0", "NCHW", type),
              parseOrder("NCHW as NC1HWC0 block 32"));
  EXPECT_EQ(target->getOrder("FRACTAL_Z", "OIHW", "float16"),
            parseOrder("OIHW as I1HWO1O0I0 block 16"));
  EXPECT_TRUE(target->isKeyOp("Conv"));
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

TEST(FormatTest, OrdersOfFormatsAreChecked) {
  EXPECT_EQ(getFaults("formats:\n  F: {data: NCHW, block: {C: 8}}\n"),
            "4:13: impossible order 'NCHW' of format 'F': no axis is blocked, "
            "such as C in NC1HWC0\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC1HW, block: {C: 8}}\n"),
            "4:13: impossible order 'NC1HW' of format 'F': a blocked axis is "
            "written as C1 and C0, found C1\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC2HWC0, block: {C: 8}}\n"),
            "4:13: impossible order 'NC2HWC0' of format 'F': a blocked axis is "
            "written as C1 and C0, found C2, C0\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC11HWC0, block: {C: 8}}\n"),
            "4:13: impossible order 'NC11HWC0' of format 'F': factors are "
            "numbered 0 and 1, found 11\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: 1NCHW, block: {C: 8}}\n"),
            "4:13: impossible order '1NCHW' of format 'F': it does not begin "
            "with an axis\n");
  EXPECT_EQ(getFaults("formats:\n  F: {weight: NC1HWC0, block: {C: 8}}\n"),
            "4:15: impossible order 'NC1HWC0' of format 'F': 'N' is an axis of "
            "data, not of a weight\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: C1HWC0, block: {C: 8}}\n"),
            "4:13: impossible order 'C1HWC0' of format 'F': axis 'N' is "
            "missing\n");
}

TEST(FormatTest, SizesAreChecked) {
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC1HWC0}\n"),
            "4:6: a format must have 'block', found none\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC1HWC0, block: {}}\n"),
            "4:29: 'block' of format 'F' lacks the size of axis C\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC1HWC0, block: {C: 8, H: 2}}\n"),
            "4:36: 'H' is no blocked axis of format 'F', which has C\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC1HWC0, block: {C: 1}}\n"),
            "4:33: a block must be a whole number of 2 to 1024, found '1'\n");
  EXPECT_EQ(getFaults("formats:\n  F: {data: NC1HWC0, block: 16}\n"),
            "4:29: 'block' must be a mapping, found '16'\n");
}

TEST(FormatTest, TypesAreChecked) {
  auto getTypeFaults = [](llvm::StringRef types) {
    return getFaults(("formats:\n  F: {data: NC1HWC0, block: {C: 8}, types: " +
                      types + "}\n")
                         .str());
  };
  EXPECT_EQ(getTypeFaults("{int8: {C: 32}}"), "");
  EXPECT_EQ(getTypeFaults("{int9: {C: 32}}"),
            "4:45: unknown element type 'int9', did you mean 'int8'?\n");
  EXPECT_EQ(getTypeFaults("{int8: {D: 32}}"),
            "4:52: 'D' is no blocked axis of format 'F', which has C\n");
  EXPECT_EQ(getTypeFaults("[int8]"),
            "4:44: 'types' must be a mapping, found a list\n");
}

TEST(FormatTest, NamesAreChecked) {
  std::string body = " {data: NC1HWC0, block: {C: 8}}\n";
  EXPECT_EQ(getFaults("formats:\n  NHWC:" + body),
            "4:3: name of a format must not be an order of axes, found "
            "'NHWC'\n");
  EXPECT_EQ(getFaults("formats:\n  'a b':" + body),
            "4:3: name of a format must be 1 to 64 letters, digits, '_' and "
            "'-', found 'a b'\n");
  EXPECT_EQ(getFaults("formats:\n  F:" + body + "  F:" + body),
            "5:3: key 'F' of 'formats' is given twice\n");
  EXPECT_EQ(getFaults("formats: NC1HWC0\n"),
            "3:10: 'formats' must be a mapping, found 'NC1HWC0'\n");
}

TEST(FormatTest, RulesUseFormatsOfTheirRole) {
  std::string formats = "formats:\n"
                        "  F: {data: NC1HWC0, block: {C: 8}}\n"
                        "  Z: {weight: I1HWO1O0I0, block: {I: 8, O: 8}}\n"
                        "  W: {weight: I1WO1O0I0, block: {I: 8, O: 8}}\n"
                        "costs: {relayout: 0}\n"
                        "layouts:\n";
  EXPECT_EQ(getFaults(formats + "  - {op: Conv, data: Z}\n"),
            "9:22: format 'Z' is not one of data, which 'data' is\n");
  EXPECT_EQ(getFaults(formats + "  - {op: Conv, data: F, weight: F}\n"),
            "9:33: format 'F' is not one of weights, which 'weight' is\n");
  EXPECT_EQ(getFaults(formats + "  - {op: Conv, data: F, weight: W}\n"),
            "9:33: orders of one rule must have one rank: 'W' has 3 axes, 'F' "
            "4\n");
  EXPECT_EQ(getFaults(formats + "  - {op: Conv, data: G}\n"),
            "9:22: impossible order 'G' of 'data': 'G' is no axis of data, "
            "which has N, C and the spatial W, HW, DHW or TDHW\n");
}
