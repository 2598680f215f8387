"""Hostile and broken submissions; importing this fills `CORPUS`."""

from tests.grading.hostile import broken, forging, hogging, reaching
from tests.grading.hostile.corpus import CORPUS, Hostile

__all__ = ["CORPUS", "Hostile", "broken", "forging", "hogging", "reaching"]
