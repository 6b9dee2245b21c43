#!/usr/bin/env bash
# usage: verify.sh OUT FILE.c...
# Verifies each file by itself. The folder OUT gets a SARIF file and a page for each. Fails if a property is violated or a
# file cannot be read; what stays open is only told. FOLDBACK names the program, FOLDBACK_FLAGS are added to every run.
set -uo pipefail
out=$1
shift
# The folder may have come with the files: nothing is written through links or into pipes that lie there.
[[ $out == -* ]] && out=./$out
[[ -L $out ]] || mkdir -p "$out" || exit 2
if [[ -L $out || -n $(find "$out" ! -type f ! -type d -print -quit 2>&1) ]]; then
  echo "error: $out is a link, or holds links or pipes: name a folder of its own" >&2
  exit 2
fi
failed=0
for file in "$@"; do
  name=${file#./}
  name=${name//\//-}
  # Flags are words: splitting them is meant.
  # shellcheck disable=SC2086
  ${FOLDBACK:-foldback} verify ${FOLDBACK_FLAGS:---time-limit 60s} --sarif "$out/$name.sarif" --html "$out/$name.html" \
    -- "$file" >"$out/$name.txt" 2>&1
  code=$?
  # Names and messages come from the files: a line of them must not be taken for a command of the runner.
  printf '%s: %s\n' "$file" "$(tail -n 1 "$out/$name.txt" | tr -d '\r')" | sed -E 's/^([[:space:]]*)::/\1: :/; s/##\[/## [/g'
  case $code in
    0) ;;
    3) echo "::notice::foldback has no answer for one of the files" ;;
    *) failed=1 ;;
  esac
done
exit $failed
