//===- LayoutTest.cpp -----------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/Layout.h"
#include "gtest/gtest.h"

using namespace inlay;
using Shape = llvm::SmallVector<int64_t>;
using Permutation = llvm::SmallVector<unsigned>;

static Layout parse(llvm::StringRef text) {
  return llvm::cantFail(Layout::parse(text), text.str().c_str());
}

/// What parsing `text` complains about, "" when it does not.
static std::string getParseError(llvm::StringRef text) {
  auto layout = Layout::parse(text);
  return layout ? "" : llvm::toString(layout.takeError());
}

static std::string getShapeError(llvm::StringRef text, const Shape &shape) {
  return llvm::toString(parse(text).verify(shape));
}

//===----------------------------------------------------------------------===//
// Notation
//===----------------------------------------------------------------------===//

TEST(Layout, PrintsWhatItParses) {
  for (llvm::StringRef text :
       {"NCHW",
        "OIHW",
        "NCW",
        "NCDHW",
        "NC",
        "NHWC",
        "IOHW",
        "Tensor",
        "NTensor",
        "NCHW as NHWC",
        "NCHW as NC1HWC0 block 16",
        "NCHW as NC1HWC0 block 16 pad zero",
        "OIHW as I1HWO1O0I0 block 16",
        "OIHW as I1HWO1O0I0 block O=16, I=32",
        "OIHW as O1I2HWI1O0I0 block O=16, I=4*2",
        "NCHW as C1NHWC0 split C=3*5",
        "NCHW as NC1H1WH0C0 block 16 split H=7*2",
        "Tensor as (0,2,3,1)",
        "NTensor as (0,2,1)",
        "Tensor as (0,1:1,2,1:0) block 8",
        "Tensor as (0:1,1:1,1:0,0:0) block 0=8, 1=4",
        "Tensor as (0,1:1,1:0,1:2) split 1=64*7*7",
        "Tensor as (0,1:1,1:0,1:2) split 1=C*H*\"w/32\""}) {
    EXPECT_EQ(parse(text).str(), text);
  }
}

TEST(Layout, PrintsACommonBlockSizeOnce) {
  EXPECT_EQ(parse("OIHW as I1HWO1O0I0 block I=16, O=16").str(),
            "OIHW as I1HWO1O0I0 block 16");
  EXPECT_EQ(parse("NCHW as NC1H1WH0C0 block C=16 split H=7*2").str(),
            "NCHW as NC1H1WH0C0 block 16 split H=7*2");
}

TEST(Layout, WhiteSpaceIsFree) {
  EXPECT_EQ(
      parse("  Tensor as ( 0 , 1 : 1, 1 : 0 ,1:2 )split 1 = 64 * 7*7 ").str(),
      "Tensor as (0,1:1,1:0,1:2) split 1=64*7*7");
}

TEST(Layout, QuotedSymbolsKeepEveryByte) {
  std::string name = "a \"b\\\n\xff>";
  auto layout = llvm::cantFail(Layout::getUnnamed(
      LayoutClass::Tensor,
      {{0, 0, AtomExtent::of(2)}, {0, 1, AtomExtent::symbol(name)}}));
  Layout again = parse(layout.str());
  EXPECT_EQ(again, layout);
  EXPECT_EQ(again.getFactors(0).front().getSymbol(), name);
}

TEST(Layout, RejectsBrokenQuotes) {
  llvm::StringRef head = "Tensor as (0:0,0:1) split 0=2*";
  for (llvm::StringRef tail :
       {"\"", "\"\"", "\"a", "\"a\\\"", "\"\\g0\"", "\"\\0"})
    EXPECT_NE(getParseError((head + tail).str()), "") << tail.str();
}

TEST(Layout, DropsAnOrderThatIsRowMajor) {
  EXPECT_EQ(parse("NCHW as NCHW"), parse("NCHW"));
  EXPECT_EQ(parse("Tensor as (0,1,2)"), Layout::getTensor());
  EXPECT_EQ(parse("Tensor as ()"), Layout::getTensor());
  EXPECT_EQ(parse("NTensor as (0)"), Layout::getNTensor());
  EXPECT_EQ(parse("Tensor as (0,1:1,1:0) split 1=8*8"), Layout::getTensor());
}

TEST(Layout, KeepsABlockedOrderThatLooksRowMajor) {
  EXPECT_EQ(parse("NCHW as NC1C0HW block 4").str(), "NCHW as NC1C0HW block 4");
}

TEST(Layout, RejectsUnknownAxes) {
  EXPECT_EQ(getParseError(""),
            "expected axes, Tensor or NTensor, found the end");
  EXPECT_EQ(getParseError("(0,1)"),
            "expected axes, Tensor or NTensor, found '(0,1)'");
  EXPECT_EQ(getParseError("nchw"),
            "axes must be upper-case letters, found 'nchw'");
  EXPECT_EQ(getParseError("NCHH"), "axis H occurs twice in NCHH");
  EXPECT_EQ(getParseError("NHW"),
            "axes must have either N and C or O and I, found 'NHW'");
  EXPECT_EQ(getParseError("NCOI"),
            "axes must have either N and C or O and I, found 'NCOI'");
}

TEST(Layout, LettersOfBothSidesMustMatch) {
  EXPECT_EQ(getParseError("NCHW as NHWD"),
            "storage order NHWD has 'D', which is no axis of NCHW");
  EXPECT_EQ(getParseError("NCHW as NHC"), "storage order lacks axis W");
  EXPECT_EQ(getParseError("NCHW as NHWCC"),
            "axis C occurs more than once in the storage order, not as "
            "numbered factors");
  EXPECT_EQ(getParseError("NCHW as"),
            "expected a storage order such as NHWC, found the end");
  EXPECT_EQ(getParseError("NCHW as (0,1)"),
            "expected a storage order such as NHWC, found '(0,1)'");
}

TEST(Layout, NumbersMustBeAPermutation) {
  EXPECT_EQ(getParseError("Tensor as (0,2)"),
            "dimension 2 is out of range for a storage order of 2 atoms");
  EXPECT_EQ(getParseError("Tensor as (0,2,2)"),
            "dimension 2 occurs more than once in the storage order, not as "
            "numbered factors");
  EXPECT_EQ(getParseError("Tensor as (1,2:1,2:0) block 2"),
            "storage order lacks dimension 0");
  EXPECT_EQ(getParseError("Tensor as (-1)"), "number -1 is out of range");
  EXPECT_EQ(getParseError("Tensor as (4294967296)"),
            "number 4294967296 is out of range");
  EXPECT_EQ(getParseError("Tensor as (0,1"),
            "expected ',' or ')', found the end");
  EXPECT_EQ(getParseError("Tensor as NCHW"),
            "expected a storage order such as (0,2,1), found 'NCHW'");
}

TEST(Layout, FactorsAreNumberedWithoutGaps) {
  EXPECT_EQ(getParseError("NCHW as NC2HWC0 block 16"),
            "storage order lacks factor 1 of axis C");
  EXPECT_EQ(getParseError("NCHW as NC1HWC1 block 16"),
            "storage order lacks factor 0 of axis C");
  EXPECT_EQ(getParseError("NCHW as NC0HWC0 block 16"),
            "factor 0 of axis C occurs twice in the storage order");
  EXPECT_EQ(getParseError("NCHW as NC0HW"),
            "axis C is whole in the storage order, found factor 0 of it");
  EXPECT_EQ(getParseError("NCHW as NC1HWC block 16"),
            "axis C occurs more than once in the storage order, not as "
            "numbered factors");
  EXPECT_EQ(getParseError("NCHW as NC99999999999HWC0 block 16"),
            "factor is out of range in storage order NC99999999999HWC0");
}

TEST(Layout, SizesMustFitTheOrder) {
  EXPECT_EQ(getParseError("NCHW as NC1HWC0"),
            "storage order divides axis C, which has no block or split sizes");
  EXPECT_EQ(getParseError("NCHW as NHWC block 16"),
            "storage order divides nothing into blocks of 16");
  EXPECT_EQ(getParseError("NCHW as NHWC block C=16"),
            "storage order does not divide axis C, which has sizes");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block C=4*4"),
            "storage order divides axis C into 2, its sizes into 3");
  EXPECT_EQ(getParseError("NCHW as NC2HWC1C0 block 16"),
            "storage order divides axis C into 3, its sizes into 2");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 split C=16"),
            "storage order divides axis C into 2, its sizes into 1");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block C=4, C=4"),
            "sizes of axis C are given twice");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block 4 block 4"),
            "block size is given twice");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block D=4"),
            "expected an axis of NCHW, found 'D=4'");
}

TEST(Layout, BlockSizesMustBePositive) {
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block 0"),
            "sizes of axis C must be positive, found 0");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block -16"),
            "sizes of axis C must be positive, found -16");
  EXPECT_EQ(getParseError("Tensor as (0:0,0:1) split 0=0*4"),
            "sizes of dimension 0 must be positive, found 0");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block 1"), "");
}

TEST(Layout, SizesMustNotOverflow) {
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block 99999999999999999999"),
            "expected an integer of 64 bits, found '99999999999999999999'");
  EXPECT_EQ(getParseError("Tensor as (0:0,0:1) split 0=4294967296*4294967296"),
            "product of the sizes of dimension 0 overflows");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block 9223372036854775807"), "");
}

TEST(Layout, OrdersAreBounded) {
  std::string text = "Tensor as (0";
  for (int dim = 1; dim != 100000; ++dim)
    text += "," + std::to_string(dim);
  llvm::StringRef message =
      "storage order must have at most 64 atoms, found more";
  EXPECT_EQ(getParseError(text + ")"), message);
  EXPECT_EQ(getParseError("NCHW as " + std::string(100000, 'C')), message);
}

TEST(Layout, PaddingNeedsABlock) {
  EXPECT_EQ(getParseError("NCHW as NHWC pad zero"),
            "padding is stated, but nothing is blocked");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 split C=2*8 pad zero"),
            "padding is stated, but nothing is blocked");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block 8 pad one"),
            "expected 'zero' or 'any', found 'one'");
  EXPECT_EQ(getParseError("NCHW as NC1HWC0 block 8 pad any pad any"),
            "padding is given twice");
}

TEST(Layout, OmittedPaddingPromisesNothing) {
  EXPECT_EQ(parse("NCHW as NC1HWC0 block 8").getPadding(), Padding::Any);
  EXPECT_EQ(parse("NCHW as NC1HWC0 block 8 pad any").str(),
            "NCHW as NC1HWC0 block 8");
  EXPECT_EQ(parse("NCHW as NC1HWC0 block 8 pad zero").getPadding(),
            Padding::Zero);
}

TEST(Layout, PaddingIsPartOfTheOrder) {
  Layout any = parse("NCHW as NC1HWC0 block 8");
  Layout zero = parse("NCHW as NC1HWC0 block 8 pad zero");
  EXPECT_NE(any.getOrder(), zero.getOrder());
  EXPECT_EQ(withPadding(zero.getOrder(), Padding::Any),
            AtomSequence(any.getOrder()));
  EXPECT_EQ(withPadding(any.getOrder(), Padding::Zero),
            AtomSequence(zero.getOrder()));
  EXPECT_TRUE(isBlocked(zero.getOrder()));
  EXPECT_EQ(getPadding(zero.getOrder()), Padding::Zero);
  // Nothing is known of padding that there is none of.
  Layout split = parse("NCHW as NC1HWC0 split C=4*8");
  EXPECT_FALSE(isBlocked(split.getOrder()));
  EXPECT_EQ(getPadding(split.getOrder()), Padding::Any);
  EXPECT_EQ(withPadding(split.getOrder(), Padding::Zero),
            AtomSequence(split.getOrder()));
}

TEST(Layout, FullBlocksAreFactors) {
  AtomSequence blocked(parse("NCHW as NC1HWC0 block 8 pad zero").getOrder());
  EXPECT_EQ(resolveBlocks(blocked, {1, 32, 5, 5}),
            AtomSequence(parse("NCHW as NC1HWC0 split C=4*8").getOrder()));
  EXPECT_EQ(resolveBlocks(blocked, {1, 30, 5, 5}), blocked);
  EXPECT_EQ(resolveBlocks(blocked, {1, dynamicExtent, 5, 5}), std::nullopt);
  EXPECT_EQ(resolveBlocks(blocked, {dynamicExtent, 30, 5, 5}), blocked);
  EXPECT_EQ(resolveBlocks({}, {1, dynamicExtent}), AtomSequence());
  EXPECT_EQ(getPaddedShape(blocked, {1, 30, 5, 5}),
            (llvm::SmallVector<int64_t>{1, 32, 5, 5}));
  EXPECT_EQ(getPaddedShape({}, {1, 30}), (llvm::SmallVector<int64_t>{1, 30}));
  EXPECT_EQ(getPaddedShape(blocked, {1, dynamicExtent, 5, 5}),
            (llvm::SmallVector<int64_t>{1, dynamicExtent, 5, 5}));
}

TEST(Layout, RejectsTrailingText) {
  EXPECT_EQ(getParseError("NCHW NHWC"),
            "expected 'as', 'block', 'split' or 'pad', found 'NHWC'");
  EXPECT_EQ(getParseError("NCHW as NHWC, 3"),
            "expected 'block', 'split' or 'pad', found ', 3'");
}

/// Every prefix and every change of one character parses to something that
/// prints as itself, or is refused.
TEST(Layout, DamagedTextIsRefusedOrMeansSomething) {
  llvm::StringRef text = "OIHW as I1HWO1O0I0 block O=16, I=\"a\\22\" pad zero";
  llvm::StringRef alphabet = "A0 \"\\=*,():-x";
  auto check = [](llvm::StringRef damaged) {
    auto layout = Layout::parse(damaged);
    if (!layout)
      return llvm::consumeError(layout.takeError());
    EXPECT_EQ(parse(layout->str()), *layout) << damaged.str();
  };
  for (size_t i = 0; i != text.size(); ++i) {
    check(text.take_front(i));
    for (char c : alphabet) {
      std::string damaged = text.str();
      damaged[i] = c;
      check(damaged);
    }
  }
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

TEST(Layout, ClassFollowsFromAxes) {
  EXPECT_EQ(parse("NCHW").getClass(), LayoutClass::Feature);
  EXPECT_EQ(parse("NHWC").getClass(), LayoutClass::Feature);
  EXPECT_EQ(parse("OIHW").getClass(), LayoutClass::Weight);
  EXPECT_EQ(parse("IOW as WOI").getClass(), LayoutClass::Weight);
  EXPECT_EQ(parse("NTensor").getClass(), LayoutClass::NTensor);
  EXPECT_EQ(parse("Tensor").getClass(), LayoutClass::Tensor);
}

TEST(Layout, RankIsKnownUnlessAnyWillDo) {
  EXPECT_EQ(parse("NCW").getRank(), 3u);
  EXPECT_EQ(parse("NCHW as NC1HWC0 block 16").getRank(), 4u);
  EXPECT_EQ(parse("Tensor as (0,2,1)").getRank(), 3u);
  EXPECT_EQ(parse("Tensor as (0,1:0,1:1) split 1=2*3").getRank(), 2u);
  EXPECT_EQ(parse("Tensor").getRank(), std::nullopt);
  EXPECT_EQ(parse("NTensor").getRank(), std::nullopt);
}

TEST(Layout, PermutationGivesTheDimensionOfEachPosition) {
  EXPECT_EQ(parse("NCHW as NHWC").getPermutation(4), Permutation({0, 2, 3, 1}));
  EXPECT_EQ(parse("OIHW as HWOI").getPermutation(4), Permutation({2, 3, 0, 1}));
  EXPECT_EQ(parse("Tensor as (1,2,0)").getPermutation(3),
            Permutation({1, 2, 0}));
  EXPECT_EQ(parse("Tensor").getPermutation(2), Permutation({0, 1}));
}

TEST(Layout, DividedDimensionsAreNoPermutation) {
  EXPECT_FALSE(parse("NCHW as NC1HWC0 block 16").getPermutation(4));
  EXPECT_FALSE(parse("Tensor as (0,1:0,1:1) split 1=2*3").getPermutation(2));
}

TEST(Layout, OnlyUndividedNaturalOrderIsRowMajor) {
  EXPECT_TRUE(parse("NCHW").isRowMajor());
  EXPECT_TRUE(parse("Tensor").isRowMajor());
  EXPECT_FALSE(parse("NCHW as NHWC").isRowMajor());
  EXPECT_FALSE(parse("NCHW as NC1C0HW block 4").isRowMajor());
}

TEST(Layout, OnlyBlocksPad) {
  EXPECT_TRUE(parse("NCHW as NC1HWC0 block 16").isBlocked());
  EXPECT_FALSE(parse("NCHW as NC1HWC0 split C=2*8").isBlocked());
  EXPECT_FALSE(parse("NCHW as NHWC").isBlocked());
}

TEST(Layout, EqualLayoutsHashAlike) {
  for (llvm::StringRef text : {"NCHW", "NCHW as NC1HWC0 block 16",
                               "Tensor as (0:0,0:1) split 0=H*W"}) {
    EXPECT_EQ(parse(text), parse(text));
    EXPECT_EQ(hash_value(parse(text)), hash_value(parse(text)));
  }
}

TEST(Layout, DifferentLayoutsAreUnequal) {
  llvm::StringRef texts[] = {"NCHW",
                             "NHWC",
                             "NCHW as NHWC",
                             "NCHW as NC1HWC0 block 16",
                             "NCHW as NC1HWC0 block 32",
                             "NCHW as NC1HWC0 block 16 pad zero",
                             "NCHW as NC1HWC0 split C=2*16",
                             "Tensor",
                             "NTensor",
                             "Tensor as (0,2,3,1)",
                             "NTensor as (0,2,3,1)",
                             "Tensor as (0:0,0:1) split 0=H*W",
                             "Tensor as (0:0,0:1) split 0=W*H"};
  for (llvm::StringRef a : texts)
    for (llvm::StringRef b : texts)
      EXPECT_EQ(parse(a) == parse(b), a == b) << a.str() << ", " << b.str();
}

TEST(Layout, CheckedWhenBuiltFromAtoms) {
  auto build = [](AtomSequence atoms, Padding padding = Padding::Any) {
    auto layout = Layout::getNamed("NC", std::move(atoms), padding);
    return layout ? layout->str() : llvm::toString(layout.takeError());
  };
  auto two = AtomExtent::of(2);
  EXPECT_EQ(build({{1}, {0}}), "NC as CN");
  EXPECT_EQ(build({{1, 1}, {0}, {1, 0, two}}), "NC as C1NC0 block 2");
  EXPECT_EQ(build({{1}}), "storage order lacks axis N");
  EXPECT_EQ(build({{2}, {0}, {1}}),
            "dimension 2 is out of range for a storage order of 3 atoms");
  EXPECT_EQ(build({{1, 0, two}, {0}}), "axis C is divided into one factor");
  EXPECT_EQ(build({{1, 1, two}, {0}, {1, 0}}),
            "factor 0 of axis C has no extent");
  EXPECT_EQ(build({{1}, {0}}, Padding::Zero),
            "padding is stated, but nothing is blocked");
  EXPECT_EQ(build(AtomSequence(65)),
            "storage order must have at most 64 atoms, found 65");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

TEST(Layout, RankMustFit) {
  EXPECT_EQ(getShapeError("NCHW", {1, 64, 56}),
            "layout NCHW needs rank 4, found 3");
  EXPECT_EQ(getShapeError("Tensor as (0,2,3,1)", {}),
            "layout Tensor as (0,2,3,1) needs rank 4, found 0");
  EXPECT_EQ(getShapeError("NCHW as NC1HWC0 block 16", {1, 4, 56, 56, 16}),
            "layout NCHW as NC1HWC0 block 16 needs rank 4, found 5");
  EXPECT_EQ(getShapeError("NCHW", {1, 64, 56, dynamicExtent}), "");
  EXPECT_EQ(getShapeError("Tensor", {}), "");
  EXPECT_EQ(getShapeError("NTensor", {2, 3}), "");
}

TEST(Layout, SplitDimensionsMustBeTheProduct) {
  llvm::StringRef split = "Tensor as (0,1:1,1:0,1:2) split 1=64*7*7";
  EXPECT_EQ(getShapeError(split, {1, 3136}), "");
  EXPECT_EQ(getShapeError(split, {1, dynamicExtent}), "");
  EXPECT_EQ(getShapeError(split, {1, 3135}),
            "layout " + split.str() +
                " needs dimension 1 of extent 3136, found 3135");
  EXPECT_EQ(getShapeError("NC as NC0C1 split C=H*3", {1, 6}), "");
  EXPECT_EQ(getShapeError("NC as NC0C1 split C=H*3", {1, 7}),
            "layout NC as NC0C1 split C=H*3 needs axis C of extent a multiple "
            "of 3, found 7");
}

TEST(Layout, BlockedDimensionsMayHaveAnyExtent) {
  for (int64_t extent : {int64_t(0), int64_t(1), int64_t(50), dynamicExtent})
    EXPECT_EQ(getShapeError("NCHW as NC1HWC0 block 16", {1, extent, 7, 7}), "");
}

TEST(Layout, PhysicalShapeIncludesPadding) {
  EXPECT_EQ(parse("NCHW as NHWC").getPhysicalShape({1, 64, 7, 5}),
            Shape({1, 7, 5, 64}));
  EXPECT_EQ(parse("NCHW as NC1HWC0 block 16").getPhysicalShape({1, 50, 7, 7}),
            Shape({1, 4, 7, 7, 16}));
  EXPECT_EQ(parse("NCHW as NC1HWC0 block 16").getPhysicalShape({1, 0, 7, 7}),
            Shape({1, 0, 7, 7, 16}));
  EXPECT_EQ(parse("OIHW as I1HWO1O0I0 block O=16, I=32")
                .getPhysicalShape({20, 3, 3, 5}),
            Shape({1, 3, 5, 2, 16, 32}));
  EXPECT_EQ(parse("OIHW as O1I2HWI1O0I0 block O=16, I=4*2")
                .getPhysicalShape({20, 17, 3, 3}),
            Shape({2, 3, 3, 3, 4, 16, 2}));
  EXPECT_EQ(parse("Tensor").getPhysicalShape({2, 3}), Shape({2, 3}));
}

TEST(Layout, UnknownExtentsStayUnknown) {
  int64_t unknown = dynamicExtent;
  EXPECT_EQ(parse("NCHW as NHWC").getPhysicalShape({unknown, 64, unknown, 5}),
            Shape({unknown, unknown, 5, 64}));
  EXPECT_EQ(
      parse("NCHW as NC1HWC0 block 16").getPhysicalShape({1, unknown, 7, 7}),
      Shape({1, unknown, 7, 7, 16}));
  EXPECT_EQ(parse("Tensor as (0,1:1,1:0,1:2) split 1=64*H*7")
                .getPhysicalShape({1, unknown}),
            Shape({1, unknown, 7, 64}));
  EXPECT_EQ(parse("NC as C1NC0 block C=K").getPhysicalShape({1, 64}),
            Shape({unknown, 1, unknown}));
}

TEST(Layout, ExtremeExtentsDoNotOverflow) {
  EXPECT_EQ(parse("NC as C1NC0 block 9223372036854775807")
                .getPhysicalShape({1, INT64_MAX}),
            Shape({1, 1, INT64_MAX}));
  EXPECT_EQ(parse("NC as C1NC0 block 2").getPhysicalShape({1, INT64_MAX}),
            Shape({INT64_MAX / 2 + 1, 1, 2}));
}
