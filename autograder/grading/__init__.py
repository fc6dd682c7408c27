"""Grading the work of strangers: their code runs in a sandbox of its own, and is judged outside of it."""
