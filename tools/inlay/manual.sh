#!/bin/sh
# Writes the manual pages and completions of a tool below SHARE, as they are
# installed.
#
#   manual.sh INLAY SHARE
set -eu
inlay=$1
share=$2
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions"
for verb in $("$inlay" help | sed -n '/^VERBS:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$'); do
  "$inlay" help --man "$verb" >"$share/man/man1/inlay-$verb.1"
done
"$inlay" help --completion bash >"$share/bash-completion/completions/inlay"
"$inlay" help --completion zsh >"$share/zsh/vendor-completions/_inlay"
# The last one: it says that all are there.
"$inlay" help --man >"$share/man/man1/inlay.1"
