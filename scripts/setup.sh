#!/usr/bin/env bash
# Installs what the given kinds of packages.txt name and this machine lacks.
#
#   scripts/setup.sh build          what building needs
#   scripts/setup.sh build test     and what the tests need, ONNX Runtime included
#
# Packages of the kind `cross` are not installed; see sysroot.sh.
#
# Says nothing when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."

packages_of_kind() {
  awk -v kind="$1" '!/^#/ && $2 == kind { print $1 }' scripts/packages.txt
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
  local kind package
  for kind in "$@"; do
    for package in $(packages_of_kind "$kind"); do
      is_installed "$package" || echo "$package"
    done
  done
}

install_packages() {
  local missing
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  echo "installing:" $missing >&2
  as_root apt-get update -qq
  # shellcheck disable=SC2086  # one word per package
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# The packages of the oracle, as its lock file names them. Their install
# scripts only fetch GPU libraries, which nothing here uses.
install_oracle() {
  local folder=test/oracle
  [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] && return 0
  echo "installing: the packages of $folder" >&2
  npm --prefix "$folder" ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
}

if ! command -v apt-get >/dev/null; then
  echo "setup: needs Debian 12 or a derivative; elsewhere install what scripts/packages.txt names" >&2
  exit 1
fi
kinds=("$@")
if [[ " ${kinds[*]} " == *" test "* ]] && ! command -v node >/dev/null; then
  kinds+=(node)
fi
install_packages "${kinds[@]}"
if [[ " ${kinds[*]} " == *" test "* ]]; then
  install_oracle
fi
