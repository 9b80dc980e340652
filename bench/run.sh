#!/usr/bin/env bash
# Runs every benchmark against the build in BUILD and prints its table. One that
# misses a limit does not keep the others from running; the exit code tells.
#
#   bench/run.sh BUILD [WORK]
#
# WORK (default: BUILD/bench) holds the generated models; it needs about 2 GB.
# MODELS names a folder of models for the comparisons with ONNX Runtime and for
# the time of layouts; without it the bundled ones are used.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:?usage: bench/run.sh BUILD [WORK]}
work=${2:-$build/bench}
mkdir -p "$work"
models=${MODELS:-$root/test/models}
missed=()
run() { "$@" || missed+=("${1##*/}"); }
script() { "$@" || missed+=("${2##*/} ${3#--inlay}"); }
measure() { script python3 "$root/bench/measure.py" "$@" --inlay "$build/bin/inlay" --work "$work"; }
compare() { script node "$root/bench/$1.js" --inlay "$build/bin/inlay" "${@:2}"; }
measure memory
measure chain
measure session --models "$models"
measure layouts
measure layouts-of-models --models "$models"
measure fusion
measure kernels
measure wide
measure shared
compare transposes
compare traffic --models "$models"
compare arena --models "$models"
compare plans --models "$models"
compare pages
compare pages --models "$models"
compare nodes --models "$models"
compare latency --models "$models"
compare native --models "$models" --rounds 1
compare threads --models "$models" --only resnet18
compare memory --runner "$build/bin/inlay-library-runner" --models "$models"
compare steps --runner "$build/bin/inlay-library-runner"
# Kernels alone. The bundled models have no weights of their own.
filled=$models
if [ -e "$models/fill_weights.js" ]; then
  filled=$work/filled
  node "$models/fill_weights.js" "$filled" all
fi
run "$build/bin/inlay-contractions" --models "$filled"
run "$build/bin/inlay-rows"
for name in "${missed[@]}"; do echo "missed: $name"; done
[ ${#missed[@]} -eq 0 ]
