"""Judging again after a lesson or a check has changed: first beside the course, and into it when that is wanted."""
