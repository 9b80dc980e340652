#!/usr/bin/env bash
# Builds the value types, the runtime of models and their tests for the other of
# the two architectures and runs them in qemu.
#
#   run.sh BUILD_DIR LLVM_INCLUDE_DIR
#
# The libraries come from build/sysroot, which is filled once.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
case $(uname -m) in
  x86_64) arch=arm64 processor=aarch64 machine=AArch64 ;;
  aarch64) arch=amd64 processor=x86_64 machine=X86-64 ;;
  *) echo "cross: no other architecture is known for $(uname -m)" >&2; exit 1 ;;
esac
build=$1/$processor
sysroot=$root/build/sysroot/$arch

launcher=()
if command -v ccache >/dev/null; then
  # What ccache asks for before it caches files that use precompiled headers.
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

"$root/scripts/sysroot.sh" "$arch" "$sysroot"
cmake -S "$root/test/cross/project" -B "$build" -G Ninja --toolchain "$root/test/cross/toolchain.cmake" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DINLAY_CROSS_PROCESSOR="$processor" -DINLAY_SYSROOT="$sysroot" -DINLAY_LLVM_INCLUDE="$2" "${launcher[@]}" >"$build.log" ||
  { cat "$build.log"; exit 1; }
cmake --build "$build" -j"$(nproc)" >"$build.log" || { cat "$build.log"; exit 1; }
llvm-readelf-19 -h "$build/bin/InlayTensorTests" | grep "Machine:.*$machine" ||
  { echo "cross: built for this machine, not for $processor" >&2; exit 1; }
# Damaging texts byte by byte takes minutes in qemu, and shows nothing of the machine.
# qemu 7.2 ends itself where a process with threads forks, and the child starts one.
GTEST_FILTER='-TargetDamageTest.*:Session.CanBeMadeAfterAFork' ctest --test-dir "$build" -j"$(nproc)" --output-on-failure --no-tests=error
