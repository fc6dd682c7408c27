"""Report what a class has understood of a lesson, as a page and as tables."""
