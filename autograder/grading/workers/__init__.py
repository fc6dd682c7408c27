"""What runs in the sandbox: a learner's cells, and what they wrote, called as the examiner asks."""
