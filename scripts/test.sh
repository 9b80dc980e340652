#!/usr/bin/env bash
# Runs CTest in a build tree, prints what each test took, slowest first, and
# closes with the line "N passed, N failed".
#
#   scripts/test.sh BUILD_DIR [ctest options]
#
# A test that could not be started or was skipped counts as failed: what is
# not run shows nothing.
set -uo pipefail
build=$1
shift
junit=$build/tests.xml
# Machine code that tests make is not kept among what the user has made.
XDG_CACHE_HOME=$(realpath "$build")/cache
export XDG_CACHE_HOME
rm -f "$junit"
ctest --test-dir "$build" -j2 --output-on-failure --no-tests=error \
  --output-junit "$(realpath "$build")/tests.xml" "$@"
status=$?

# Lines of "12.3 s  name" from CTest's <testcase name="name" ... time="12.3" ...>.
times() {
  sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "$junit" 2>/dev/null | LC_ALL=C sort -rg |
    awk '{ printf "%8.1f s  %s\n", $1, $2; all += $1 } END { printf "%8.1f s  all %d tests, one after another\n", all, NR }'
}

count() { grep -c "$1" "$junit" 2>/dev/null || true; }
all=$(count '<testcase ')
passed=$(count '<testcase .*status="run"')
failed=$((${all:-0} - ${passed:-0}))
times
echo "${passed:-0} passed, $failed failed"
[ "$status" = 0 ] && [ "$failed" = 0 ]
