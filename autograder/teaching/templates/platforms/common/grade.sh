#!/usr/bin/env bash
# Grades what a learner handed in, without a network: grade.sh FOLDER RESULTS
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/course" || exit
trust=""
.venv/bin/python -m autograder.cli doctor || trust=--trust-submissions # the machine is thrown away afterwards
.venv/bin/python -m autograder.cli grade-file "$1" --lesson @lesson@ --as @platform@ --json "$2" $trust
code=$?
[ "$code" = 3 ] && exit 0 # it cannot be graded, which the results say
exit "$code"
