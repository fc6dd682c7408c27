"""What nbgrader finds out for each cell, and each time it opens the gradebook, found out once: an eighth of grading."""

from functools import cache

from jsonschema import Draft4Validator
from nbgrader import api


def find_out_once():
    """In this process. What it finds out stays the same."""
    api.create_engine = cache(api.create_engine)  # an engine remembers how each question is put
    Draft4Validator.check_schema = _needs_no_check


def _needs_no_check(schema, **options):
    """The schemas are nbgrader's own; what is held against them is checked as ever."""
