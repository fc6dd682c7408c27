#!/usr/bin/env bash
# Grades what a learner handed in, without a network: grade.sh FOLDER RESULTS
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/course" || exit
grade=(.venv/bin/python -m autograder.cli grade-file "$1" --lesson @lesson@ --as @platform@)
if ! .venv/bin/python -m autograder.cli doctor; then # without a sandbox, in a machine that is thrown away
  grade+=(--trust-submissions)
  nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp)
  if [ "$(id -u)" = 0 ] && "${nobody[@]}" .venv/bin/python -c ""; then
    grade=("${nobody[@]}" "${grade[@]}") # who cannot write the results, nor change the grader
  fi
fi
"${grade[@]}" > "$2"
code=$?
[ "$code" = 3 ] && exit 0 # it cannot be graded, which the results say
exit "$code"
