"""The course on multi-head attention: one folder for each lesson."""

from autograder.course import Course

course = Course(__name__)
