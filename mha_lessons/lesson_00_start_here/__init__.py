"""Start here: the weighted mean, and how a lesson works."""
