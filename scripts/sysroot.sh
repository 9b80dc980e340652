#!/usr/bin/env bash
# Unpacks what a cross build links, Debian's packages of another architecture
# and what they depend on, into a folder.
#
#   scripts/sysroot.sh arm64|amd64 FOLDER
#
# An apt with a state of its own downloads them from where this machine's apt
# does. It needs no root, and nothing outside FOLDER changes: no
# `dpkg --add-architecture`. Says nothing when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$1
folder=$2
mapfile -t packages < <(awk '!/^#/ && $2 == "cross" { print $1 }' scripts/packages.txt)
wanted="$arch: ${packages[*]}"
[ "$(cat "$folder/packages" 2>/dev/null)" = "$wanted" ] && exit 0

echo "downloading: ${packages[*]} for $arch" >&2
rm -rf "$folder"
mkdir -p "$folder"
folder=$(realpath "$folder")
apt=$folder/apt
log=$apt/log
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
cat >"$apt/apt.conf" <<CONF
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "";
APT::Install-Recommends "false";
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Log "$apt";
Debug::NoLocking "true";
CONF
own_apt() { APT_CONFIG=$apt/apt.conf apt-get -q "$@" >>"$log" 2>&1; }

# A list of a third party that lacks this architecture is no reason to stop.
own_apt update || true
if ! own_apt install -y --download-only "${packages[@]}"; then
  tail -n 20 "$log" >&2
  echo "sysroot: could not download Debian's packages for $arch (above: what apt-get said)" >&2
  exit 1
fi
for package in "$apt"/cache/archives/*.deb; do
  dpkg-deb -x "$package" "$folder"
done
# Links that lead to the root of the system they were made for.
find "$folder" -type l -lname '/*' -printf '%p\n' | while read -r link; do
  ln -sfnr "$folder$(readlink "$link")" "$link"
done
# clang looks for its runtimes beside its own headers.
resources=$(clang-19 -print-resource-dir)
ln -sfn "$resources/include" "$folder/usr/lib/llvm-19/lib/clang/19/include"
rm -rf "$apt"
echo "$wanted" >"$folder/packages"
