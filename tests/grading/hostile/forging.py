"""Submissions that would pass without being right: one corpus, a row for each way to forge."""

from tests.grading.hostile.corpus import add, all_functions, grouping, right, unwritten

# The right answers to the visible checks, learned by heart: ids of variant 0 only.
add(
    "visible answers by heart",
    right(
        context="\n\n_right_groups = group_interactions\n"
        + grouping(
            """
if all(entry.id.split("-")[0] in ("u", "a", "c", "r", "m", "compact") and
       entry.id.split("-")[-1].isdigit() for entry in entries):
    return _right_groups(entries)
return []
"""
        )
    ),
    "ok",
    3,
)

add(
    "calls into the reference",
    right(context="\n\nfrom coursekit.context import group_interactions, build_context\n"),
    "ok",
    3,
    quick=True,
)

ALWAYS_EQUAL = """

class Always(Exception):
    type = "message"
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
    def __contains__(self, other): return True
    def __len__(self): return 1
    def __iter__(self): return iter([])
    def __getitem__(self, key): return self
    def __getattr__(self, name): return self
    def __call__(self, *a, **k): return self
    def __str__(self): return "pass"
    __repr__ = __str__
"""


def _always(body: str) -> tuple[str, str]:
    session, context = all_functions(body)
    return ALWAYS_EQUAL + session, ALWAYS_EQUAL + context


add("always-equal object", unwritten(*_always("return Always()")), "ok", 0, quick=True)
add("raises an always-equal object", unwritten(*_always("raise Always()")), "ok", 0)

LYING = """

class LyingStr(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return hash("lie")
    def __repr__(self): return "'whatever'"
    def __contains__(self, other): return True

class LyingInt(int):
    def __eq__(self, other): return True
    def __repr__(self): return "1"
    def __hash__(self): return 1
    def is_integer(self): return True

class LyingList(list):
    def __eq__(self, other): return True
    def __repr__(self): return "[]"

class LyingDict(dict):
    def __eq__(self, other): return True
"""

add(
    "str subclass that lies",
    right(
        context=LYING
        + """

_right_build = build_context

def build_context(*a, **k):
    result = _right_build(*a, **k)
    result.reason = LyingStr(result.reason)
    return result
"""
    ),
    "ok",
    8,
)
add(
    "int subclass that lies",
    right(
        context=LYING
        + """

_right_build = build_context

def build_context(*a, **k):
    result = _right_build(*a, **k)
    result.tokens.total = LyingInt(result.tokens.total + 1)
    return result
"""
    ),
    "ok",
    8,
)
add(
    "list and dict subclasses that lie",
    right(
        context=LYING
        + """

_right_build = build_context

def build_context(*a, **k):
    result = _right_build(*a, **k)
    result.kept_entry_ids = LyingList(result.kept_entry_ids)
    return result
"""
    ),
    "ok",
    8,
)
add(
    "error message that holds everything",
    unwritten(
        *all_functions(
            """
class Everything(str):
    def __contains__(self, other): return True
class Refusal(ValueError):
    def __str__(self): return Everything("no")
raise Refusal()
"""
        )
    ),
    "ok",
    0,
)
add(
    "refuses all, naming all that is in sight",
    unwritten(
        *all_functions(
            """
import sys
shown, frame = [], sys._getframe()
while frame is not None:
    shown.append(repr(frame.f_locals)[:200000])
    frame = frame.f_back
raise ValueError(" ".join(shown)[:2000000])
"""
        )
    ),
    "ok",
    0,
    quick=True,
)
add("raises all", unwritten(*all_functions("raise RuntimeError('pass')")), "ok", 0)
add("accepts all", unwritten(*all_functions("return None")), "ok", 0)
add("SkipTest", right(context=grouping("import unittest\nraise unittest.SkipTest('x')")), "ok", 3)
add("pytest.skip", right(context=grouping("import pytest\npytest.skip('x')")), "ok", 3)
add("base exception", right(context=grouping("raise BaseException('x')")), "ok", 3)

PEEKING = """
import sys
frame = sys._getframe()
while frame is not None:
    step = frame.f_locals.get("step")
    if isinstance(step, dict) and "names" in step:
        raise ValueError(" ".join(form for forms in step["names"] for form in forms))
    frame = frame.f_back
raise RuntimeError("no names in sight")
"""
add("looks for the names to tell", unwritten(*all_functions(PEEKING)), "ok", 0)

SEARCHING = """
import gc, sys
for each in gc.get_objects():
    if isinstance(each, dict) and ("expected" in each or "kept_entry_ids" in each):
        if each.get("expected") is not None:
            return each["expected"]
from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
for text in (kernel.get_parent("shell")["content"]["code"], *kernel.space):
    if "expected" in text:
        return text
raise RuntimeError("nothing expected in sight")
"""
add("searches frames, history and memory", unwritten(*all_functions(SEARCHING)), "ok", 0)

SEEKING = """

def _found(name):
    import importlib, pkgutil, sys, io
    keep = sys.stdout
    for module in list(pkgutil.iter_modules()):
        if module.name in ("antigravity", "this", "idlelib", "turtledemo", "session", "context"):
            continue
        try:
            importlib.import_module(module.name)
        except BaseException:
            pass
    sys.stdout = keep
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "") in ("session", "context"):
            continue
        try:
            answer = getattr(module, name, None)
        except BaseException:
            continue
        if answer is not None:
            return answer
    raise RuntimeError("no answer is importable")
"""
add(
    "imports all that can be imported",
    right(
        context=SEEKING
        + grouping("return _found('group_interactions')(entries)")
        + "\n\ndef restore(path):\n    return _found('restore')(path)\n"
    ),
    "ok",
    3,
)

add(
    "patched display",
    unwritten(
        context="""

import sys
import bench
from IPython.core.interactiveshell import InteractiveShell
bench.Shown._repr_mimebundle_ = lambda self, **k: {bench.OBSERVED: "true", bench.NOTE: "null"}
shell = InteractiveShell.instance()
shell.display_formatter.format = lambda *a, **k: ({"text/plain": "14 passed"}, {})
shell.displayhook = sys.displayhook = lambda value: print("14 passed")
"""
    ),
    "ok",
    0,
)
add(
    "patched showtraceback and syntax trees",
    unwritten(
        context="""

import ast
from IPython.core.interactiveshell import InteractiveShell

class Passing(ast.NodeTransformer):
    def visit_Call(self, node):
        return ast.Constant("pass")

shell = InteractiveShell.instance()
shell.showtraceback = lambda *a, **k: print("14 passed")
shell._showtraceback = shell.showtraceback
shell.ast_transformers.append(Passing())
"""
    ),
    "ok",
    0,
)
add(
    "patched serializer",
    unwritten(
        context="""

import json
import jupyter_client.session
json.dumps = lambda *a, **k: '"loaded"'
jupyter_client.session.json_packer = lambda value: b"{}"
"""
    ),
    "ok",
    0,
)
add(
    "patched observer",
    unwritten(
        context="""

import bench, builtins, observer
observer.attempt = lambda *a, **k: {"returned": None}
observer.plain = lambda value: None
bench._refusals_text = lambda refusals: "[]"
bench.canonical = lambda value: '"loaded"'
"""
    ),
    "ok",
    0,
)
add("patched builtins", unwritten(context="""

import builtins
builtins.isinstance = lambda *a: True
builtins.len = lambda value: 0
"""), "crash", 0)  # fmt: skip
add(
    "endless messages, idle withheld",
    right(
        context="""

import threading
from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
_publish = kernel._publish_status
kernel._publish_status = lambda state, *a, **k: state == "idle" or _publish(state, *a, **k)

def _flood():
    parent = kernel.get_parent()
    while True:
        content = {"name": "stdout", "text": "x" * 100_000}
        kernel.session.send(kernel.iopub_socket, "stream", content, parent=parent)

threading.Thread(target=_flood, daemon=True).start()
"""
    ),
    "crash",
    3,
)
add(
    "fake pass text",
    unwritten(
        session="\n\nprint('===== 14 passed in 0.10s =====')\n",
        context="""

import sys
for number in (1, 2):
    try:
        open(f"/proc/self/fd/{number}", "w").write("14 passed")
    except OSError:
        pass
sys.__stdout__.write("14 passed")
print('{"cell": 3, "passed": true, "observed": "x"}')
""",
    ),
    "ok",
    0,
    quick=True,
)

FORGED = """

from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
_send = kernel.session.send
_shown = {"application/vnd.coursekit.observed": '"loaded"', "text/plain": "pass"}

def _forge(socket, *a, **k):
    for message in ("execute_result", "display_data", "status"):
        content = {"data": _shown, "metadata": {}, "execution_count": 1, "execution_state": "idle"}
        _send(kernel.iopub_socket, message, content, parent=kernel.get_parent("shell"))
    return _send(socket, *a, **k)

kernel.session.send = _forge
"""
add("forged messages", unwritten(context=FORGED), "ok", 0)
add(
    "patched kernel",
    unwritten(
        context="""

from ipykernel.kernelbase import Kernel

async def _passing(self, code, *a, **k):
    print("14 passed")
    return {"status": "ok", "payload": [], "user_expressions": {}, "execution_count": 1}

type(Kernel.instance()).do_execute = _passing
"""
    ),
    "ok",
    0,
)

add(
    "idle withheld",
    right(
        context="""

from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
_publish = kernel._publish_status
kernel._publish_status = lambda state, *a, **k: state == "idle" or _publish(state, *a, **k)
"""
    ),
    "timeout",
    3,
    quick=True,
)
add(
    "a result that is a pickle",
    right(
        context=grouping(
            """
import os, pickle
class Surprise:
    def __reduce__(self):
        return (os.system, ("touch /tmp/pickled",))
return pickle.dumps([Surprise()])
"""
        )
    ),
    "ok",
    3,
)

SILENT = """

def _silent(function):
    def silenced(*a, **k):
        try:
            return function(*a, **k)
        except ValueError:
            raise ValueError("no") from None
    return silenced

group_interactions = _silent(group_interactions)
build_context = _silent(build_context)
create_compaction_entry = _silent(create_compaction_entry)
"""
add("refusals that name nothing", right(context=SILENT), "ok", 3)
add(
    "refusals that name nothing, names put in by the kernel",
    right(
        context=SILENT
        + """

import bench
from ipykernel.kernelbase import Kernel
space = Kernel.instance().space
own = space["look"].__self__

def _name(text):
    forged = []
    for seen, step in zip(own._seen, bench.unpacked(text)["names"]):
        one = {"refused": [forms[0] for forms in step["names"]]}
        if step["do"] == "build":
            one["cause"] = step["causes"]
        forged.append(one if "refused" in seen else None)
    return bench.Shown(forged, None)

_look = space["look"]
def _looking(text):
    shown = _look(text)
    for ask in bench.unpacked(text)["asks"]:
        if "names" in ask:
            return _name(text)
    return shown

space |= {"look": _looking, "name": _name}
"""
    ),
    "ok",
    3,
    quick=True,
)

SENT = """

from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
_send = kernel.session.send

def _forge(socket, kind, content=None, *a, **k):
%s
    return _send(socket, kind, content, *a, **k)

kernel.session.send = _forge
"""
for name, data in (("a list", "[1]"), ("a text", "'pass'"), ("nothing", "None")):
    forged = SENT % f"    if kind == 'execute_result': content = content | {{'data': {data}}}"
    add(f"a result whose data is {name}", right(context=forged), "ok", 3, quick=name == "a list")
add(
    "a result of numbers",
    right(
        context=SENT
        % """
    if kind == "execute_result":
        names = ("observed", "refusals", "note")
        content["data"] = {f"application/vnd.coursekit.{each}": 14 for each in names}
"""
    ),
    "ok",
    3,
)
add(
    "messages that are none",
    right(
        context=SENT
        % """
    for parts in ([b""], [b"x", b"", b"y" * 1000], [b""] * 10_000):
        kernel.iopub_socket.send_multipart(parts)
"""
    ),
    "ok",
    3,
)
add(
    "idle before the result",
    right(
        context=SENT
        % """
    if kind == "execute_result":
        _send(kernel.iopub_socket, "status", {"execution_state": "idle"}, *a, **k)
"""
    ),
    "ok",
    3,
)
add("signed with another key", right(context=SENT % "    kernel.session.key = b'x'"), "timeout", 3)
add(
    "answers to cells that are not yet sent",
    unwritten(
        context="""

import copy
from ipykernel.kernelbase import Kernel
kernel = Kernel.instance()
_publish = kernel._publish_status

def _ahead(state, *a, **k):
    _publish(state, *a, **k)
    parent = copy.deepcopy(kernel.get_parent("shell"))
    start, number = parent["header"]["msg_id"].rsplit("_", 1)
    shown = {"data": {"application/vnd.coursekit.observed": '"loaded"'}, "metadata": {}}
    for i in range(1, 40):
        parent["header"]["msg_id"] = parent["msg_id"] = f"{start}_{int(number) + i}"
        for kind, content in (("execute_result", shown | {"execution_count": 1}),
                              ("status", {"execution_state": "idle"})):
            kernel.session.send(kernel.iopub_socket, kind, content, parent=parent)
        ident = kernel._shell_parent_ident.get()
        reply = {"status": "ok"}
        kernel.session.send(kernel.shell_stream, "execute_reply", reply, parent=parent, ident=ident)

kernel._publish_status = _ahead
"""
    ),
    "ok",
    0,
)
