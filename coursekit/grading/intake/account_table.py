"""The account as a table: 80 columns, a line for each file, a count at the end."""

import csv
import io
from collections.abc import Iterator, Sequence

from coursekit.grading.intake.account import Account, FileAccount, StudentAccount
from coursekit.grading.reports import safe_text

_WIDTH = 80
_FATE = len("not understood")


def account_text(account: Account) -> str:
    """The table: each student with the files, what is no student's, and the counts."""
    lines: list[str] = []
    for student in account.students:
        lines.append(_clipped(_heading(student), _WIDTH))
        lines += _file_lines(student.files)
        lines += [f"  {'missing':{_FATE}}  {name}" for name in student.missing]
    if account.others:
        lines.append("Of no student")
        lines += _file_lines(account.others)
    return "\n".join([*lines, "", *_ending(account)])


def students_csv(account: Account) -> str:
    """A row for each student, with late in a column of its own."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["student", "name", "id", "status", "late", "attempts", "counts", "missing"])
    for each in account.students:
        newest = each.attempts[-1] if each.attempts else ""
        row = [
            each.folder,
            each.name,
            each.id,
            each.status,
            _late(each),
            str(len(each.attempts) or 1),
            newest,
            " ".join(each.missing),
        ]
        writer.writerow([safe_text.cell(value) for value in row])
    return table.getvalue()


def _late(student: StudentAccount) -> str:
    return {None: "", True: "yes", False: "no"}[student.late]


def _heading(student: StudentAccount) -> str:
    parts = [student.folder]
    if student.id and student.id not in student.folder:
        parts.append(student.id)
    parts.append(student.status)
    if student.late:
        parts.append("late")
    if len(student.attempts) > 1:
        parts.append(f"{student.attempts[-1]}, the newest of {len(student.attempts)}")
    return " · ".join(safe_text.line(part) for part in parts)


def _file_lines(files: Sequence[FileAccount]) -> Iterator[str]:
    for file in _gathered(files):
        many = f" ({file.count:,} files)" if file.count != 1 else ""
        head = f"  {file.fate:{_FATE}}  "
        path = safe_text.line(file.path) + many
        if not file.why:
            yield head + _clipped(path, _WIDTH - len(head))
            continue
        why = safe_text.line(file.why)
        if _cells(path) + _cells(why) + 2 <= _WIDTH - len(head):
            yield f"{head}{path}: {why}"
        else:
            yield head + _clipped(path, _WIDTH - len(head) - 1) + ":"
            yield " " * (len(head) + 2) + _clipped(why, _WIDTH - len(head) - 2)


def _gathered(files: Sequence[FileAccount]) -> Iterator[FileAccount]:
    """Files of one folder that are set aside for one reason, as one line; all else as it is."""
    groups: dict[tuple[str, str], list[FileAccount]] = {}
    for file in files:
        together = file.fate == "set aside"
        key = (file.path.rpartition("/")[0], file.why) if together else (file.path, file.fate)
        groups.setdefault(key, []).append(file)
    for (folder, why), group in groups.items():
        if len(group) < 4 or not folder or group[0].fate != "set aside":
            yield from group
        else:
            count = sum(file.count for file in group)
            yield FileAccount(f"{folder}/…", "set aside", why, count)


def _ending(account: Account) -> list[str]:
    counts = account.counts()
    fates = ", ".join(f"{count:,} {fate}" for fate, count in counts.items())
    ways = [
        f"{number:,} {status}"
        for status in ("complete", "incomplete", "ambiguous", "nothing")
        if (number := sum(each.status == status for each in account.students))
    ]
    late = sum(bool(each.late) for each in account.students)
    return [
        f"{_counted(sum(counts.values()), 'file')}: {fates}.",
        f"{_counted(len(account.students), 'student')}: {', '.join(ways)}; {late:,} late. "
        f"Layout: {account.layout}.",
    ]


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(wcswidth(text), 0)


def _clipped(text: str, width: int) -> str:
    """The text, and where it is too wide its beginning and end."""
    if _cells(text) <= width:
        return text
    end = text[-width // 2 :]
    while _cells(end) > width // 2:
        end = end[1:]
    start = text[:width]
    while _cells(start) + 1 + _cells(end) > width:
        start = start[:-1]
    return f"{start}…{end}"
