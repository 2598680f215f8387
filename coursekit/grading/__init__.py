"""Grading: a folder of submissions to a report, with the answers in a sandbox."""
