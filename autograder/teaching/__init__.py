"""What an instructor calls before grading and after it."""
