#!/usr/bin/env bash
# Runs every benchmark against the build in BUILD and prints its table.
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
measure() { python3 "$root/bench/measure.py" "$@" --inlay "$build/bin/inlay" --work "$work"; }
measure memory
measure chain
measure session --models "$models"
measure layouts
measure layouts-of-models --models "$models"
measure fusion
measure kernels
measure wide
node "$root/bench/transposes.js" --inlay "$build/bin/inlay"
node "$root/bench/traffic.js" --inlay "$build/bin/inlay" --models "$models"
node "$root/bench/arena.js" --inlay "$build/bin/inlay" --models "$models"
node "$root/bench/plans.js" --inlay "$build/bin/inlay" --models "$models"
node "$root/bench/pages.js" --inlay "$build/bin/inlay"
node "$root/bench/pages.js" --inlay "$build/bin/inlay" --models "$models"
node "$root/bench/nodes.js" --inlay "$build/bin/inlay" --models "$models"
node "$root/bench/latency.js" --inlay "$build/bin/inlay" --models "$models"
node "$root/bench/native.js" --inlay "$build/bin/inlay" --models "$models" --rounds 1
node "$root/bench/memory.js" --inlay "$build/bin/inlay" --runner "$build/bin/inlay-library-runner" --models "$models"
node "$root/bench/steps.js" --inlay "$build/bin/inlay" --runner "$build/bin/inlay-library-runner"
