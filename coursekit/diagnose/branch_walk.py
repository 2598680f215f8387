"""What happens along the branches: calls and results, and where compactions cut."""

from dataclasses import dataclass, field
from itertools import islice

from coursekit.diagnose.entry_record import EntryRecord
from coursekit.diagnose.file_lines import Kind
from coursekit.diagnose.finding import Finding, make_finding
from coursekit.diagnose.record_tree import RecordTree

_CUT_OFF = ("error", "aborted")
_SHOWN = 8

_Table = dict[str, EntryRecord]


@dataclass
class _Interaction:
    """What is known of the interaction under way, on the branch under way, by call id.

    `unanswered` and `orphans` hold what is to be reported where the interaction ends. What is
    reported leaves them for good, so that a thousand branches from one place report it once.
    """

    calls: _Table = field(default_factory=dict)
    results: _Table = field(default_factory=dict)
    open: _Table = field(default_factory=dict)
    """Calls that have no result yet."""
    unanswered: _Table = field(default_factory=dict)
    """The same, but for those of a message that was cut off."""
    orphans: _Table = field(default_factory=dict)
    """Results that have no call yet."""


class BranchWalk:
    """One walk over all branches; each branch undoes what it added on the way back."""

    def __init__(self, tree: RecordTree, kind: Kind, leaf: EntryRecord | None) -> None:
        self._tree = tree
        self._kind = kind
        self._leaf = leaf
        self._findings: list[Finding] = []
        self._now = _Interaction()
        self._noted: set[tuple[str, str, str]] = set()
        self._on_path: set[str] = set()
        self._targets = {each.first_kept for each in tree.by_id.values() if each.first_kept}
        self._open_at: dict[str, list[str]] = {}

    def findings(self) -> list[Finding]:
        """What the walk finds, in the order of the branches."""
        undo: list[list[tuple[_Table, str, EntryRecord | None]]] = []
        before: list[_Interaction] = []
        for act, record in self._tree.walk():
            entry_id = str(record.id)
            if act == "leave":
                if entry_id not in self._tree.children:
                    self._close(record, at_tip=True)
                for table, key, old in reversed(undo.pop()):
                    _set(table, key, old)
                self._now = before.pop()
                self._on_path.discard(entry_id)
                continue
            before.append(self._now)
            if record.starts_interaction:
                self._close(record, at_tip=False)
                self._now = _Interaction()
            if entry_id in self._targets:
                self._open_at[entry_id] = self._some_open_calls()
            undo.append(self._read(record))
            self._on_path.add(entry_id)
        return self._findings

    def _read(self, record: EntryRecord) -> list[tuple[_Table, str, EntryRecord | None]]:
        """Take one record in; returns what to put back when its branch is left."""
        changed: list[tuple[_Table, str, EntryRecord | None]] = []
        now = self._now

        def put(table: _Table, key: str, value: EntryRecord | None) -> None:
            changed.append((table, key, table.get(key)))
            _set(table, key, value)

        if record.type == "compaction":
            self._look_at_compaction(record)
        if record.calls and record.stop in _CUT_OFF:
            calls = ", ".join(map(repr, record.calls))
            message = f"{record.id}: a message that ended with {record.stop} calls {calls}"
            self._note("cut-off-call", record, message, *record.calls)
        for call in record.calls:
            if call in now.calls:
                self._note("repeated-call", record, f"{record.id}: call {call!r} again", call)
                continue
            put(now.calls, call, record)
            put(now.orphans, call, None)
            if call not in now.results:
                put(now.open, call, record)
                if record.stop not in _CUT_OFF:
                    put(now.unanswered, call, record)
        if record.result is not None:
            call = record.result
            if call in now.results:
                message = f"{record.id}: a second result for call {call!r}"
                self._note("doubled-result", record, message, call)
            else:
                put(now.results, call, record)
                put(now.open, call, None)
                put(now.unanswered, call, None)
                if call not in now.calls:
                    put(now.orphans, call, record)
        return changed

    def _close(self, record: EntryRecord, *, at_tip: bool) -> None:
        """An interaction ends: at a user message, or where a branch does."""
        now = self._now
        if at_tip and record is self._leaf:
            for call, asker in now.open.items():
                if asker.stop not in _CUT_OFF:
                    message = f"{asker.id}: call {call!r} has no result yet"
                    self._note("open-call", asker, message, call)
        else:
            for call, asker in now.unanswered.items():
                message = f"{asker.id}: call {call!r} has no result"
                message += "" if at_tip else f" before {record.id}"
                self._note("missing-result", asker, message, call)
            now.unanswered.clear()
        for call, result in now.orphans.items():
            message = f"{result.id}: the result for {call!r} has no call in its interaction"
            self._note("orphan-result", result, message, call)
        now.orphans.clear()

    def _look_at_compaction(self, record: EntryRecord) -> None:
        first = record.first_kept
        if calls := self._some_open_calls():
            more = len(self._now.open) - len(calls)
            shown = ", ".join(map(repr, calls)) + (f" and {more} more" if more else "")
            message = f"{record.id} compacts before there is a result for {shown}"
            self._note("compaction-in-call", record, message, *calls)
        if first is None:
            return
        target = self._tree.by_id.get(first)
        if target is None:
            message = f"{record.id} keeps from {first!r}, which is not in the file"
            self._note("first-kept-missing", record, message, first)
        elif first not in self._on_path:
            message = f"{record.id} keeps from {first!r}, which is not before it on its path"
            self._note("first-kept-off-path", record, message, first)
        elif self._kind == "course" and not target.starts_interaction:
            message = f"{record.id} keeps from {first!r}, which begins no interaction"
            self._note("first-kept-inside", record, message, first)
        elif target.result is not None or self._open_at.get(first):
            message = f"{record.id} keeps from {first!r}, between a call and its result"
            self._note("first-kept-inside", record, message, first, *self._open_at.get(first, []))

    def _some_open_calls(self) -> list[str]:
        """The oldest open calls, no more than a reader wants to see."""
        return list(islice(self._now.open, _SHOWN))

    def _note(self, code: str, record: EntryRecord, message: str, *ids: str) -> None:
        key = (code, str(record.id), ids[0] if ids else "")
        if key not in self._noted:  # branches that part behind a fault meet it again
            self._noted.add(key)
            self._findings.append(make_finding(code, record.line, message, (str(record.id), *ids)))


def _set(table: _Table, key: str, value: EntryRecord | None) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value
