"""What tests need from the machine, and what becomes of those that can't have it.

With COURSEKIT_NO_SKIP=1, as in CI, a skipped test is a failed one.
"""

import os
import shutil
import signal
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
PI_TOOLS = Path(os.environ.get("COURSEKIT_PI_TOOLS", ROOT / ".tools"))
NO_SKIP = os.environ.get("COURSEKIT_NO_SKIP") == "1"

# A shell that starts us in the background lets us ignore Ctrl-C, and a program started
# from here would inherit that; the ones that tests interrupt must not.
signal.signal(signal.SIGINT, signal.default_int_handler)

COMMON = settings(
    deadline=None,  # a slow machine is no fault of the code
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("coursekit", COMMON, max_examples=40)
settings.register_profile("gate", COMMON, max_examples=300)  # --hypothesis-profile=gate
settings.load_profile("coursekit")


def _missing(marker: str) -> str | None:
    """Why a test with this marker can't run here, in one sentence; None if it can."""
    if marker == "node":
        node = PI_TOOLS / "node_modules" / ".bin" / "node"
        return None if node.exists() else f"Node.js and Pi are not installed in {PI_TOOLS}."
    program = {"dot": "dot", "bwrap": "bwrap", "browser": "chromium"}[marker]
    return None if shutil.which(program) else f"The program {program} is not on PATH."


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Skip what needs a program that isn't here, saying which."""
    reasons = {marker: _missing(marker) for marker in ("dot", "bwrap", "browser", "node")}
    for item in items:
        for marker, reason in reasons.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Where nothing may be skipped, turn a skip into a failure with its reason."""
    report = yield
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"COURSEKIT_NO_SKIP=1 and this was skipped: {report.longrepr}"
    return report
