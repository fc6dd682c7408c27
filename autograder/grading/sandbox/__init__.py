"""Where a stranger's code runs, and what is locked there."""
