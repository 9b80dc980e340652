#!/usr/bin/env bash
# Runs CTest in a build tree and closes with the line "N passed, N failed".
#
#   scripts/test.sh BUILD_DIR [ctest options]
#
# A test that could not be started or was skipped counts as failed: what is
# not run shows nothing.
set -uo pipefail
build=$1
shift
junit=$build/tests.xml
rm -f "$junit"
ctest --test-dir "$build" -j2 --output-on-failure --no-tests=error \
  --output-junit "$(realpath "$build")/tests.xml" "$@"
status=$?

count() { grep -c "$1" "$junit" 2>/dev/null || true; }
all=$(count '<testcase ')
passed=$(count '<testcase .*status="run"')
failed=$((${all:-0} - ${passed:-0}))
echo "${passed:-0} passed, $failed failed"
[ "$status" = 0 ] && [ "$failed" = 0 ]
