#!/usr/bin/env bash
# exits.sh CODE COMMAND...  succeeds where the command ends with exactly CODE.
expected=$1
shift
"$@"
found=$?
[ "$found" = "$expected" ] || { echo "exit code $found, expected $expected" >&2; exit 1; }
