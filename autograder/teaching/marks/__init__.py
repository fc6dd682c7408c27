"""Marks, written into the table that a learning platform exported."""
