//===- StoredFormCases.cpp - Operators to build permuted ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredFormCases.h"

using namespace inlay::testing;
using Cases = std::vector<FormCase>;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Cases inlay::testing::getElementwiseCases() {
  Cases cases;
  for (const char *op :
       {"abs",          "neg",        "sign",     "ceil",
        "floor",        "round",      "sqrt",     "exp",
        "log",          "reciprocal", "erf",      "sin",
        "cos",          "tan",        "asin",     "acos",
        "atan",         "sinh",       "cosh",     "tanh",
        "asinh",        "acosh",      "atanh",    "sigmoid",
        "relu",         "softplus",   "softsign", "hard_swish",
        "mish",         "identity",   "elu",      "leaky_relu",
        "selu",         "celu",       "gelu",     "thresholded_relu",
        "hard_sigmoid", "shrink",     "swish"})
    cases.push_back({op, {"A B C f32"}, "%a"});
  for (const char *op : {"is_nan", "is_inf"})
    cases.push_back({op, {"A B C f32"}, "%a", {"i1"}});
  cases.push_back({"not", {"A B C i1"}, "%a", {"i1"}});
  cases.push_back({"bitwise_not", {"A B C i32"}, "%a", {"i32"}});
  for (const char *op : {"add", "sub", "mul", "div", "pow"}) {
    cases.push_back({op, {"A B C f32", "A B C f32"}, "%a, %b"});
    cases.push_back({op, {"A B C D f32", "B 1 1 f32"}, "%a, %b"});
    cases.push_back({op, {"C D f32", "A B C D f32"}, "%a, %b"});
  }
  cases.push_back({"add", {"A B C D f32", "C 1 f32"}, "%a, %b"});
  cases.push_back({"add", {"A B C f32", "f32"}, "%a, %b"});
  cases.push_back({"add", {"A B C f32", "1 f32"}, "%a, %b"});
  cases.push_back({"add", {"A 1 C f32", "A B 1 f32"}, "%a, %b"});
  cases.push_back({"add", {"A B C f32", "1 1 1 1 f32"}, "%a, %b"});
  cases.push_back({"add", {"A B C f32", "SAME"}, "%a, %a"});
  for (const char *op : {"and", "or", "xor"})
    cases.push_back({op, {"A B C i1", "B 1 i1"}, "%a, %b", {"i1"}});
  for (const char *op : {"bitwise_and", "bitwise_or", "bitwise_xor"})
    cases.push_back({op, {"A B C i32", "B C i32"}, "%a, %b", {"i32"}});
  cases.push_back({"mod", {"A B C f32", "B C f32"}, "%a, %b {fmod = 1 : i64}"});
  cases.push_back({"bit_shift",
                   {"A B C ui8", "B C ui8"},
                   "%a, %b {direction = \"LEFT\"}",
                   {"ui8"}});
  for (const char *op :
       {"equal", "less", "less_or_equal", "greater", "greater_or_equal"})
    cases.push_back({op, {"A B C f32", "B 1 f32"}, "%a, %b", {"i1"}});
  for (const char *op : {"sum", "mean", "max", "min"}) {
    cases.push_back({op, {"A B C f32", "B 1 f32", "f32"}, "%a, %b, %c"});
    cases.push_back({op, {"A B C f32"}, "%a"});
  }
  cases.push_back({"where", {"B 1 i1", "A B C f32", "C f32"}, "%a, %b, %c"});
  cases.push_back({"where", {"A B C i1", "f32", "A 1 C f32"}, "%a, %b, %c"});
  cases.push_back({"prelu", {"A B C D f32", "B 1 1 f32"}, "%a, %b"});
  cases.push_back({"prelu", {"A B C D f32", "f32"}, "%a, %b"});
  cases.push_back({"prelu", {"A B 13 f32", "B f32"}, "%a, %b"});
  cases.push_back({"prelu", {"A 13 C f32", "C f32"}, "%a, %b"});
  cases.push_back({"clip", {"A B C f32"}, "%a"});
  cases.push_back({"clip", {"A B C f32", "f32", "1 f32"}, "%a min %b max %c"});
  cases.push_back({"clip", {"A B C f32", "f32"}, "%a max %b"});
  cases.push_back({"dropout", {"A B C f32"}, "%a", {"f32", "i1"}});
  cases.push_back({"cast", {"A B C f32"}, "%a {to = 7 : i64}", {"i64"}});
  cases.push_back({"cast_like", {"A B C f32", "D E i64"}, "%a, %b", {"i64"}});
  return cases;
}

Cases inlay::testing::getQuantizeCases() {
  return {
      {"quantize_linear", {"A B C f32", "f32", "i8"}, "%a, %b, %c", {"i8"}},
      {"quantize_linear",
       {"A B C f32", "1 f32", "1 i8"},
       "%a, %b, %c {axis = -1 : i64}",
       {"i8"}},
      {"quantize_linear", {"A B C f32", "B f32", "B i8"}, "%a, %b, %c", {"i8"}},
      {"quantize_linear",
       {"A B C f32", "C f32", "C i8"},
       "%a, %b, %c {axis = -1 : i64}",
       {"i8"}},
      {"quantize_linear",
       {"A 6 C f32", "A 2 C f32", "A 2 C i8"},
       "%a, %b, %c {axis = 1 : i64, block_size = 3 : i64}",
       {"i8"}},
      {"dequantize_linear", {"A B C i8", "f32"}, "%a, %b"},
      {"dequantize_linear",
       {"A B C i8", "A f32", "A i8"},
       "%a, %b, %c {axis = 0 : i64}"},
      {"dequantize_linear", {"A 6 C i8", "6 f32"}, "%a, %b"},
      {"dequantize_linear",
       {"A B 6 i8", "A B 3 f32"},
       "%a, %b {axis = -1 : i64, block_size = 2 : i64}"},
      {"dynamic_quantize_linear", {"A B C f32"}, "%a", {"ui8", "f32", "ui8"}},
  };
}

//===----------------------------------------------------------------------===//
// Operators of com.microsoft
//===----------------------------------------------------------------------===//

Cases inlay::testing::getContributedCases() {
  Cases cases;
  for (const char *op : {"qlinear_add", "qlinear_mul"}) {
    cases.push_back({op,
                     {"A B C i8", "f32", "B 1 i8", "f32", "f32"},
                     "%a scale %b, %c scale %d, to scale %e",
                     {"i8"}});
    cases.push_back({op,
                     {"A B C i8", "f32", "i8", "A B C i8", "1 f32", "f32"},
                     "%a scale %b zero_point %c, %d scale %e, to scale %f",
                     {"i8"}});
  }
  for (const char *op : {"qlinear_sigmoid", "qlinear_leaky_relu"})
    cases.push_back({op,
                     {"A B C i8", "f32", "f32", "i8"},
                     "%a scale %b, to scale %c zero_point %d",
                     {"i8"}});
  cases.push_back(
      {"qlinear_softmax",
       {"A B C i8", "f32", "f32"},
       "%a scale %b, to scale %c {axis = 1 : i64, opset = 13 : i64}",
       {"i8"}});
  for (const char *last : {"0", "1"}) {
    std::string text = "%a scale %b, to scale %c {channels_last = ";
    text += last;
    cases.push_back({"qlinear_average_pool",
                     {"A 5 6 7 i8", "f32", "f32"},
                     text + " : i64, kernel_shape = array<i64: 2, 3>}",
                     {"i8"}});
    cases.push_back({"qlinear_global_average_pool",
                     {"A B C D i8", "f32", "f32"},
                     text + " : i64}",
                     {"i8"}});
  }
  cases.push_back(
      {"qlinear_concat",
       {"f32", "i8", "A B C i8", "f32", "i8", "A D C i8", "f32", "i8"},
       "%c, %d, %e, %f, %g, %h to scale %a zero_point %b {axis = 1 : i64}",
       {"i8"}});
  cases.push_back({"fast_gelu", {"A B C f32"}, "%a"});
  cases.push_back({"fast_gelu", {"A B C f32", "C f32"}, "%a, %b"});
  cases.push_back({"bias_gelu", {"A B C f32", "C f32"}, "%a, %b"});
  cases.push_back({"skip_layer_normalization",
                   {"A B C f32", "A B C f32", "C f32", "C f32"},
                   "%a, %b, %c beta %d",
                   {"f32", "f32", "f32", "f32"}});
  cases.push_back({"multi_head_attention",
                   {"A B 6 f32", "A 2 C 3 f32", "A 2 C 3 f32"},
                   "%a, %b, %c {num_heads = 2 : i64}"});
  return cases;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Cases inlay::testing::getViewCases() {
  return {
      {"transpose", {"A B C f32"}, "%a {perm = array<i64: 1, 2, 0>}"},
      {"transpose", {"A B C D f32"}, "%a {perm = array<i64: 0, 2, 3, 1>}"},
      {"transpose", {"A B C f32"}, "%a"},
      {"transpose", {"A 1 C f32"}, "%a {perm = array<i64: 1, 0, 2>}"},
      {"transpose", {"A B f32"}, "%a {perm = array<i64: 0, 1>}"},
      {"reshape", {"A B C D f32"}, "%a {shape = array<i64: 0, 0, -1>}"},
      {"reshape", {"A 6 C D f32"}, "%a {shape = array<i64: 0, 2, 3, $C, $D>}"},
      {"reshape", {"A 2 3 C f32"}, "%a {shape = array<i64: 0, 6, $C>}"},
      {"reshape", {"4 1 4 f32"}, "%a {shape = array<i64: 1, 4, 4>}"},
      {"reshape", {"A B C f32"}, "%a {shape = array<i64: 0, 1, 0, -1>}"},
      {"flatten", {"A B C D f32"}, "%a"},
      {"flatten", {"A B C f32"}, "%a {axis = -1 : i64}"},
      {"flatten", {"A B C f32"}, "%a {axis = 2 : i64}"},
      {"squeeze", {"A 1 B 1 f32"}, "%a {axes = array<i64: -1, 1>}"},
      {"squeeze", {"A 1 B C f32"}, "%a {axes = array<i64: 1>}"},
      {"squeeze", {"2 1 3 1 f32"}, "%a"},
      {"unsqueeze", {"A B C f32"}, "%a {axes = array<i64: -1, 0>}"},
      {"unsqueeze", {"A B C f32"}, "%a {axes = array<i64: 1>}"},
  };
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

/// Operators that cut a tensor or add to it.
static Cases getCutCases() {
  return {
      {"concat", {"A B C f32", "A 2 C f32"}, "%a, %b {axis = -2 : i64}"},
      {"concat", {"A B C f32", "1 B C f32"}, "%a, %b {axis = 0 : i64}"},
      {"concat", {"A B C f32"}, "%a {axis = 2 : i64}"},
      {"split",
       {"A B 5 f32"},
       "%a {axis = -1 : i64, split = array<i64: 1, 4>}",
       {"f32", "f32"}},
      {"split", {"6 B C f32"}, "%a", {"f32", "f32", "f32"}},
      {"split",
       {"A 5 C f32"},
       "%a {axis = 1 : i64, num_outputs = 2 : i64}",
       {"f32", "f32"}},
      {"slice",
       {"A 7 C 6 f32"},
       "%a {starts = array<i64: -1, 1>, ends = array<i64: -7, 5>, axes = "
       "array<i64: 3, -3>, steps = array<i64: -2, 2>}"},
      {"slice",
       {"7 6 C f32"},
       "%a {starts = array<i64: 1, 2>, ends = array<i64: 3, 3>}"},
      {"slice", {"7 6 C f32", "2 i64", "2 i64"}, "%a starts %b ends %c"},
      {"pad", {"A B C f32"}, "%a {pads = array<i64: 0, 1, 2, 3, 0, 1>}"},
      {"pad",
       {"A B C f32", "f32"},
       "%a value %b {pads = array<i64: 1, 2, 3, 0>, axes = array<i64: -1, "
       "0>}"},
      {"pad",
       {"A 3 4 f32"},
       "%a {pads = array<i64: 0, 1, 2, 0, 2, 1>, mode = \"reflect\"}"},
      {"pad",
       {"A B 4 f32"},
       "%a {pads = array<i64: 2, -1>, axes = array<i64: 2>, mode = \"edge\"}"},
      {.op = "pad",
       .operands = {"A B C f32", "6 i64"},
       .text = "%a pads %b",
       .opset = 18},
      {"trilu", {"A B C D f32"}, "%a {k = 1 : i64}"},
      {"trilu", {"A B C f32", "i64"}, "%a, k %b {upper = 0 : i64}"},
  };
}

Cases inlay::testing::getMovementCases() {
  Cases cases = {
      {"expand", {"A 1 C f32"}, "%a {shape = array<i64: 2, 1, 5, 1>}"},
      {"expand", {"B 1 f32"}, "%a {shape = array<i64: 3, $B, 4>}"},
      {"expand", {"A B C f32"}, "%a {shape = array<i64: 1>}"},
      {"expand", {"f32"}, "%a {shape = array<i64: 3, 4>}"},
      {"tile", {"A B C f32"}, "%a {repeats = array<i64: 1, 2, 3>}"},
      {"tile", {"A 1 C f32"}, "%a {repeats = array<i64: 2, 3, 1>}"},
      {"tile", {"A B C f32", "3 i64"}, "%a, repeats %b"},
      {"resize", {"A B C f32"}, "%a {scales = array<f32: 1.0, 2.0, 3.0>}"},
      {"resize",
       {"A B C D f32"},
       "%a {axes = array<i64: 3, -3>, scales = array<f32: 2.0, 3.0>}"},
      {"resize",
       {"A B C D f32"},
       "%a {mode = \"linear\", scales = array<f32: 1.0, 1.0, 2.0, 2.0>}"},
      {"shape", {"A B C D f32"}, "%a", {"i64"}},
      {"shape",
       {"A B C D f32"},
       "%a {start = 1 : i64, end = -1 : i64}",
       {"i64"}},
      {"shape", {"A B C f32"}, "%a {start = 3 : i64}", {"i64"}},
      {"size", {"A B C f32"}, "%a", {"i64"}},
      {"constant_of_shape", {}, "{shape = array<i64: $A, $B, $C>}"},
  };
  for (FormCase &each : getCutCases())
    cases.push_back(each);
  return cases;
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

Cases inlay::testing::getIndexingCases() {
  return {
      {"gather", {"A 4 C f32", "5 i64"}, "%a, %b {axis = 1 : i64}"},
      {"gather", {"A B 4 f32", "i64"}, "%a, %b {axis = -1 : i64}"},
      {"gather", {"4 B C f32", "3 5 i64"}, "%a, %b"},
      {"gather", {"A 4 f32", "3 1 i64"}, "%a, %b {axis = 1 : i64}"},
      {.op = "gather",
       .operands = {"A 1 C f32", "5 i64"},
       .text = "%a, %b {axis = 1 : i64}",
       .indexLimit = 1},
      {.op = "one_hot",
       .operands = {"A B C i64", "i64", "2 f32"},
       .text = "%a, %b, %c {axis = 1 : i64}",
       .values = {{1, {3}}}},
      {.op = "one_hot",
       .operands = {"A B i64", "i64", "2 f32"},
       .text = "%a, %b, %c",
       .values = {{1, {1}}}},
      {.op = "one_hot",
       .operands = {"A B i64", "i64", "2 f32"},
       .text = "%a, %b, %c {axis = -3 : i64}",
       .values = {{1, {4}}}},
      {"gather_elements",
       {"A 4 C f32", "A 3 C i64"},
       "%a, %b {axis = 1 : i64}"},
      {"gather_elements",
       {"7 8 4 f32", "5 1 9 i64"},
       "%a, %b {axis = -1 : i64}"},
      {"scatter_elements",
       {"A 4 C f32", "A 3 C i64", "A 3 C f32"},
       "%a, %b, %c {axis = -2 : i64}"},
      {"scatter_elements",
       {"4 B f32", "6 B i64", "6 B f32"},
       "%a, %b, %c {reduction = \"add\"}"},
  };
}

//===----------------------------------------------------------------------===//
// Reductions and normalisations
//===----------------------------------------------------------------------===//

Cases inlay::testing::getReduceCases() {
  Cases cases;
  for (const char *text :
       {"%a {axes = array<i64: 1>}", "%a {axes = array<i64: 1, -1>}",
        "%a {axes = array<i64: -1, 1>, keepdims = 0 : i64}", "%a",
        "%a {keepdims = 0 : i64}", "%a {axes = array<i64>}",
        "%a {axes = array<i64>, noop_with_empty_axes = 1 : i64}"})
    cases.push_back({"reduce_sum", {"A B C D f32"}, text});
  for (const char *op :
       {"reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_l1",
        "reduce_l2", "reduce_log_sum", "reduce_log_sum_exp",
        "reduce_sum_square"})
    for (const char *text :
         {"%a {axes = array<i64: -1, 0>}",
          "%a {axes = array<i64: 1>, keepdims = 0 : i64}", "%a"}) {
      cases.push_back({op, {"A B C f32"}, text});
      cases.back().isInexact = true;
    }
  for (const char *op : {"argmax", "argmin"}) {
    cases.push_back({op, {"A B C f32"}, "%a {axis = 1 : i64}", {"i64"}});
    cases.push_back({op,
                     {"A B C f32"},
                     "%a {axis = -1 : i64, keepdims = 0 : i64, "
                     "select_last_index = 1 : i64}",
                     {"i64"}});
  }
  cases.push_back({"cumsum", {"A B C f32"}, "%a {axis = 1 : i64}"});
  cases.push_back({"cumsum",
                   {"A B C f32"},
                   "%a {axis = -3 : i64, exclusive = 1 : i64, reverse = 1 : "
                   "i64}"});
  cases.push_back({"topk", {"A B 4 f32"}, "%a {k = 2 : i64}", {"f32", "i64"}});
  cases.push_back({"topk",
                   {"A 4 C f32", "1 i64"},
                   "%a, k %b {axis = 1 : i64, largest = 0 : i64}",
                   {"f32", "i64"}});
  return cases;
}

Cases inlay::testing::getNormalizationCases() {
  Cases cases = {
      {"layer_normalization",
       {"A B C f32", "C f32", "C f32"},
       "%a, %b, %c",
       {"f32", "f32", "f32"}},
      {"layer_normalization",
       {"A B C D f32", "C D f32"},
       "%a, %b {axis = 2 : i64}",
       {"f32", "f32", "f32"}},
      {"layer_normalization",
       {"A B C f32", "1 C f32"},
       "%a, %b {axis = 1 : i64}",
       {"f32", "f32", "f32"}},
      {"rms_normalization", {"A B C f32", "C f32"}, "%a, %b"},
      {"rms_normalization",
       {"A B C f32", "B C f32"},
       "%a, %b {axis = -2 : i64}"},
      {"lp_normalization", {"A B C f32"}, "%a {axis = 1 : i64, p = 1 : i64}"},
      {"lp_normalization", {"A B C f32"}, "%a"},
      {"mean_variance_normalization", {"A B C D f32"}, "%a"},
      {"mean_variance_normalization",
       {"A B C f32"},
       "%a {axes = array<i64: -1>}"},
  };
  for (const char *op : {"softmax", "log_softmax", "hardmax"})
    for (const char *text :
         {"%a", "%a {axis = 1 : i64}", "%a {axis = 1 : i64, coerce_2d}",
          "%a {axis = 2 : i64, coerce_2d}"})
      cases.push_back({op, {"A B C D f32"}, text});
  for (FormCase &each : cases)
    each.isInexact = each.op != "hardmax";
  return cases;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static Cases getMatMulCases() {
  Cases cases = {
      {"matmul", {"A B f32", "B C f32"}, "%a, %b"},
      {"matmul", {"A B C f32", "A C D f32"}, "%a, %b"},
      {"matmul", {"A B C f32", "C D f32"}, "%a, %b"},
      {"matmul", {"A B f32", "C B D f32"}, "%a, %b"},
      {"matmul", {"A 1 B C f32", "2 C D f32"}, "%a, %b"},
      {"matmul", {"B C f32", "C f32"}, "%a, %b"},
      {"matmul", {"C f32", "A C D f32"}, "%a, %b"},
      {"matmul", {"A B C f32", "C f32"}, "%a, %b"},
      {"matmul", {"1 B C f32", "A C D f32"}, "%a, %b"},
      {"matmul", {"A B C i32", "A C D i32"}, "%a, %b", {"i32"}},
      {.op = "matmul",
       .operands = {"A B f32", "B C f32"},
       .text = "%a, %b",
       .opset = 0},
      {"matmul_integer", {"A B C ui8", "C D ui8"}, "%a, %b", {"i32"}},
      {"matmul_integer",
       {"A B i8", "B C i8", "i8", "1 i8"},
       "%a, %b a_zero_point %c b_zero_point %d",
       {"i32"}},
      {"matmul_integer",
       {"A B ui8", "B C i8", "i8"},
       "%a, %b b_zero_point %c",
       {"i32"}},
      {"qlinear_matmul",
       {"A B C i8", "f32", "i8", "A C D i8", "f32", "i8", "f32", "i8"},
       "%a scale %b zero_point %c, %d scale %e zero_point %f, to scale %g "
       "zero_point %h",
       {"i8"}},
  };
  return cases;
}

Cases inlay::testing::getContractionCases() {
  Cases cases = getMatMulCases();
  for (const char *flags : {"", "{transA = 1 : i64, alpha = 2.0 : f32}",
                            "{transB = 1 : i64, beta = 3.0 : f32}",
                            "{transA = 1 : i64, transB = 1 : i64}"}) {
    std::string text = flags;
    std::string a = text.find("transA") == text.npos ? "A B f32" : "B A f32";
    std::string b = text.find("transB") == text.npos ? "B C f32" : "C B f32";
    cases.push_back({"gemm", {a, b}, "%a, %b " + text});
    for (const char *c : {"C f32", "A C f32", "A 1 f32", "1 C f32", "f32"})
      cases.push_back({"gemm", {a, b, c}, "%a, %b, %c " + text});
  }
  cases.push_back(
      {"einsum", {"A B C f32", "A C D f32"}, "\"bij,bjk->bik\"(%a, %b)"});
  cases.push_back({"einsum", {"A B C f32"}, "\"abc\"(%a)"});
  cases.push_back({"einsum", {"A B f32", "B C f32"}, "\"ij, jk\"(%a, %b)"});
  cases.push_back(
      {"einsum", {"A B f32", "C f32", "B f32"}, "\"ij,k,j->ki\"(%a, %b, %c)"});
  return cases;
}

//===----------------------------------------------------------------------===//
// Over N x C x spatial
//===----------------------------------------------------------------------===//

static Cases getConvCases() {
  Cases cases = {
      {"conv",
       {"A 4 C f32", "4 4 3 f32", "4 f32"},
       "%a, %b, %c {pads = array<i64: 1, 1>}"},
      {"conv",
       {"A 4 C f32", "4 1 2 f32", "4 f32"},
       "%a, %b, %c {group = 4 : i64, pads = array<i64: 1, 0>}"},
      {"conv",
       {"A 4 C f32", "8 2 3 f32"},
       "%a, %b {group = 2 : i64, pads = array<i64: 1, 1>}"},
      {"conv",
       {"1 2 6 7 f32", "3 2 3 2 f32"},
       "%a, %b {dilations = array<i64: 1, 2>, kernel_shape = array<i64: 3, 2>, "
       "pads = array<i64: 0, 1, 2, 1>, strides = array<i64: 2, 1>}"},
      {"conv",
       {"2 2 6 7 f32", "3 2 3 2 f32"},
       "%a, %b {auto_pad = \"SAME_UPPER\", strides = array<i64: 2, 1>}"},
      {"conv_transpose", {"A 4 C f32", "4 4 3 f32", "4 f32"}, "%a, %b, %c"},
      {"conv_transpose",
       {"1 2 3 4 f32", "2 3 3 2 f32"},
       "%a, %b {dilations = array<i64: 1, 2>, output_padding = array<i64: 1, "
       "0>, pads = array<i64: 0, 1, 2, 1>, strides = array<i64: 2, 1>}"},
      {"conv_transpose",
       {"1 2 3 4 f32", "2 3 3 2 f32"},
       "%a, %b {output_shape = array<i64: 6, 9>, strides = array<i64: 2, 2>}"},
      {"conv_integer",
       {"A 4 C ui8", "4 4 3 ui8", "ui8", "4 ui8"},
       "%a, %b x_zero_point %c w_zero_point %d {pads = array<i64: 1, 1>}",
       {"i32"}},
      {"qlinear_conv",
       {"A 4 C i8", "f32", "i8", "4 4 3 i8", "4 f32", "4 i8", "f32", "i8",
        "4 i32"},
       "%a scale %b zero_point %c, %d scale %e zero_point %f, to scale %g "
       "zero_point %h, bias %i {pads = array<i64: 1, 1>}",
       {"i8"}},
  };
  return cases;
}

static Cases getPoolCases() {
  Cases cases;
  const char *window = "%a {ceil_mode = 1 : i64, kernel_shape = array<i64: 2, "
                       "3>, pads = array<i64: 0, 1, 1, 2>, strides = "
                       "array<i64: 1, 2>}";
  cases.push_back({"max_pool", {"A 4 C D f32"}, window, {"f32", "i64"}});
  cases.back().numUsed = 1;
  for (const char *op : {"average_pool", "lp_pool"})
    cases.push_back({op, {"A 4 C D f32"}, window, {"f32"}, true});
  for (const char *op :
       {"global_max_pool", "global_average_pool", "global_lp_pool"})
    cases.push_back({op, {"A 4 C D f32"}, "%a", {"f32"}, true});
  return cases;
}

Cases inlay::testing::getWindowCases() {
  Cases cases = getConvCases();
  for (FormCase &each : getPoolCases())
    cases.push_back(std::move(each));
  cases.push_back({"batch_normalization",
                   {"A 4 C f32", "4 f32", "4 f32", "4 f32", "4 f32"},
                   "%a, %b, %c, %d, %e",
                   {"f32", "f32", "f32"},
                   true});
  cases.push_back({"instance_normalization",
                   {"A 4 C D f32", "4 f32", "4 f32"},
                   "%a, %b, %c",
                   {"f32"},
                   true});
  cases.push_back(
      {"lrn", {"A 4 C D f32"}, "%a {size = 3 : i64}", {"f32"}, true});
  return cases;
}

//===----------------------------------------------------------------------===//
// Row-major as they stand
//===----------------------------------------------------------------------===//

Cases inlay::testing::getRefusedCases() {
  return {
      {"expand", {"A B f32", "3 i64"}, "%a, shape %b"},
      // Which of the dimensions is left is not known.
      {"reduce_sum",
       {"A B C f32", "1 i64"},
       "%a, axes %b {keepdims = 0 : i64}"},
      // There may be none.
      {.op = "resize",
       .operands = {"A B C f32", "?3 f32"},
       .text = "%a scales %b",
       .values = {{1, {1, 2, 1}}}},
      {"einsum", {"A B C f32", "A C D f32"}, "\"...ij,...jk->...ik\"(%a, %b)"},
      {"conv_transpose",
       {"2 2 3 4 f32", "2 3 3 2 f32"},
       "%a, %b {output_shape = array<i64: 2, 3, 6, 9>, strides = array<i64: 2, "
       "2>}"},
  };
}
