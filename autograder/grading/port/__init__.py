"""The port: what is asked of a worker, how it crosses over, and what the judge makes of the answers."""
