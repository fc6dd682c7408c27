"""The wrong versions that people write of each step, with a message and hints for each."""
