#!/usr/bin/env bash
# Gradescope runs this when it builds the image.
exec bash /autograder/source/set_up.sh
