# Whether what each verb's help lists is in its manual page and completions.
#   manual.sh INLAY
inlay=$1
verbs=0 options=0
bash=$("$inlay" help --completion bash)
zsh=$("$inlay" help --completion zsh)
for verb in $("$inlay" help | sed -n '/^VERBS:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$'); do
  verbs=$((verbs + 1))
  page=$("$inlay" help --man "$verb" | sed 's/\\-/-/g')
  for option in $("$inlay" "$verb" --help | sed -n 's/^  \(--*[a-z][a-z-]*\).*/\1/p'); do
    options=$((options + 1))
    grep -qE -- "^\.B (.*, )?$option( |,|$)" <<<"$page" || echo "missing in the manual: $verb $option"
    grep -qE -- "options='.*$option" <<<"$bash" || echo "missing in bash: $verb $option"
    grep -qF -- "'*$option[" <<<"$zsh" || echo "missing in zsh: $verb $option"
  done
done
echo "$options options of $verbs verbs"
