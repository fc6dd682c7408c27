"""The programs that learners take along, with our version of every part; `mha export` puts theirs in."""
