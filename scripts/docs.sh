#!/usr/bin/env bash
# Writes the reference of operators and passes, generated from TableGen.
#
#   scripts/docs.sh FOLDER      FOLDER/Dialect.md and FOLDER/Passes.md
set -euo pipefail
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
llvm=/usr/lib/llvm-19

# TableGen reads one file: includes of all the others, on its standard input.
tblgen() {
  local file
  for file in "${@:2}"; do
    echo "include \"${file#include/}\""
  done | "$llvm/bin/mlir-tblgen" $1 -I include -I "$llvm/include"
}

shopt -s globstar nullglob
tblgen "-gen-dialect-doc -dialect=inlay" include/inlay/IR/InlayAttributes.td include/inlay/IR/*Ops.td \
  | sed '/^\[TOC\]$/d' >"$folder/Dialect.md"
tblgen -gen-pass-doc mlir/Pass/PassBase.td include/inlay/**/Passes.td \
  | sed '1a # Passes\n' >"$folder/Passes.md"
