#!/usr/bin/env bash
# Runs every benchmark against the build in BUILD and prints its table.
#
#   bench/run.sh BUILD [WORK]
#
# WORK (default: BUILD/bench) holds the generated models; it needs about 2 GB.
# MODELS names a folder of models for the comparison with ONNX Runtime; without
# it the bundled ones are used.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:?usage: bench/run.sh BUILD [WORK]}
work=${2:-$build/bench}
mkdir -p "$work"
python3 "$root/bench/measure.py" memory --inlay "$build/bin/inlay" --work "$work"
python3 "$root/bench/measure.py" chain --inlay "$build/bin/inlay" --work "$work"
python3 "$root/bench/measure.py" session --inlay "$build/bin/inlay" --work "$work" \
  --models "${MODELS:-$root/test/models}"
