"""New sessions beside an old one, which stays as it is: what /fork, /clone and /new go on in."""

from __future__ import annotations

from coursekit.pi.errors import PiSessionError
from coursekit.pi.manager.session_manager import SessionManager


def branched_copy(manager: SessionManager, leaf_id: str | None) -> SessionManager:
    """A session that holds the path to this entry, or nothing (None), and names its parent."""
    path = manager.get_session_file()
    if leaf_id is None:
        return empty_session(manager, parent=path)
    if path is None:
        header = manager.get_header().to_json()
        entries = [header, *(entry.to_json() for entry in manager.get_entries())]
        copy = SessionManager.in_memory(manager.get_cwd(), entries=entries)
    else:
        # A second look at the file, so that the old manager goes on holding the old session.
        copy = SessionManager.open(path, manager.get_session_dir())
        if copy.get_entry(leaf_id) is None:
            raise PiSessionError(
                f"{path} doesn't hold entry {leaf_id} yet: a session is saved with its first "
                "user message; send one before forking or cloning"
            )
    copy.create_branched_session(leaf_id)
    return copy


def empty_session(manager: SessionManager, parent: str | None = None) -> SessionManager:
    """A session without entries for the same folder, in memory where the old one is."""
    if not manager.is_persisted():
        return SessionManager.in_memory(manager.get_cwd())
    return SessionManager.create(
        manager.get_cwd(), manager.get_session_dir(), parent_session=parent
    )
