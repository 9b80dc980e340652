#!/usr/bin/env bash
# Fuzzes the importer with libFuzzer under ASan and UBSan.
#
#   scripts/fuzz.sh build           build the fuzz targets only
#   scripts/fuzz.sh SECONDS         replay the regressions, then fuzz for so long
#   scripts/fuzz.sh mutate COUNT    damage each of 50 models so many times
#
# A finding is left in build/fuzz/findings; mend it, minimise it with
# `inlay-fuzz -minimize_crash=1`, and add it to test/fuzz/regressions.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/fuzz
regressions=test/fuzz/regressions

cmake --preset fuzz >/dev/null
cmake --build "$build" -j"$(nproc)" --target inlay-fuzz inlay-mutation-test >"$build/build.log" || { cat "$build/build.log"; exit 1; }
[ "$1" = build ] && exit 0
[ "$1" = mutate ] && exec test/fuzz/mutate.sh "$build/bin/inlay-mutation-test" "$2" "$build/findings"

corpus=$build/corpus
findings=$build/findings
mkdir -p "$corpus" "$findings"
node test/fuzz/seeds.js "$corpus" /usr/share/libonnx-testdata
"$build/bin/inlay-fuzz" -runs=0 "$regressions"
"$build/bin/inlay-fuzz" -max_total_time="$1" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -seed=1 \
  -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" "$regressions"
