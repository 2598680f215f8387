"""Flags: whose code a student's is like, lab by lab."""

import ast

from coursekit.course import COURSE
from coursekit.grading.comparison import similarity
from coursekit.grading.comparison.fingerprint import fingerprints
from tests.solutions.answers import right_file


def test_the_reference_and_classmates_are_named_lab_by_lab() -> None:
    asked = {name: right_file(name).encode() for name in ("session.py", "context.py")}

    def found(session: str, context: str) -> dict[str, str]:
        digests: dict[str, str] = {}
        answers = {"session.py": session.encode(), "context.py": context.encode()}
        for each in similarity.source_queries(COURSE, answers):
            source = each["source"].encode("latin-1")
            digests |= fingerprints(source, each["functions"], each["starter_names"])
        return digests

    session, context = (text.decode() for text in asked.values())
    own = "\n\ndef group_interactions(a):\n" + "".join(
        f"    x{i} = a[{i}] + {i}\n" for i in range(20)
    )
    flags = similarity.find_flags(
        COURSE,
        {
            "Ana": found(session, context + own),
            "Ben": found("", own.replace("x", "mine")),
            "Cleo": found("", own + "    return a\n"),
        },
    )
    assert flags["Ana"]["11.1"] == "as the reference"
    assert flags["Ana"]["11.2"] == "as Ben"
    assert flags["Ben"] == {"11.2": "as Ana"}
    assert flags["Cleo"] == {}
    assert similarity.in_one_line(flags["Ben"]) == "11.2 as Ana"


def test_every_lab_of_the_reference_has_one() -> None:
    assert set(similarity.reference(COURSE)) == {lab.function for lab in COURSE.labs}
    assert ast.parse(right_file("context.py"))
