"""Planning a compaction: what to summarise, what to keep, and why the cut is where it is.

Pi 1.6.0 prepareCompaction. Planning reads a path and changes nothing; `summary.compact` asks for
the summaries, and `SessionManager.append_compaction` writes the entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import cast

from coursekit.pi.compaction.cut_point import CutPoint, find_cut_point
from coursekit.pi.compaction.file_operations import FileOperations
from coursekit.pi.compaction.settings import CompactionSettings
from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import paused_collector
from coursekit.pi.model_messages import Message
from coursekit.pi.projection import ProjectedEntry, build_session_projection
from coursekit.pi.tokens import ProjectedEstimate, estimate_projected_context_tokens

_REASONS = {
    "target": "the newest {tokens:,} tokens reach the target of {target:,}",
    "last_allowed": (
        "tool results at the end reach the target of {target:,} alone; "
        "the call that they answer stays with them"
    ),
    "short": "all {tokens:,} tokens are less than the target of {target:,}",
    "nowhere": "no entry may be cut at",
    "failed_attempt": "only an omitted answer follows, so everything visible is summarised",
}


class CompactionPreparation:
    """A planned compaction. The active path falls into three runs of projected entries.

    `summarized` and `turn_prefix` are what a summary takes the place of, `kept` stays as it is.
    Messages and files are collected when they are first asked for.
    """

    def __init__(
        self,
        entries: Sequence[ProjectedEntry],
        start: int,
        cut: CutPoint,
        estimate: ProjectedEstimate,
        settings: CompactionSettings,
    ) -> None:
        history_end = cut.index if cut.turn_start is None else cut.turn_start
        self.previous_compaction: Entry | None = entries[0].source_entry if start else None
        """The compaction that this one follows on the path."""
        self.summarized: Sequence[ProjectedEntry] = entries[start:history_end]
        """Whole turns before the cut: the history."""
        self.turn_prefix: Sequence[ProjectedEntry] = entries[history_end : cut.index]
        """The beginning of the turn that the cut goes through; empty where it splits none."""
        self.kept: Sequence[ProjectedEntry] = entries[cut.index :]
        """From the first kept entry to the leaf."""
        self.cut = cut
        self.estimate = estimate
        """Which usage the size before rests on, and which one was stale."""
        self.settings = settings

    @property
    def first_kept_entry_id(self) -> str:
        """The entry where the kept part begins."""
        return self.kept[0].source_entry.id

    @property
    def is_split_turn(self) -> bool:
        """Whether the cut goes through a turn: then history and prefix are summarised apart."""
        return self.cut.is_split_turn

    @property
    def tokens_before(self) -> int:
        """The size of the context before, in tokens, as `estimate_projected_context_tokens`."""
        return self.estimate.tokens

    @property
    def previous_summary(self) -> str | None:
        """What the next summary must carry on; None for the first compaction."""
        if self.previous_compaction is None:
            return None
        # Text where Pi wrote the file; another value is passed on, as in Pi.
        return cast("str | None", self.previous_compaction.get("summary"))

    @cached_property
    def messages_to_summarize(self) -> list[Message]:
        """The messages of the history, edits applied."""
        return _conversation(self.summarized)

    @cached_property
    def turn_prefix_messages(self) -> list[Message]:
        """The messages of the turn's beginning, edits applied."""
        return _conversation(self.turn_prefix)

    @cached_property
    def file_ops(self) -> FileOperations:
        """Files of the summarised calls and of the previous compaction."""
        files = FileOperations()
        if self.previous_compaction is not None:
            files.add_compaction(self.previous_compaction)
        for message in (*self.messages_to_summarize, *self.turn_prefix_messages):
            files.add_message(message)
        return files

    def explain(self) -> str:
        """Why the cut is where it is, and what happens to which entries: a few short lines."""
        why = _REASONS[self.cut.reason].format(
            tokens=self.cut.recent_tokens, target=self.settings.keep_recent_tokens
        )
        lines = [f"{self.tokens_before:,} tokens before; {self._source()}", f"cut: {why}"]
        if self.previous_compaction is not None:
            lines.append(f"carried on    summary of {self.previous_compaction.id}")
        lines.extend(
            f"{name:<12} {_span(entries)}"
            for name, entries in (
                ("summarised", self.summarized),
                ("turn prefix", self.turn_prefix),
                ("kept", self.kept),
            )
            if entries
        )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"CompactionPreparation(first_kept_entry_id={self.first_kept_entry_id!r}, "
            f"summarized={len(self.summarized)}, turn_prefix={len(self.turn_prefix)}, "
            f"kept={len(self.kept)}, tokens_before={self.tokens_before})"
        )

    def _source(self) -> str:
        estimate = self.estimate
        if estimate.usage_entry_id is not None:
            return f"usage of {estimate.usage_entry_id} and {estimate.trailing_tokens:,} estimated"
        if estimate.stale_usage_entry_id is None:
            return "all estimated, no usage to go by"
        after = estimate.invalidated_by or "a change"
        return f"all estimated: the usage of {estimate.stale_usage_entry_id} is from before {after}"


def prepare_compaction(
    path: Sequence[Entry], settings: CompactionSettings | None = None
) -> CompactionPreparation | None:
    """Plan a compaction of an active path (root first), or None where there is nothing to do.

    None: the path is empty or ends in a compaction, or no message lies before the cut. `settings`
    are Pi's defaults where they are None; `enabled` is for the automatic trigger and not asked
    here. The plan works on what the model sees, so an entry that an edit omitted is counted as
    nothing and an edited one by its new content.
    """
    settings = CompactionSettings() if settings is None else settings
    if path and path[-1].type == "compaction":
        return None
    projection = build_session_projection(path)
    entries = projection.entries
    start = 1 if entries and _summarizes(entries[0]) else 0
    if start == len(entries):
        return None
    estimate = estimate_projected_context_tokens(projection, path)
    cut = find_cut_point(entries, start, settings.keep_recent_tokens)
    preparation = CompactionPreparation(entries, start, cut, estimate, settings)
    before = entries[start : cut.index]
    return preparation if any(map(_has_conversation, before)) else None


def _summarizes(entry: ProjectedEntry) -> bool:
    return entry.source_entry.type == "compaction" and bool(entry.messages)


def _conversation(entries: Iterable[ProjectedEntry]) -> list[Message]:
    """System messages are left out: the compaction entry carries their replay."""
    with paused_collector():
        return [
            message
            for entry in entries
            if entry.source_entry.type != "compaction"
            for message in entry.messages
            if message.get("role") != "system"
        ]


def _has_conversation(entry: ProjectedEntry) -> bool:
    return bool(_conversation([entry]))


def _span(entries: Sequence[ProjectedEntry]) -> str:
    first, last = entries[0].source_entry, entries[-1].source_entry
    if len(entries) == 1:
        return f"1 entry: {_name(first)}"
    return f"{len(entries):,} entries: {_name(first)} to {_name(last)}"


def _name(entry: Entry) -> str:
    return f"{entry.id} ({entry.role or entry.type})"
