"""Feedback: a page for each student, with their own code and the cards beside it."""
