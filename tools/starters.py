"""Writes a course's starters anew, from its reference.

Run it: python tools/starters.py [COURSE], the folder of another course's package.
"""

import sys
from pathlib import Path

from coursekit.check.starter import write_starters
from coursekit.workbook.chosen_course import course_at

if __name__ == "__main__":
    write_starters(course_at(Path(sys.argv[1]) if sys.argv[1:] else None))
