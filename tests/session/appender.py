"""A program for the tests to stop: it appends entry after entry, and reports each one.

    python appender.py FILE FIRST LARGE

Entries are numbered from FIRST. After an append has returned, the number goes to
stdout. About one entry in three carries LARGE characters. `entry(n)` is what entry n holds.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from coursekit.session import JsonlSessionStore, MetadataSessionEntry


def entry(number: int, large: int) -> MetadataSessionEntry:
    size = large if number % 3 == 0 else 20
    return MetadataSessionEntry(f"e{number}", None, number, "k", f"{number}会" * (size // 8))


def main(file: str, first: int, large: int) -> None:
    store = JsonlSessionStore.open(file)
    number = first
    while True:
        store.append(entry(number, large))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        number += 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
