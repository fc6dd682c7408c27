"""The wrong versions that people write of each step."""
