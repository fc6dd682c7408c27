"""Taking in work: what students hand in is collected, repaired, and noted down, before anything is graded."""
