#!/usr/bin/env bash
# The example back end, loaded by the installed tool: what it lists computes what
# the model computes, and what does not fit is refused.
#
#   backend.sh INLAY EXAMPLES BUILD STALE
set -euo pipefail
inlay=$1 examples=$2 build=$3 stale=$4
cd "$build"
backend=$build/libToyBackend.so target=$examples/backend/toy.yaml

# refuses CODE MESSAGE COMMAND...
refuses() {
  local expected=$1 message=$2 found=0
  shift 2
  "$@" >refused.txt 2>&1 || found=$?
  [ "$found" = "$expected" ] && grep -qF -- "$message" refused.txt && return
  echo "exit code $found, expected $expected and '$message':" && cat refused.txt && exit 1
}
toy() { "$inlay" compile "$@" --backend "$backend" --emit toy; }

# Two models, each with as many groups as the report says.
toy "$examples/mini_shufflenet.onnx" --dim batch=1 -t "$target" -o net.lst
./toy-run "$examples/mini_shufflenet.onnx" net.lst batch=1
toy "$examples/backend/residual.mlir" -t "$target" -o residual.lst
./toy-run "$examples/backend/residual.mlir" residual.lst
grep -q '^group group_0$' residual.lst

# A listing that computes something else is found out.
sed 's/^  relu/  reshape/' residual.lst >wrong.lst
refuses 1 "largest error" ./toy-run "$examples/backend/residual.mlir" wrong.lst

# The section of the target is the back end's to judge.
sed 's/arena-bytes: [0-9]*/arena-bytes: 64/' "$target" >small.yaml
refuses 5 "too small" toy "$examples/backend/residual.mlir" -t small.yaml -o out.lst
sed 's/arena-bytes/arena-byte/' "$target" >key.yaml
refuses 4 "unknown key 'arena-byte'" toy "$examples/backend/residual.mlir" -t key.yaml -o out.lst
[ ! -e out.lst ]

# A target alone loads nothing; a library that is none, or another's, is refused.
refuses 2 "--emit is 'toy', expected onnx or mlir" "$inlay" compile "$examples/backend/residual.mlir" -t "$target" --emit toy -o out.lst
"$inlay" compile "$examples/backend/residual.mlir" -t "$target" -o plain.onnx
refuses 2 "built for version 0 of the interface" \
  "$inlay" compile "$examples/backend/residual.mlir" --backend "$stale" -o out.onnx
refuses 6 "cannot be loaded" "$inlay" compile "$examples/backend/residual.mlir" --backend none.so -o out.onnx
refuses 2 "it has no function 'inlayGetBackendPlugin'" "$inlay" compile "$examples/backend/residual.mlir" \
  --backend "$(ldd "$backend" | awk '/libInlay/ {print $3}')" -o out.onnx
refuses 2 "which is taken" toy "$examples/backend/residual.mlir" --backend "$PWD/./libToyBackend.so" -o out.lst
echo "the example back end agrees with the executor"
