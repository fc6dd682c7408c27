"""Judging a torch module that a learner wrote: its weights are found, exchanged for the judge's, and tried."""
