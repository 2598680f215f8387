"""Draw the README's picture: `python tools/readme_picture.py`.

The opening transcript with its compaction, what was asked afterwards, and a branch
that was left; in colour, what the model sees.
"""

from pathlib import Path

from coursekit.context import build_context
from coursekit.session import parse_session_entry, path_to
from coursekit.transcripts import assistant, opening, user
from coursekit.view import draw

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "tree.svg"


def main() -> None:
    """Write the picture anew."""
    transcript = opening()
    left = [user("u2-b", "a1", "ask something else"), assistant("a2-b", "u2-b", "an answer")]
    records = [
        *transcript.entries[:2],
        *left,
        *transcript.entries[2:],
        transcript.compaction,
        *transcript.continuation,
    ]
    entries = [parse_session_entry(record) for record in records]
    seen = build_context(path_to(entries, "a4"), **(transcript.options | {"max_tokens": 99}))
    print(draw(entries, leaf="a4", projection=seen).save(PICTURE))


if __name__ == "__main__":
    main()
