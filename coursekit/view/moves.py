"""What a person does with a session: each move by the one API call that makes it.

The words are Pi's: `/tree`, `/fork`, `/clone`, `compact`. Everything happens on a
`pi.SessionManager` in memory; the session passed in is copied and never changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from coursekit.pi import SessionManager, estimate_projected_context_tokens
from coursekit.view.facts import entries_of, field
from coursekit.view.picture import Picture, draw, what_moved
from coursekit.view.scene import scene_of
from coursekit.view.tables import projection_table


@dataclass(frozen=True)
class MoveStep:
    """The session after one move, as it is shown.

    `call` is the API call that made it, `note` what it did, `offered` the text that
    it puts before the person for editing. `context` is the projection as a table.
    """

    call: str
    note: str
    picture: Picture
    file_entries: tuple[str, ...]
    leaf_id: str | None
    context: str
    context_html: str
    offered: str = ""


class Moves:
    """A session and the steps that led to where it is. The first step is the start."""

    def __init__(self, session: SessionManager | Iterable[object]) -> None:
        self.session = _copy(session)
        self.unfolded: set[str] = set()
        self.steps: list[MoveStep] = []
        self._take("SessionManager.in_memory(...)", "the start")

    def tree(self, entry_id: str) -> MoveStep:
        """/tree: move the leaf to an entry, or before a user message, whose text is offered.

        Raises `ValueError` for an id that is not there.
        """
        entry = self.session.get_entry(entry_id)
        if entry is None:
            raise ValueError(f"there is no entry {entry_id!r} in this session")
        if entry_id == self.session.get_leaf_id():
            return self._take("no call", "the leaf is there already, so /tree does nothing")
        if entry.role != "user" and entry.type != "custom_message":
            self.session.branch(entry_id)
            return self._take(f"session.branch({_quoted(entry_id)})")
        content = entry.message.get("content") if entry.type == "message" else entry.get("content")
        why = f"{entry_id} is a user message: the leaf goes to its parent, its text to the editor"
        if entry.parent_id is None:
            self.session.reset_leaf()
            return self._take("session.reset_leaf()", why, _whole_text(content))
        self.session.branch(entry.parent_id)
        return self._take(f"session.branch({_quoted(entry.parent_id)})", why, _whole_text(content))

    def append(self, role: str, text: str) -> MoveStep:
        """Append a user or assistant message to the leaf."""
        message = _message(role, text)
        self.session.append_message(message)
        return self._take(f'session.append_message({{"role": {_quoted(role)}, ...}})')

    def compact(self, first_kept_id: str, summary: str) -> MoveStep:
        """Append a compaction that keeps from an entry of the active path.

        Raises `ValueError` when the id is not on the active path.
        """
        projection = self.session.build_session_projection()
        tokens = estimate_projected_context_tokens(projection, self.session.get_branch()).tokens
        self.session.append_compaction(summary, first_kept_id, tokens)
        return self._take(f"session.append_compaction(summary, {_quoted(first_kept_id)}, {tokens})")

    def fork(self, entry_id: str) -> MoveStep:
        """/fork: a new session with the path up to a user message, whose text is offered.

        Raises `ValueError` for anything but a user message.
        """
        entry = self.session.get_entry(entry_id)
        if entry is None or entry.role != "user":
            raise ValueError(f"/fork starts from a user message, and {entry_id!r} is none")
        offered = _whole_text(entry.message.get("content"))
        if entry.parent_id is None:
            self.session = SessionManager.in_memory()
            return self._take("SessionManager.in_memory()", _NEW, offered)
        return self._branched(entry.parent_id, offered)

    def clone(self) -> MoveStep:
        """/clone: a new session with the path to the leaf. Raises `ValueError` without a leaf."""
        leaf_id = self.session.get_leaf_id()
        if leaf_id is None:
            raise ValueError("/clone copies the path to the leaf, and there is no leaf yet")
        return self._branched(leaf_id)

    def reset(self) -> MoveStep:
        """Move the leaf before the first entry."""
        self.session.reset_leaf()
        return self._take("session.reset_leaf()")

    def unfold(self, entry_id: str) -> Picture:
        """The picture now with the fold that holds this entry opened; no move is made."""
        self.unfolded.add(entry_id)
        return draw(self.session, unfold=self.unfolded)

    def _branched(self, leaf_id: str, offered: str = "") -> MoveStep:
        """Go on in a copy that holds the path only, as Pi does in a file of its own."""
        self.session = _copy(self.session)
        self.session.create_branched_session(leaf_id)
        return self._take(f"session.create_branched_session({_quoted(leaf_id)})", _NEW, offered)

    def _take(self, call: str, note: str = "", offered: str = "") -> MoveStep:
        picture = draw(self.session, unfold=self.unfolded)
        if not note and self.steps:
            note = what_moved(self.steps[-1].picture.scene, picture.scene)
        context, context_html = _context(self.session)
        step = MoveStep(
            call=call,
            note=note,
            picture=picture,
            file_entries=tuple(entry.id for entry in self.session.get_entries()),
            leaf_id=self.session.get_leaf_id(),
            context=context,
            context_html=context_html,
            offered=offered,
        )
        self.steps.append(step)
        return step


_NEW = "a new session with the entries of this path; the old one stays as it was"


MOST = 30
"""Messages of the context that a step lists; of a longer one it lists the newest."""


def _context(session: SessionManager) -> tuple[str, str]:
    """The projection as text and as HTML."""
    speaking = [each for each in session.build_session_projection().entries if each.messages]
    from coursekit.view.frame import as_html

    table = projection_table({"entries": speaking[-MOST:]})
    left = len(speaking) - MOST
    note = f"{left:,} older messages, then:" if left > 0 else ""
    text = f"{note}\n{table}" if note else str(table)
    # Beside the picture there is room for no more.
    narrow = as_html(table[["role", "text", "source"]])
    return text, f"<div>{note}</div>{narrow}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _message(role: str, text: str) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    message: dict[str, object] = {"role": role, "content": content, "timestamp": 0}
    if role == "assistant":
        usage = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0}
        message |= {"api": "none", "provider": "none", "model": "none", "usage": usage}
        message["stopReason"] = "stop"
    return message


def _whole_text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(field(part, "text")) for part in parts if field(part, "type") == "text")


def _copy(session: SessionManager | Iterable[object]) -> SessionManager:
    """The same entries and the same leaf, in a session of its own."""
    if not isinstance(session, SessionManager):
        session = entries_of(session)
    leaf_id = scene_of(session).leaf_id
    copied = SessionManager.in_memory(entries=[_to_json(each) for each in entries_of(session)])
    if leaf_id is None:
        copied.reset_leaf()
    else:
        copied.branch(leaf_id)
    return copied


def _to_json(entry: object) -> dict[str, object]:
    if isinstance(entry, dict):
        return entry
    to_json = getattr(entry, "to_json", None)
    if not callable(to_json):
        raise TypeError(f"a Pi entry or its JSON object is needed, not {type(entry).__name__}")
    value: dict[str, object] = to_json()
    return value
