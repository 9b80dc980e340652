#!/usr/bin/env bash
# Compiles models for the other of the two architectures and runs them in qemu.
#
#   libraries.sh BUILD_DIR INLAY NODE
#
# The libc of the program that runs them comes from build/sysroot.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
case $(uname -m) in
  x86_64) arch=arm64 processor=aarch64 cpu=() ;;
  # All that the emulator has: libraries for x86-64 need AVX2.
  aarch64) arch=amd64 processor=x86_64 cpu=(-cpu max) ;;
  *) echo "cross: no other architecture is known for $(uname -m)" >&2; exit 1 ;;
esac
sysroot=$root/build/sysroot/$arch
"$root/scripts/sysroot.sh" "$arch" "$sysroot"
mkdir -p "$1"
runner=$1/runner-$processor
clang-19 --target="$processor-linux-gnu" --sysroot="$sysroot" -fuse-ld=lld -std=gnu11 -O1 -I"$root/include" \
  "$root/test/oracle/runner.c" -o "$runner"
launch="qemu-$processor ${cpu[*]} -L $sysroot"
"$3" "$root/test/oracle/cross_libraries.js" --inlay "$2" --triple "$processor-linux-gnu" --runner "$runner" --launch "$launch"
"$3" "$root/test/oracle/lengths.js" --inlay "$2" --triple "$processor-linux-gnu" --runner "$runner" --launch "$launch" \
  --work "$1/lengths-$processor" --lengths 1,12,29,36
