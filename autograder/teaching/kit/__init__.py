"""The zip that students receive: a lesson, and what it needs to be installed."""
