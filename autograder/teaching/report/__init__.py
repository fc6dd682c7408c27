"""What a class understood of a lesson, and what not: a page, and tables."""
