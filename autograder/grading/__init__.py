"""Grading: the judge stays here, what learners wrote runs in a sandbox."""
