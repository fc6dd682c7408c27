"""Judge again after a lesson or a check has changed: beside the course first, and in it when that is wanted."""
