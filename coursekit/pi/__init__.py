"""Sessions of the agent Pi, format version 3, as Pi 1.6.0 reads, grows and projects them.

    from coursekit.pi import SessionManager

    session = SessionManager.open("2026-01-01T00-00-00-000Z_....jsonl")
    for message in session.build_session_projection().messages: ...

The one list of names is `__init__.pyi`, which type checkers read too. A name is imported when it
is first used, so that `import coursekit.pi` costs next to nothing.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
