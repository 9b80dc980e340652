#!/usr/bin/env bash
# Damages 50 models: those of the repository, and every 26th operator test of
# ONNX. See tools/inlay-mutation-test.
#
#   mutate.sh inlay-mutation-test COUNT FINDINGS
set -euo pipefail
root=$(dirname "$0")/../..
models=("$root"/test/models/*.onnx "$root"/examples/*.onnx)
mapfile -t operators < <(find /usr/share/libonnx-testdata/data -name model.onnx | LC_ALL=C sort | awk 'NR % 26 == 0')
[ ${#operators[@]} -gt 40 ] || { echo "libonnx-testdata is not installed" >&2; exit 1; }
exec "$1" "$2" "$3" "${models[@]}" "${operators[@]}"
