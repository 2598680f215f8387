"""A session: entries in a tree, a leaf that appends move on, and a file behind it if wanted.

Pi 1.6.0 SessionManager, in snake_case. What differs on purpose: nothing rewrites a file unasked,
no walk is endless, an append is refused where it would lose something.

Over 300 lines, because every way to make a session and every type of entry that Pi writes has its
method here, as in Pi; each is short, and what they need is in modules of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import msgspec

from coursekit.pi.errors import (
    DuplicateIdError,
    EntryNotFoundError,
    PiSessionError,
    SessionFileError,
)
from coursekit.pi.files import folder
from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.files.migration import migrate
from coursekit.pi.files.paths import PathLike, resolve_path
from coursekit.pi.files.reader import ReadWarning
from coursekit.pi.files.session_header import CURRENT_SESSION_VERSION, SessionHeader
from coursekit.pi.files.session_log import SessionLog
from coursekit.pi.ids import new_entry_id
from coursekit.pi.javascript import date_ms, iso_now
from coursekit.pi.manager.branched_path import label_entries, without_labels
from coursekit.pi.manager.payloads import check_message, check_replacement, single_line
from coursekit.pi.manager.session_tree import SessionTree
from coursekit.pi.system_messages import current_system_message

_ABSENT = msgspec.UNSET
"""A field that the entry doesn't get; null is a value."""


class SessionManager(SessionTree):
    """One session. Made by `create`, `open`, `in_memory`, `continue_recent` or `fork_from`.

    Every append adds a child of the leaf, advances the leaf and returns the new entry's id. It
    raises and changes nothing where the entry can't be written: FileChangedError when the file
    isn't as this manager left it, OSError from the disk, PiSessionError for a value that JSON
    can't hold.
    """

    def __init__(self, cwd: str, session_dir: str, header: SessionHeader) -> None:
        super().__init__()
        self._cwd = cwd
        self._session_dir = session_dir
        self._header = header
        self._log: SessionLog | None = None
        self._migrated_from: float | None = None
        self.warnings: list[ReadWarning] = []
        """What was odd about the file when it was read; nothing odd leaves it empty."""

    def __repr__(self) -> str:
        where = self.get_session_file() or "in memory"
        return f"<SessionManager {len(self._by_id)} entries, leaf {self._leaf_id}, {where}>"

    # Making one

    @classmethod
    def create(
        cls,
        cwd: PathLike,
        session_dir: PathLike | None = None,
        *,
        id: str | None = None,
        parent_session: str | None = None,
    ) -> SessionManager:
        """A new session for this working folder.

        The file is made with the first user or assistant message, in `session_dir` or in the
        folder that Pi itself would use.
        """
        cwd = resolve_path(cwd)
        directory = folder.session_dir(cwd, session_dir)
        manager = cls(cwd, directory, SessionHeader.new(cwd, id, parent_session))
        manager._log = SessionLog(folder.session_file(directory, manager._header))
        return manager

    @classmethod
    def in_memory(
        cls,
        cwd: PathLike | None = None,
        *,
        id: str | None = None,
        parent_session: str | None = None,
        entries: Iterable[Mapping[str, object]] = (),
    ) -> SessionManager:
        """A session without a file, from nothing or from the JSON objects of a file's lines."""
        cwd = resolve_path(os.getcwd() if cwd is None else cwd)
        values = [dict(value) for value in entries]
        if values and values[0].get("type") == "session":
            header = SessionHeader.from_json(values.pop(0))
        else:
            header = SessionHeader.new(cwd, id, parent_session)
        manager = cls(cwd, "", header)
        if header.version < CURRENT_SESSION_VERSION:
            manager._header = migrate(header, values)
        for value in values:
            entry = Entry.from_json(value)
            if entry.type == "session":
                raise PiSessionError("a header must stand before every entry, and once")
            if entry.id in manager._by_id:
                raise DuplicateIdError(entry.id, line=None, first_line=None)
            manager._add(entry)
        return manager

    @classmethod
    def open(
        cls,
        path: PathLike,
        session_dir: PathLike | None = None,
        cwd: PathLike | None = None,
    ) -> SessionManager:
        """The session in this file, its leaf at the last line. A missing file opens empty.

        Reads only: an old version is migrated in memory, a torn tail is reported in `warnings`.
        Raises SessionFileError with the line for a file that holds no session or a bad line.
        """
        log = SessionLog(resolve_path(path))
        content = log.read()
        header = content.header if content else None
        working = cwd if cwd is not None else (header and header.cwd) or os.getcwd()
        working = resolve_path(working)
        directory = resolve_path(session_dir) if session_dir else os.path.dirname(log.path)
        manager = cls(working, directory, header or SessionHeader.new(working))
        manager._log = log
        if content:
            manager._migrated_from = content.migrated_from
            manager.warnings = content.warnings
            manager._load(content.entries)
        return manager

    @classmethod
    def continue_recent(cls, cwd: PathLike, session_dir: PathLike | None = None) -> SessionManager:
        """The session of this working folder that was written to last, or a new one."""
        cwd = resolve_path(cwd)
        directory = folder.session_dir(cwd, session_dir)
        only_for = folder.cwd_filter(cwd, session_dir, directory)
        recent = folder.most_recent_session(directory, only_for)
        if recent is None:
            return cls.create(cwd, directory)
        return cls.open(recent, directory, cwd)

    @classmethod
    def fork_from(
        cls,
        source: PathLike,
        cwd: PathLike,
        session_dir: PathLike | None = None,
        *,
        id: str | None = None,
    ) -> SessionManager:
        """A new file for another working folder, with every entry of the source, side branches too.

        The new header names the source as its parent; the source isn't touched.
        """
        source_path = resolve_path(source)
        content = SessionLog(source_path).read()
        if content is None:
            raise SessionFileError("cannot fork: the file is missing or empty", path=source_path)
        cwd = resolve_path(cwd)
        directory = folder.session_dir(cwd, session_dir)
        header = SessionHeader.new(cwd, id, source_path)
        log = SessionLog(folder.session_file(directory, header))
        log.create([header.line(), *(entry.line() for entry in content.entries.values())])
        return cls.open(log.path, directory, cwd)

    @staticmethod
    def list(cwd: PathLike, session_dir: PathLike | None = None) -> list[folder.SessionInfo]:
        """The sessions of this working folder, the one with the newest message first."""
        cwd = resolve_path(cwd)
        directory = folder.session_dir(cwd, session_dir)
        return folder.list_sessions(directory, folder.cwd_filter(cwd, session_dir, directory))

    # What it is

    def is_persisted(self) -> bool:
        """Whether there is, or will be, a file behind this session."""
        return self._log is not None

    def get_cwd(self) -> str:
        """The working folder that the session belongs to."""
        return self._cwd

    def get_session_dir(self) -> str:
        """The folder of the session files; empty in memory."""
        return self._session_dir

    def get_session_id(self) -> str:
        """The id in the header, which is in the file's name too."""
        return self._header.id

    def get_session_file(self) -> str | None:
        """The file's path, even while it isn't made yet; None in memory."""
        return self._log.path if self._log else None

    def get_header(self) -> SessionHeader:
        """The first line of the file."""
        return self._header

    # Branching

    def branch_with_summary(
        self,
        entry_id: str | None,
        summary: str,
        *,
        details: object = _ABSENT,
        from_hook: bool | msgspec.UnsetType = _ABSENT,
        usage: object = _ABSENT,
    ) -> str:
        """Move the leaf and append a summary of the path that was left (None: a new root)."""
        parent_id = None if entry_id is None else self._require(entry_id).id
        return self._append(
            "branch_summary",
            parent_id=parent_id,
            fromId=self._leaf_id or "root",
            summary=summary,
            details=details,
            usage=usage,
            fromHook=from_hook,
        )

    def create_branched_session(self, leaf_id: str) -> str | None:
        """Go on in a new session that holds only the path to `leaf_id`; the old file stays.

        Labels on the path are set anew at its end. Returns the new file's path (None in memory),
        which exists once there is a conversation in it.
        """
        self._ask_guard()
        path = self.get_branch(leaf_id)
        if not path:
            raise EntryNotFoundError(leaf_id)
        kept = without_labels(path)
        parent = self._log.path if self._log else None
        header = SessionHeader.new(self._cwd, None, parent)
        entries = [*kept, *label_entries(kept, self._labels)]
        log = None
        if self._log is not None:
            log = SessionLog(folder.session_file(self._session_dir, header))
            if any(map(_is_conversation, entries)):
                log.create([header.line(), *(entry.line() for entry in entries)])
        self._header, self._log = header, log
        self._migrated_from, self.warnings = None, []
        self._load({entry.id: entry for entry in entries})
        return log.path if log else None

    def migrate_file(self) -> None:
        """Rewrite a file of format version 1 or 2 as version 3, in one step.

        Lines that broke off are left out. Raises FileChangedError, and then changes nothing.
        """
        if self._migrated_from is None or self._log is None:
            raise PiSessionError("there is no file of an older version to rewrite")
        self._log.replace([self._header.line(), *(entry.line() for entry in self._by_id.values())])
        self._migrated_from = None

    # Appending

    def append_message(self, message: Mapping[str, object]) -> str:
        """A message with its role. Summaries have entry types of their own and are refused."""
        check_message(message)
        return self._append("message", message=dict(message))

    def append_thinking_level_change(self, thinking_level: str) -> str:
        """The thinking level from here on."""
        return self._append("thinking_level_change", thinkingLevel=thinking_level)

    def append_model_change(self, provider: str, model_id: str) -> str:
        """The model from here on."""
        return self._append("model_change", provider=provider, modelId=model_id)

    def append_usage(
        self, kind: str, provider: str, model: str, usage: object, note: str | None = None
    ) -> Entry:
        """Tokens that were paid for outside a message. Returns the entry itself, as Pi does."""
        entry_id = self._append(
            "usage", kind=kind, provider=provider, model=model, usage=usage, note=note or _ABSENT
        )
        return self._by_id[entry_id]

    def append_compaction(
        self,
        summary: str,
        first_kept_entry_id: str | None,
        tokens_before: int,
        *,
        details: object = _ABSENT,
        from_hook: bool | msgspec.UnsetType = _ABSENT,
        usage: object = _ABSENT,
    ) -> str:
        """A summary of the path so far, with the system message that holds at this point.

        None keeps nothing from before it. A first kept entry that isn't on the active path is
        refused (PiSessionError): everything before the compaction would vanish from the context.
        """
        if first_kept_entry_id is not None:
            self._require_on_path(first_kept_entry_id)
        timestamp = iso_now()
        entry_id = new_entry_id(self._by_id)
        system = current_system_message(self.build_session_projection().messages)
        if system is not None:
            system["timestamp"] = date_ms(timestamp)
        return self._append(
            "compaction",
            id=entry_id,
            timestamp=timestamp,
            summary=summary,
            firstKeptEntryId=entry_id if first_kept_entry_id is None else first_kept_entry_id,
            tokensBefore=tokens_before,
            details=details,
            usage=usage,
            fromHook=from_hook,
            systemMessage=_ABSENT if system is None else system,
        )

    def append_custom_entry(self, custom_type: str, data: object = _ABSENT) -> str:
        """State of an extension. No model sees it."""
        return self._append("custom", customType=custom_type, data=data)

    def append_custom_message_entry(
        self, custom_type: str, content: object, display: bool, details: object = _ABSENT
    ) -> str:
        """A message from an extension. The model sees `content`; `display` is for the screen."""
        return self._append(
            "custom_message",
            customType=custom_type,
            content=content,
            display=display,
            details=details,
        )

    def append_session_info(self, name: str) -> str:
        """The session's name, on one line; an empty one clears it."""
        return self._append("session_info", name=single_line(name))

    def append_label_change(self, target_id: str, label: str | None) -> str:
        """Label an entry; None or an empty text takes its label off."""
        self._require(target_id)
        return self._append("label", targetId=target_id, label=_ABSENT if label is None else label)

    def append_context_edit(self, target_id: str, replacement: Mapping[str, object] | None) -> str:
        """Replace the content of a message that the model sees, or hide it (None).

        The entry itself stays. Raises PiSessionError when the target isn't on the active path or
        has no content to edit.
        """
        target = self._require(target_id)
        self._require_on_path(target_id)
        return self._append(
            "context_edit",
            targetId=target_id,
            replacement=check_replacement(target, replacement),
        )

    # Inside

    def _append(
        self, type: str, *, parent_id: str | msgspec.UnsetType | None = _ABSENT, **fields: object
    ) -> str:
        self._ask_guard()
        value: JsonObject = {
            "type": type,
            "id": fields.pop("id", None) or new_entry_id(self._by_id),
            "parentId": self._leaf_id if parent_id is _ABSENT else parent_id,
            "timestamp": fields.pop("timestamp", None) or iso_now(),
        }
        value.update((key, item) for key, item in fields.items() if item is not _ABSENT)
        entry = Entry.from_json(value)
        self._persist(entry)
        self._add(entry)
        return entry.id

    def _persist(self, entry: Entry) -> None:
        log = self._log
        if log is None:
            return
        if self._migrated_from is not None:
            raise PiSessionError(
                f"{log.path} is of format version {self._migrated_from:g} and migrated in memory "
                "only; call migrate_file() to rewrite it as version 3 before appending"
            )
        if log.exists and not log.is_empty:
            log.append([entry.line()])
            return
        entries = [*self._by_id.values(), entry]
        lines = [self._header.line(), *(one.line() for one in entries)]
        if log.exists:
            log.append(lines)
        elif any(map(_is_conversation, entries)):
            log.create(lines)


def _is_conversation(entry: Entry) -> bool:
    return entry.role in ("user", "assistant")
