"""Findings as lines for a reader."""

from coursekit.diagnose import diagnose_bytes
from coursekit.diagnose.printout import findings_text
from tests.diagnose.damaged_files import DAMAGE, LINES


def test_each_finding_has_its_line_its_message_and_its_advice() -> None:
    findings = diagnose_bytes(LINES + b"[1]\n\n")
    assert findings_text(findings, "s.jsonl").splitlines() == [
        "line 4: error: not-object",
        "  the line holds list, not an object",
        "  Mend the line in a copy of the file, and keep the original.",
        "",
        "line 5: warning: blank-line",
        "  the line is blank",
        "  Remove it in a copy; the course's store refuses it.",
        "",
        "2 findings in s.jsonl; the file was only read.",
    ]


def test_a_line_fits_a_terminal() -> None:
    findings = [each for _, data, _, _ in DAMAGE for each in diagnose_bytes(data)]
    assert max(map(len, findings_text(findings, "s.jsonl").splitlines())) <= 80


def test_one_finding_is_one() -> None:
    assert findings_text(diagnose_bytes(b""), "s").endswith(
        "1 finding in s; the file was only read."
    )
