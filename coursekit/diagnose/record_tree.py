"""The tree of a file's records: ids, parents, cycles, and a walk without recursion."""

from collections.abc import Iterator
from typing import Literal

from coursekit.diagnose.entry_record import EntryRecord
from coursekit.diagnose.finding import Finding, make_finding

_SHOWN = 8


class RecordTree:
    """Records by id, their children in file order, and what is wrong with the links."""

    def __init__(self, records: list[EntryRecord]) -> None:
        self.findings: list[Finding] = []
        self.by_id: dict[str, EntryRecord] = {}
        self.children: dict[str, list[EntryRecord]] = {}
        self.roots: list[EntryRecord] = []
        for record in records:
            self._name(record)
        for record in self.by_id.values():
            self._link(record)
        self._find_cycles()

    def walk(self) -> Iterator[tuple[Literal["enter", "leave"], EntryRecord]]:
        """Every record that a root reaches: entered, then its children, then left."""
        todo: list[tuple[Literal["enter", "leave"], EntryRecord]] = []
        todo += [("enter", root) for root in reversed(self.roots)]
        while todo:
            act, record = todo.pop()
            yield act, record
            if act == "enter":
                todo.append(("leave", record))
                children = self.children.get(str(record.id), [])
                todo += [("enter", child) for child in reversed(children)]

    def path(self, leaf: EntryRecord) -> list[EntryRecord]:
        """The records from the leaf up to its root, leaf first; ends on a cycle too."""
        path: list[EntryRecord] = []
        seen: set[str] = set()
        step: EntryRecord | None = leaf
        while step is not None and str(step.id) not in seen:
            seen.add(str(step.id))
            path.append(step)
            step = self.by_id.get(step.parent) if step.parent is not None else None
        return path

    def _name(self, record: EntryRecord) -> None:
        if not record.id:
            message = f"a {record.type or 'record'} entry has no id"
            self.findings.append(make_finding("missing-id", record.line, message))
        elif record.id in self.by_id:
            first = self.by_id[record.id].line
            message = f"the id {record.id!r} was used before, on line {first}"
            self.findings.append(make_finding("duplicate-id", record.line, message, (record.id,)))
        else:
            self.by_id[record.id] = record

    def _link(self, record: EntryRecord) -> None:
        entry_id = str(record.id)
        if record.parent is None:
            self.roots.append(record)
        elif record.parent not in self.by_id:
            message = f"the parent {record.parent!r} of {entry_id!r} is not in the file"
            ids = (entry_id, record.parent)
            self.findings.append(make_finding("missing-parent", record.line, message, ids))
            self.roots.append(record)
        else:
            self.children.setdefault(record.parent, []).append(record)

    def _find_cycles(self) -> None:
        """Follow parents from each record once; meeting one's own trail is a cycle."""
        trail_of: dict[str, int] = {}
        for number, start in enumerate(self.by_id.values()):
            trail: list[str] = []
            step: EntryRecord | None = start
            while step is not None and str(step.id) not in trail_of:
                trail_of[str(step.id)] = number
                trail.append(str(step.id))
                step = self.by_id.get(step.parent) if step.parent is not None else None
            if step is not None and trail_of[str(step.id)] == number:
                self._note_cycle(trail[trail.index(str(step.id)) :])

    def _note_cycle(self, ids: list[str]) -> None:
        shown = ", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if ids[_SHOWN:] else "")
        line = min(self.by_id[each].line for each in ids)
        message = f"the parents of {shown} form a cycle"
        self.findings.append(make_finding("cycle", line, message, tuple(ids)))
