//===- ComputedFormCases.cpp - Operators with computed parameters ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredFormCases.h"

using namespace inlay::testing;
using Cases = std::vector<FormCase>;

/// Axes, pads and sizes as operands, and lists of a length that is not known.
static Cases getComputedCuts() {
  return {
      {.op = "slice",
       .operands = {"7 6 C f32", "2 i64", "2 i64", "2 i64", "2 i64"},
       .text = "%a starts %b ends %c axes %d steps %e",
       .values = {{1, {4, 5}}, {2, {1, 9}}, {3, {0, -2}}, {4, {-2, 1}}}},
      {.op = "slice",
       .operands = {"7 6 C f32", "2 i32"},
       .text = "%a axes %b {starts = array<i64: 1, 0>, ends = array<i64: 5, "
               "1>}",
       .values = {{1, {-2, -1}}}},
      {.op = "slice",
       .operands = {"7 6 C f32", "?2 i64", "?2 i64"},
       .text = "%a starts %b ends %c",
       .values = {{1, {1, 2}}, {2, {4, 3}}}},
      {.op = "slice",
       .operands = {"7 6 C f32", "?0 i32", "?0 i32"},
       .text = "%a starts %b ends %c",
       .values = {{1, {}}, {2, {}}}},
      {.op = "pad",
       .operands = {"A B C f32", "6 i64"},
       .text = "%a pads %b",
       .values = {{1, {0, 1, 2, 3, 0, 1}}}},
      {.op = "pad",
       .operands = {"A 3 4 f32", "?6 i64"},
       .text = "%a pads %b {mode = \"reflect\"}",
       .values = {{1, {0, 1, 2, 0, 2, -1}}}},
      {.op = "pad",
       .operands = {"A B C f32", "4 i64", "f32", "2 i32"},
       .text = "%a pads %b value %c axes %d",
       .opset = 18,
       .values = {{1, {1, 2, 0, 3}}, {3, {-1, 1}}}},
  };
}

static Cases getComputedReductions() {
  Cases cases = {
      {.op = "reduce_max",
       .operands = {"A B C D f32", "2 i64"},
       .text = "%a, axes %b",
       .values = {{1, {-1, 1}}}},
      {.op = "reduce_sum",
       .operands = {"A B C f32", "?0 i64"},
       .text = "%a, axes %b {noop_with_empty_axes = 1 : i64}",
       .values = {{1, {}}}},
      {.op = "reduce_sum",
       .operands = {"A B C f32", "?0 i64"},
       .text = "%a, axes %b",
       .values = {{1, {}}}},
      {.op = "reduce_sum",
       .operands = {"A B C f32", "2 i64"},
       .text = "%a, axes %b {keepdims = 0 : i64}",
       .values = {{1, {2, -3}}}},
  };
  for (const char *axis : {"i64", "1 i32"})
    cases.push_back({.op = "cumsum",
                     .operands = {"A B C f32", axis},
                     .text = "%a, axis %b {exclusive = 1 : i64}",
                     .values = {{1, {-2}}}});
  return cases;
}

/// Before `axes` entries are brought into another order, later they are said to
/// belong to other dimensions.
static Cases getComputedResizes() {
  Cases cases;
  for (unsigned opset : {13, 18}) {
    cases.push_back({.op = "resize",
                     .operands = {"A B C f32", "3 f32"},
                     .text = "%a scales %b",
                     .opset = opset,
                     .values = {{1, {1, 2, 3}}}});
    cases.push_back({.op = "resize",
                     .operands = {"4 3 5 f32", "0 f32", "3 i64"},
                     .text = "%a scales %b sizes %c",
                     .opset = opset,
                     .values = {{1, {}}, {2, {4, 7, 2}}}});
  }
  cases.push_back(
      {.op = "resize",
       .operands = {"4 3 5 f32", "6 f32", "3 i64"},
       .text = "%a roi %b sizes %c {coordinate_transformation_mode = "
               "\"tf_crop_and_resize\", extrapolation_value = 7.0 : f32}",
       .values = {{1, {0, 0.25, 0.5, 1, 0.75, 1.5}}, {2, {4, 2, 6}}}});
  return cases;
}

Cases inlay::testing::getComputedCases() {
  Cases cases = getComputedCuts();
  for (const Cases &more : {getComputedReductions(), getComputedResizes()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}
