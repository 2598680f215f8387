"""Which files the summarised calls read and changed: facts that no summary has to remember.

Pi 1.6.0 extractFileOpsFromMessage, computeFileLists and formatFileOperations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.model_messages import Message


@dataclass(slots=True)
class FileOperations:
    """Paths by what a tool did to them. Only calls of `read`, `write` and `edit` count."""

    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)

    def add_message(self, message: Message) -> None:
        """The calls of an assistant message, or those that a script made inside a tool result."""
        for call in _calls_of(message):
            arguments = call.get("arguments")
            path = arguments.get("path") if isinstance(arguments, dict) else None
            if isinstance(path, str) and path:
                name = call.get("name")
                if name == "read":
                    self.read.add(path)
                elif name == "write":
                    self.written.add(path)
                elif name == "edit":
                    self.edited.add(path)

    def add_compaction(self, compaction: Entry) -> None:
        """The lists of an earlier compaction, unless an extension wrote that entry."""
        details = compaction.get("details")
        if compaction.get("fromHook") or not isinstance(details, Mapping):
            return
        self.read.update(_texts(details.get("readFiles")))
        self.edited.update(_texts(details.get("modifiedFiles")))

    @property
    def read_files(self) -> list[str]:
        """Paths that were read and not changed, sorted as JavaScript sorts."""
        return sorted(self.read - self.written - self.edited, key=_utf16_order)

    @property
    def modified_files(self) -> list[str]:
        """Paths that were written or edited, sorted as JavaScript sorts."""
        return sorted(self.written | self.edited, key=_utf16_order)

    def as_text(self) -> str:
        """The two lists as they stand at the end of a summary; empty where there is no file."""
        lists = (("read-files", self.read_files), ("modified-files", self.modified_files))
        return "".join(
            "\n\n" + "\n".join([f"<{tag}>", *paths, f"</{tag}>"]) for tag, paths in lists if paths
        )


def _calls_of(message: Message) -> list[JsonObject]:
    role = message.get("role")
    if role == "toolResult":
        nested = message.get("nestedCalls")
        return _objects(nested.get("calls")) if isinstance(nested, dict) else []
    if role != "assistant":
        return []
    return [block for block in _objects(message.get("content")) if block.get("type") == "toolCall"]


def _objects(value: object) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _utf16_order(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")
