"""Every code has a severity, advice, and a damage that shows it."""

from coursekit.diagnose import CODES
from coursekit.diagnose.finding import make_finding
from tests.diagnose.damaged_files import DAMAGE


def test_every_code_has_its_damage() -> None:
    assert {row[0] for row in DAMAGE} == set(CODES)


def test_a_finding_has_its_severity_and_advice_from_its_code() -> None:
    finding = make_finding("torn-line", 3, "broke off", ("a",))
    severity, advice = CODES["torn-line"]
    assert finding.to_json() == {
        "code": "torn-line",
        "severity": severity,
        "line": 3,
        "ids": ["a"],
        "message": "broke off",
        "advice": advice,
    }
