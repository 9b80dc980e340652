#!/usr/bin/env bash
# Installs the packages of PACKAGES and the wheel of WHEELS in a fresh Debian 12
# below ROOT; there it runs the demo and compiles, draws and runs a model from
# Python. Needs root; nothing outside of ROOT is changed.
#
#   scripts/package-test.sh PACKAGES WHEELS ROOT
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
packages=$(realpath "$1")
wheels=$(realpath "$2")
root=$3
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
install() { inside sh -c "apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $* >/dev/null"; }
inside() { as_root chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# The mirrors of this machine, and its keys.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
as_root rm -rf "$root"
as_root debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv,python3-numpy bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
  { tail -n 20 "$root.log"; exit 1; }
root=$(realpath "$root")
as_root rm "$root/etc/apt/sources.list"
as_root cp -a /etc/apt/. "$root/etc/apt/"
# What a machine has.
trap 'as_root umount "$root/proc"' EXIT
as_root mount -t proc proc "$root/proc"
as_root mkdir "$root/packages"
as_root cp "$packages"/*.deb "$wheels"/*.whl "$source"/examples/*.onnx "$source/examples/python/quickstart.py" "$root/packages/"

inside apt-get update -qq
install '/packages/inlay_*.deb'
inside inlay --version
inside inlay doctor
inside inlay run /packages/mini_shufflenet.onnx --dim batch=1 --native --check >/dev/null
# What `make demo` runs once Inlay is built.
example=/packages/$(sed -n 's|^EXAMPLE *:= *examples/||p' "$source/Makefile")
sed -n "/^demo:/,/^\$/ s|^\t\$(RELEASE)/bin/||p" "$source/Makefile" |
  sed "s|\$(EXAMPLE)|$example|; s|build/|/packages/|" >"$root.demo"
[ "$(grep -c '^inlay ' "$root.demo")" -ge 5 ]
while read -r -a words; do
  inside "${words[@]}" </dev/null >/dev/null
done <"$root.demo"
inside test -s /packages/demo.onnx -a -s /packages/demo.so -a -s /packages/demo.html
inside test -s /usr/share/man/man1/inlay-compile.1 -o -s /usr/share/man/man1/inlay-compile.1.gz
inside bash -n /usr/share/bash-completion/completions/inlay
echo "inlay: installed; $(wc -l <"$root.demo") commands of the demo ran"

# The wheel brings its own libraries.
inside apt-get purge -y -qq --autoremove -o Dpkg::Use-Pty=0 inlay >/dev/null
inside sh -c '! command -v inlay && ! ls /usr/lib/llvm-19/lib/libMLIR* /usr/lib/*/libgvc* 2>/dev/null'
inside python3 -m venv --system-site-packages /venv
inside sh -c '/venv/bin/pip install -q --no-index --no-deps /packages/*.whl'
inside /venv/bin/python /packages/quickstart.py /packages/mini_shufflenet.onnx
echo "wheel: installed, compiles, draws and runs"

install '/packages/*.deb' cmake
inside test -s /usr/lib/cmake/Inlay/InlayConfig.cmake
echo "inlay-dev: installed"
as_root umount "$root/proc"
trap - EXIT
as_root rm -rf "$root" "$root.demo"
