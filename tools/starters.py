"""Writes the repository's starters anew, from the reference.

Run it: python tools/starters.py
"""

from coursekit.check.starter import write_starters
from coursekit.course import COURSE

if __name__ == "__main__":
    write_starters(COURSE)
