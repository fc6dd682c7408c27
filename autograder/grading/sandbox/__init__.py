"""Where a stranger's code runs, and how it is locked in."""
