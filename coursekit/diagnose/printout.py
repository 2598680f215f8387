"""Findings for a reader, in lines of at most 80 characters but for long ids."""

import os
import textwrap
from collections.abc import Sequence

from coursekit.diagnose.finding import Finding


def findings_text(findings: Sequence[Finding], path: str | os.PathLike[str]) -> str:
    """All findings on the file at `path`, and a closing line that counts them."""
    parts = [_finding_text(finding) for finding in findings]
    count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
    parts.append(f"{count} in {os.fspath(path)}; the file was only read.")
    return "\n\n".join(parts)


def _finding_text(finding: Finding) -> str:
    head = f"line {finding.line}: {finding.severity}: {finding.code}"
    return "\n".join([head, *map(_indented, (finding.message, finding.advice))])


def _indented(text: str) -> str:
    return textwrap.fill(
        text, 80, initial_indent="  ", subsequent_indent="  ", break_long_words=False
    )
