"""A course of two labs, as small as a course can be: running means, and brackets.

CONTRIBUTING shows with it how a lab is added; `tests/another_course` runs it.
"""
