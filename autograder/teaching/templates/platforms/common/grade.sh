#!/usr/bin/env bash
# Grades what a learner handed in, without a network: grade.sh FOLDER RESULTS
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/course" || exit
folder="$1" mha=(.venv/bin/python -m autograder.cli) trust=""
if ! "${mha[@]}" doctor; then # without a sandbox, in a machine that is thrown away
  trust=--trust-submissions
  nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp)
  if [ "$(id -u)" = 0 ] && "${nobody[@]}" "${mha[@]}" --help > /dev/null; then
    mha=("${nobody[@]}" "${mha[@]}") # who cannot write the results, nor change the grader
    folder="$(mktemp -d)" && cp -r -- "$1/." "$folder" && chmod -R a+rX "$folder"
  fi
fi
"${mha[@]}" grade-file "$folder" --lesson @lesson@ --as @platform@ $trust > "$2"
code=$?
[ "$code" = 3 ] && exit 0 # it cannot be graded, which the results say
exit "$code"
