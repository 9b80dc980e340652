#!/usr/bin/env bash
# Fuzzes the importer and the reader of MLIR with libFuzzer under ASan and UBSan.
#
#   scripts/fuzz.sh build           build the fuzz targets only
#   scripts/fuzz.sh SECONDS         replay the regressions, then fuzz the importer for so long
#   scripts/fuzz.sh text SECONDS    the same for the text of modules
#   scripts/fuzz.sh mutate COUNT    damage each of 50 models so many times
#
# A finding is left in build/fuzz/findings; mend it, minimise it with
# `inlay-fuzz -minimize_crash=1`, and add it to test/fuzz/regressions, or to
# test/fuzz/text where it is MLIR.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/fuzz
regressions=test/fuzz/regressions

cmake --preset fuzz >/dev/null
cmake --build "$build" -j"$(nproc)" --target inlay-fuzz inlay-mutation-test >"$build/build.log" || { cat "$build/build.log"; exit 1; }
[ "$1" = build ] && exit 0
[ "$1" = mutate ] && exec test/fuzz/mutate.sh "$build/bin/inlay-mutation-test" "$2" "$build/findings"

seconds=$1
corpus=$build/corpus
mode=()
if [ "$1" = text ]; then
  seconds=$2
  corpus=$build/text-corpus
  regressions=test/fuzz/text
  mode=(--text -only_ascii=1 -dict=test/fuzz/text.dict)
fi
findings=$build/findings
mkdir -p "$corpus" "$findings"
if [ ${#mode[@]} = 0 ]; then
  node test/fuzz/seeds.js "$corpus" /usr/share/libonnx-testdata
else
  find test/IR -name '*.mlir' -exec cp -t "$corpus" {} +
fi
"$build/bin/inlay-fuzz" "${mode[@]}" -runs=0 "$regressions"
"$build/bin/inlay-fuzz" "${mode[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -seed=1 \
  -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" "$regressions"
