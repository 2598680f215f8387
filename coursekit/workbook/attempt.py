"""An attempt: check the saved answers, remember how it went, and tell it."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from coursekit.workbook import edits, manifest, waiting
from coursekit.workbook.answers import TIME_LIMIT
from coursekit.workbook.card import WIDTH
from coursekit.workbook.checks import CheckResult, Report, run
from coursekit.workbook.errors import WorkbookError
from coursekit.workbook.progress import Progress
from coursekit.workbook.stubs import MODULES

_PRINTED_LINES = 12
_BELOW = " " * 8
"""The indent of a message of one line, which stands below its check's name."""


def attempt(labs: Sequence[str], folder: Path) -> tuple[Report, str]:
    """Check labs (all when empty) and note the results in the progress file.

    A progress file that can't be used changes no verdict: it is told, in the text
    beside the report, which is empty when all went well.
    """
    files = {module: edits.fingerprint(folder, [module]) for module in MODULES}
    with waiting.counted(f"Each check that never ends is stopped after {TIME_LIMIT:g} s."):
        report = run(labs, folder)
    try:
        progress = Progress(folder)
        for lab_id, results in report.labs().items():
            ended = {each.name: each.passed for each in results}
            progress.mark_checks(ended, files[manifest.find(lab_id).module])
        progress.save()
    except (WorkbookError, OSError) as problem:
        return report, f"not remembered: {problem}"
    return report, ""


def report_text(report: Report, hint: str = "coursekit hint {}") -> str:
    """A report for a reader, in lines of at most 80 characters.

    `hint` is how a hint is asked for where the reader is, with a place for the lab.
    """
    lines = []
    shown_at: dict[str, str] = {}
    for lab_id, results in report.labs().items():
        lab = manifest.find(lab_id)
        passed = sum(result.passed for result in results)
        lines.append(f"Lab {lab.id}  {lab.title}  {passed}/{len(results)}")
        for result in results:
            lines.append(f"  {'pass' if result.passed else 'FAIL'}  {result.name}  {result.title}")
            if not result.passed:
                first = shown_at.setdefault(result.message, result.name)
                lines += _message_lines(result, first)
    failed = [result for result in report.results if not result.passed]
    if failed and report.printed:
        shown = report.printed.splitlines()
        lines += ["Your code printed:", *(f"    {line}" for line in shown[:_PRINTED_LINES])]
        lines += ["    …"] if len(shown) > _PRINTED_LINES else []
    lines.append(f"{report.passed}/{report.total} checks pass.")
    if failed:
        lab = manifest.find(failed[0].lab)
        if failed[0].message.startswith(f"not started: Lab {lab.id}"):
            lines.append(f"Next: write {lab.function} in {lab.module}.")
        lines.append(f"For a hint: {hint.format(lab.id)}")
    return "\n".join(lines)


def _message_lines(result: CheckResult, first: str) -> list[str]:
    """What a failed check says; `first` is the check that said it before."""
    if "\n" not in result.message:
        return textwrap.wrap(result.message, WIDTH, initial_indent=_BELOW, subsequent_indent=_BELOW)
    if first != result.name:
        return [f"{_BELOW}the same as {first}"]
    return ["", *(f"    {line}".rstrip() for line in result.message.splitlines()), ""]
