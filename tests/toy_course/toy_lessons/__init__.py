"""A small course about something else, on which the engine is tested: how far numbers lie apart."""

from autograder.course import Course

course = Course(__name__)
