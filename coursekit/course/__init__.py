"""What is taught: the manifest, each lab's cases, observations and wording, predictions."""

from pathlib import Path

from coursekit.check.course import Course

COURSE = Course("coursekit.course", Path(__file__).parent)
"""The course that coursekit brings along."""
