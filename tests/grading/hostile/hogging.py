"""Submissions that end, hang or fill what they run in: one corpus, a row for each way."""

from coursekit.grading.sandbox import cgroup
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
add(
    "standard streams of its own",
    right(
        session="""

import contextlib, faulthandler, io, os, sys
sys.stdout.reconfigure(encoding="utf-8")
sys.stderr.reconfigure(errors="replace")
sys.stdout.buffer.write(b"bytes")
os.write(sys.stdout.fileno(), b"more")
faulthandler.enable()
print(sys.stdout.encoding, sys.stdout.name, sys.stdout.mode, sys.stdout.isatty())
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
sys.stderr = io.TextIOWrapper(sys.stderr.detach(), encoding="utf-8")
""",
        context="""

import sys
class Tee:
    def write(self, text): pass
sys.stderr.close()
sys.stdout = Tee()
print("neither flushed nor closed")
"""
        + beside(
            """
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()) as kept:
    print("x")
assert kept.getvalue() == "x\\n"
print("y", file=sys.__stdout__, flush=True)
sys.stderr = None
"""
        ),
    ),
    "ok",
    14,
    quick=True,
)
add(
    "habits of all kinds",
    right(
        session="\n\nimport sys, warnings\nwarnings.simplefilter('error')\nsys.path.pop(0)\n"
        "sys.path.insert(0, __file__.rpartition('/')[0])\n",
        context="""

import decimal, functools, gc, json, locale, os, signal, sys
from datetime import datetime
from zoneinfo import ZoneInfo
datetime.now(ZoneInfo("UTC"))
locale.setlocale(locale.LC_ALL, "")
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.chdir("/")
os.environ.clear()
gc.disable()
json.dumps = functools.partial(json.dumps, ensure_ascii=False, indent=2)
json.loads = functools.partial(json.loads, parse_int=decimal.Decimal)
json.JSONEncoder.default = lambda self, value: vars(value)
"""
        + beside(
            """
import asyncio, subprocess, tempfile
from concurrent.futures import ThreadPoolExecutor
sys.setrecursionlimit(10**6)
sys.settrace(lambda *a: None)
async def answer():
    return await asyncio.to_thread(_right_groups, entries)
with tempfile.TemporaryFile() as file, ThreadPoolExecutor() as pool:
    file.write(b"x")
    pool.submit(print, "from a thread").result()
    if not entries:
        assert subprocess.check_output([sys.executable, "-c", "print(1)"]) == b"1\\n"
        if os.fork() == 0:
            os._exit(0)
    return asyncio.run(answer())
"""
        ),
    ),
    "ok",
    14,
)
add(
    "a thread of one lab that ends the process in another",
    right(
        session="""

_right_parse = parse_compaction

def parse_compaction(record):
    import os, sys, threading, time
    def later():
        while "context" not in sys.modules:
            time.sleep(0.001)
        os._exit(1)
    if "context" not in sys.modules and threading.active_count() == 1:
        threading.Thread(target=later, daemon=True).start()
    return _right_parse(record)
"""
    ),
    "crash",
    14,
    quick=True,
)
add(
    "ends the process after each cell",
    right(
        context="""

import os, time
from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
_publish = kernel._publish_status

def _last(state, *a, **k):
    _publish(state, *a, **k)
    if state == "idle":
        time.sleep(0.1)
        os._exit(0)

kernel._publish_status = _last
"""
    ),
    "crash",
    10,
)
add(
    "endless loops in many functions",
    right(
        context="""

_right_groups = group_interactions

def group_interactions(entries):
    try:
        return _right_groups(entries)
    except ValueError:
        while True: pass

def build_context(*a, **k):
    while True: pass
"""
    ),
    "timeout",
    4,
)
add(
    "closes its sockets",
    right(context=grouping(f"{SENDING}kernel.shell_stream.context.destroy()\nreturn []")),
    "crash",
    3,
)
