"""See a session: its tree, its tables, and the explorers that move under the mouse.

The names and where they come from stand in `__init__.pyi`. Each is imported when it is
first used, so that a tree as text waits for no pandas and no ipywidgets.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
