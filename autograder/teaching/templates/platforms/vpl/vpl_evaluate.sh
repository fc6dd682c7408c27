#!/bin/bash
# VPL runs this beside what a student wrote, and then vpl_execution, whose output it reads.
# On the execution server the folder server/ of this bundle lies in /opt/grader, set up by `bash set_up.sh`.
{
  echo '#!/bin/bash'
  echo '[ -f vpl_environment.sh ] && . ./vpl_environment.sh'
  echo 'mkdir -p submission && cp -- *.ipynb submission/'
  echo 'bash "${GRADER:-/opt/grader}/grade.sh" "$PWD/submission" "$PWD/results.txt"'
  echo 'cat results.txt'
} > vpl_execution
chmod +x vpl_execution
