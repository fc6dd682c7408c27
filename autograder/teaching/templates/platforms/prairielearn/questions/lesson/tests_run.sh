#!/usr/bin/env bash
# PrairieLearn runs this as /grade/tests/run.sh, in the image that image/Dockerfile makes.
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
mkdir -p "$here/results"
exec bash "${GRADER:-/grader}/grade.sh" "$here/student" "$here/results/results.json"
