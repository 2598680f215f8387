"""An attempt: check the saved answers, remember how it went, and tell it."""

from collections.abc import Sequence
from pathlib import Path

from coursekit.workbook import edits, manifest
from coursekit.workbook.checks import Report, run
from coursekit.workbook.errors import WorkbookError
from coursekit.workbook.progress import Progress
from coursekit.workbook.stubs import MODULES

_PRINTED_LINES = 12


def attempt(labs: Sequence[str], folder: Path) -> tuple[Report, str]:
    """Check labs (all when empty) and note the results in the progress file.

    A progress file that can't be used changes no verdict: it is told, in the text
    beside the report, which is empty when all went well.
    """
    files = {module: edits.fingerprint(folder, [module]) for module in MODULES}
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


def report_text(report: Report) -> str:
    """A report for a reader, in lines of at most 80 characters."""
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
                again = first != result.name and "\n" in result.message
                message = f"  the same as {first}" if again else result.message
                told = [f"    {line}".rstrip() for line in message.splitlines()]
                lines += ["", *told, ""]
    failed = [result.lab for result in report.results if not result.passed]
    if failed and report.printed:
        shown = report.printed.splitlines()
        lines += ["Your code printed:", *(f"    {line}" for line in shown[:_PRINTED_LINES])]
        lines += ["    …"] if len(shown) > _PRINTED_LINES else []
    lines.append(f"{report.passed}/{report.total} checks pass.")
    if failed:
        lines.append(f"For a hint: coursekit hint {failed[0]}")
    return "\n".join(lines)
