"""What an instructor calls around grading."""
