"""Submissions that end, hang or fill what they run in."""

from coursekit.grading import cgroup
from tests.grading.hostile.corpus import add, beside, grouping, right

_group = cgroup.create(1 << 30)
COUNTED = _group is not None and _group.remove()
"""Whether memory is counted by the kernel here: files without a name are, then."""

add("sys.exit in a call", right(context=grouping("import sys\nsys.exit(0)")), "ok", 3, quick=True)
add("os._exit in a call", right(context=grouping("import os\nos._exit(0)")), "crash", 3, quick=True)
add(
    "kills itself",
    right(context=grouping("import os\nos.kill(os.getpid(), 9)")),
    "crash",
    3,
)
add("stops itself", right(context=grouping("import os\nos.kill(os.getpid(), 19)")), "timeout", 3)
add(
    "crashes Python",
    right(context=grouping("import ctypes\nctypes.string_at(0)")),
    "crash",
    3,
)
add(
    "endless recursion",
    right(
        context=grouping(
            "import sys\nsys.setrecursionlimit(10**9)\n"
            "def again(x):\n    return str.format('{0}', Again())\n"
            "class Again:\n    def __format__(self, spec): return again(1)\n"
            "return again(1)"
        )
    ),
    "crash",
    3,
)
add("os._exit in one lab", right(session="""

def parse_compaction(record):
    import os
    os._exit(3)
"""), "crash", 6)  # fmt: skip
add(
    "os._exit at import of context",
    right(context="\n\nimport os\nos._exit(0)\n"),
    "crash",
    3,
)
add("endless loop at import", right(session="\n\nwhile True: pass\n"), "timeout", 0, quick=True)
add(
    "sleeps at import of context", right(context="\n\nimport time\ntime.sleep(999)\n"), "timeout", 3
)
add(
    "endless loop, signals ignored",
    right(
        context=grouping(
            """
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        while True: pass
    except BaseException:
        pass
"""
        )
    ),
    "timeout",
    3,
)
add(
    "endless loop in the last lab",
    right(context="\n\ndef restore(active_path):\n    while True: pass\n"),
    "timeout",
    11,
)
add(
    "fork bomb",
    right(
        context=grouping(
            """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
        )
    ),
    "timeout",
    3,
)
add(
    "threads that outlive the cell",
    right(
        context="""

import threading, time
def _chatter():
    while True:
        print("still here", flush=True)
        time.sleep(0.01)
for _ in range(4):
    threading.Thread(target=_chatter, daemon=True).start()
"""
    ),
    "ok",
    14,
)
add(
    "memory, little by little",
    right(
        context=grouping("kept = []\nwhile True:\n    kept.append(bytearray(b'x') * 10_000_000)")
    ),
    "memory",
    3,
    quick=True,
)
add("memory, at once", right(context=grouping("return [0] * 10**10")), "memory", 3)
add(
    "memory, in many processes",
    right(
        context=grouping(
            """
import os, time
for _ in range(8):
    if os.fork() == 0:
        kept = bytearray(b"x") * 100_000_000
        time.sleep(60)
time.sleep(60)
"""
        )
    ),
    "memory",
    3,
)
add(
    "memory, in a file without a name",
    right(
        context=grouping(
            """
import os
kept = []
while True:
    file = os.memfd_create("x")
    kept.append(file)
    os.write(file, b"x" * 8_000_000)
"""
        )
    ),
    "memory" if COUNTED else "timeout",
    3,
)
add(
    "fills its scratch space",
    right(
        context=grouping(
            """
import os
number = 0
while True:
    number += 1
    with open(f"/tmp/{number}", "wb") as file:
        file.write(b"x" * 4_000_000)
"""
        )
    ),
    "ok",
    3,
)
add(
    "a file larger than allowed",
    right(context=grouping("open('/tmp/big', 'wb').write(b'x' * 17_000_000)")),
    "ok",
    3,
)
add(
    "endless output",
    right(context=grouping("while True:\n    print('x' * 100_000)")),
    "timeout",
    3,
    quick=True,
)
SENDING = """
from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
def send(text):
    content = {"name": "stdout", "text": text}
    parent = kernel.get_parent("shell")
    kernel.session.send(kernel.iopub_socket, "stream", content, parent=parent)
"""
add(
    "endless messages",
    right(context=grouping(f"{SENDING}while True:\n    send('x' * 100_000)")),
    "timeout",
    3,
)
add(
    "one huge message",
    right(context=grouping(f"{SENDING}send('x' * 20_000_000)")),
    "timeout",
    3,
)
add(
    "huge error text",
    right(context=grouping("raise ValueError('x' * 20_000_000)")),
    "ok",
    3,
)
add(
    "huge value",
    right(
        context="""

_right_build = build_context

def build_context(*a, **k):
    result = _right_build(*a, **k)
    result.reason = "x" * 20_000_000
    return result
"""
    ),
    "ok",
    8,
)
add(
    "a number that is too long to show",
    right(
        context="""

_right_build = build_context

def build_context(*a, **k):
    result = _right_build(*a, **k)
    result.tokens.total = 10 ** 10_000
    return result
"""
    ),
    "ok",
    8,
)
add(
    "a value that contains itself",
    right(
        context="""

_right_build = build_context

def build_context(*a, **k):
    result = _right_build(*a, **k)
    result.kept_entry_ids = [result.kept_entry_ids]
    result.kept_entry_ids[0].append(result.kept_entry_ids)
    return result
"""
    ),
    "ok",
    8,
)
add("input()", right(context=grouping("return input('answer? ')")), "ok", 3, quick=True)
add(
    "warnings and prints",
    right(
        session="\n\nprint('loaded session')\n",
        context=beside(
            """
import logging, sys, warnings
print("grouping", len(entries), "\\x1b[31mred\\x1b[0m")
print("to standard error", file=sys.stderr)
warnings.warn("a warning")
logging.warning("logged")
from IPython.display import HTML, display
display(HTML("<b>shown</b>"), "plain")
"""
        ),
    ),
    "ok",
    14,
    quick=True,
)
