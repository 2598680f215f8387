"""Each hostile or broken submission gets its status and its score, in the real sandbox."""

import socket
import threading
import xml.etree.ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.grading.record import StudentRecord
from tests.grading.graded import graded
from tests.grading.hostile import CORPUS, Hostile
from tests.grading.hostile.reaching import PORT

pytestmark = pytest.mark.bwrap

QUICK = [each for each in CORPUS if each.quick]
REST = [each for each in CORPUS if not each.quick]


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StudentRecord]:
    return graded(QUICK, tmp_path_factory.mktemp("quick"))


@pytest.fixture(scope="module")
def listening() -> Iterator[list[object]]:
    """Connections that came to the port that is tried, while the fixture lives."""
    came: list[object] = []
    with socket.socket() as server:
        server.bind(("127.0.0.1", PORT))
        server.listen()

        def serve() -> None:
            try:
                while True:
                    came.append(server.accept())
            except OSError:
                pass

        threading.Thread(target=serve, daemon=True).start()
        yield came


@pytest.fixture(scope="module")
def rest(
    tmp_path_factory: pytest.TempPathFactory, listening: list[object]
) -> dict[str, StudentRecord]:
    return graded(REST, tmp_path_factory.mktemp("rest"))


def test_there_are_many() -> None:
    assert len(CORPUS) >= 40


@pytest.mark.parametrize("each", QUICK, ids=lambda each: each.name)
def test_quick(each: Hostile, quick: dict[str, StudentRecord]) -> None:
    _expect(each, quick[each.name])


@pytest.mark.gate
@pytest.mark.parametrize("each", REST, ids=lambda each: each.name)
def test_rest(each: Hostile, rest: dict[str, StudentRecord]) -> None:
    _expect(each, rest[each.name])


def _expect(each: Hostile, record: StudentRecord) -> None:
    messages = [
        f"{verdict.check}: {verdict.message}" for verdict in record.verdicts if verdict.message
    ]
    got = (record.status, record.total)
    assert got == (each.status, each.total), "\n".join([*record.notes, *messages[:2]])


@pytest.mark.gate
def test_nothing_was_done_outside(rest: dict[str, StudentRecord], listening: list[object]) -> None:
    assert not Path("/tmp/pickled").exists()
    assert listening == []


def test_reports_hold_no_markup_or_formula_of_a_student(
    quick: dict[str, StudentRecord], tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = tmp_path_factory.getbasetemp() / "quick0" / "report"
    page = (out / "feedback" / "html, script and formulas in messages.html").read_text()
    assert "=cmd|" in page
    for text in (*map(Path.read_text, out.rglob("*.html")), (out / "grades.csv").read_text()):
        assert "<script" not in text
        assert not any(bad in text for bad in ("\x1b", "\x07", "\u202e", "\udfff"))
    for line in (out / "grades.csv").read_text().splitlines():
        assert not line.startswith(("=", "+", "-", "@"))
    xml.etree.ElementTree.parse(out / "junit.xml")


def test_feedback_names_the_check_to_mend_first(quick: dict[str, StudentRecord]) -> None:
    verdicts = {each.check: each for each in quick["os._exit in a call"].verdicts}
    assert "Mend 11.2/1 first" in verdicts["11.3/1"].message
    assert "Mend" not in verdicts["11.2/1"].message
    assert "ended the whole Python process" in verdicts["11.2/1"].message


def test_predictions_are_participation_and_no_score(quick: dict[str, StudentRecord]) -> None:
    record = quick["zip nested, spaces and Chinese"]
    assert (record.predictions, record.total) == (2, 14)
