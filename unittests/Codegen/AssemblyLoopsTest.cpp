//===- AssemblyLoopsTest.cpp - Faults of loops are found ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssemblyLoops.h"
#include <gtest/gtest.h>

using namespace inlay::testing;

// Two sums, of which neither leaves its register; what is around the loop may
// do as it likes.
TEST(AssemblyLoops, FindsProductsOfArm) {
  auto loops = findProductLoops(R"(kernel:
	str	q8, [sp, #16]
.LBB0_1:                                // %outer
	ldr	q1, [sp, #16]                   // 16-byte Folded Reload
	fmul	v3.4s, v1.4s, v1.4s
.LBB0_2:                                // =>  This Inner Loop Header
	ldr	q0, [x8, x9, lsl #2]
	ldp	q1, q2, [x10], #32
	fmla	v16.4s, v1.4s, v0.s[0]
	fmla	v17.4s, v2.4s, v0.s[0]
	add	x9, x9, #1
	cmp	x9, x11
	b.lt	.LBB0_2
	fadd	v3.4s, v3.4s, v1.4s
	cbnz	x12, .LBB0_1
	ret
)",
                                /*isArm=*/true);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].products, 2u);
  EXPECT_EQ(loops[0].sums, 2u);
  EXPECT_TRUE(loops[0].spills.empty());
  EXPECT_TRUE(loops[0].splits.empty());
}

TEST(AssemblyLoops, FindsSpillsOfArm) {
  auto loops = findProductLoops(R"(
	add	x29, sp, #128
.LBB0_2:
	ldr	q0, [x8], #16
	ldr	q17, [sp, #32]                  // 16-byte Folded Reload
	fmla	v16.4s, v1.4s, v0.s[0]
	fmla	v17.4s, v2.4s, v0.s[0]
	stur	q17, [x29, #-64]                // 16-byte Folded Spill
	ldr	x9, [sp, #8]
	subs	x11, x11, #1
	b.ne	.LBB0_2
)",
                                /*isArm=*/true);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].sums, 1u);
  EXPECT_EQ(loops[0].spills.size(), 2u);
  EXPECT_EQ(loops[0].scalarReloads, 1u);
}

// A register that may point to the frame has other uses where nobody asked for
// that.
TEST(AssemblyLoops, KnowsWhatPointsToTheFrame) {
  for (bool hasPointer : {false, true}) {
    std::string text = hasPointer ? "\tmovq\t%rsp, %rbp\n" : "\n";
    text += R"(
.LBB0_2:
	vmovups	960(%rbp), %ymm1
	vfmadd231ps	%ymm1, %ymm2, %ymm4
	jne	.LBB0_2
)";
    auto loops = findProductLoops(text, /*isArm=*/false);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].spills.size(), hasPointer ? 1u : 0u);
  }
}

// What a product and a sum make where nothing fuses them: no product is left.
TEST(AssemblyLoops, FindsSplitProductsOfArm) {
  auto loops = findProductLoops(R"(
.LBB0_2:
	ldr	q0, [x8], #16
	fmul	v2.4s, v1.4s, v0.s[0]
	fadd	v16.4s, v16.4s, v2.4s
	subs	x11, x11, #1
	b.ne	.LBB0_2
)",
                                /*isArm=*/true);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].products, 0u);
  EXPECT_EQ(loops[0].splits.size(), 1u);
}

// A transform adds and multiplies, and sums nothing over its turns.
TEST(AssemblyLoops, LeavesOtherSumsAlone) {
  auto loops = findProductLoops(R"(
.LBB0_2:
	ldr	q0, [x8], #16
	fmul	v2.4s, v1.4s, v0.4s
	fadd	v3.4s, v2.4s, v0.4s
	fmla	v3.4s, v0.4s, v4.4s
	str	q3, [sp, x9]
	add	x9, x9, #16
	subs	x11, x11, #1
	b.ne	.LBB0_2
)",
                                /*isArm=*/true);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].sums, 0u);
  EXPECT_TRUE(loops[0].splits.empty());
  EXPECT_TRUE(loops[0].spills.empty());
}

TEST(AssemblyLoops, FindsProductsOfX86) {
  auto loops = findProductLoops(R"(kernel:
.LBB0_2:                                # =>  This Inner Loop Header
	vmovups	(%rsi,%rax,4), %ymm0
	vbroadcastss	(%rsp,%rax,4), %ymm2
	vfmadd231ps	%ymm0, %ymm2, %ymm4
	vfmadd231ps	32(%rsi,%rax,4), %ymm2, %ymm5
	incq	%rax
	cmpq	%rax, %rcx
	jne	.LBB0_2
	retq
)",
                                /*isArm=*/false);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].products, 2u);
  EXPECT_EQ(loops[0].sums, 2u);
  EXPECT_TRUE(loops[0].spills.empty());
  EXPECT_TRUE(loops[0].splits.empty());
}

TEST(AssemblyLoops, FindsSpillsAndSplitProductsOfX86) {
  auto loops = findProductLoops(R"(
.LBB0_2:
	vbroadcastss	(%rdi,%rax,4), %zmm2
	vfmadd231ps	64(%rsp), %zmm2, %zmm4  # 64-byte Folded Reload
	vmovups	%zmm7, 128(%rsp)                # 64-byte Spill
	vmulps	(%rsi), %zmm2, %zmm6
	vaddps	%zmm6, %zmm5, %zmm5
	movq	8(%rsp), %rdx                   # 8-byte Reload
	jne	.LBB0_2
)",
                                /*isArm=*/false);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].spills.size(), 2u);
  EXPECT_EQ(loops[0].splits.size(), 1u);
  EXPECT_EQ(loops[0].scalarReloads, 1u);
}
