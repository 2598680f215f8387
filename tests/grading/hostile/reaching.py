"""Submissions that reach for what is outside, and give right answers only if they can't."""

import socket

from tests.grading.hostile.corpus import add, beside, grouping, right, unwritten

with socket.create_server(("127.0.0.1", 0)) as _server:
    PORT: int = _server.getsockname()[1]
"""A port of this computer that was free, for a test to listen on."""

add(
    "reads notebooks, tests and submissions",
    right(
        context="\n\n_looked = []\n"
        + beside(
            """
import os
looked, _looked[:] = list(_looked), [True]
for folder, folders, names in os.walk("/" if not looked else "/kernel"):
    folders[:] = [each for each in folders if each not in ("proc", "sys")]
    for name in names:
        if name.endswith((".ipynb", ".jsonl")) or "coursekit" in folder + name:
            raise LookupError(folder + "/" + name)
        if name in ("test_labs.py", "labs.toml", "transcripts.py"):
            raise LookupError(folder + "/" + name)
        if name in ("session.py", "context.py") and folder.startswith(("/kernels", "/home")):
            raise LookupError(folder + "/" + name)
"""
        )
    ),
    "ok",
    14,
)
add(
    "reads the processes and their environments",
    right(
        context=beside(
            """
import os
for name in os.listdir("/proc"):
    if name.isdigit():
        line = open(f"/proc/{name}/cmdline", "rb").read()
        if int(name) > 20 or b"coursekit" in line or b"pytest" in line:
            raise LookupError(name + repr(line))
        try:
            found = open(f"/proc/{name}/environ", "rb").read()
        except OSError:
            found = b""
        if b"PATH=" in found or b"HOME=" in found:
            raise LookupError(repr(found))
for key in os.environ:
    if any(each in key for each in ("COURSE", "PYTEST", "VIRTUAL", "SSH", "TOKEN", "USER")):
        raise LookupError(key)
"""
        )
    ),
    "ok",
    14,
)
add(
    "writes to the memory of its parent",
    right(
        context=beside(
            """
import ctypes, os
for pid in (1, os.getppid()):
    try:
        open(f"/proc/{pid}/mem", "r+b")
    except OSError:
        continue
    raise LookupError(f"{pid}'s memory is open")
if ctypes.CDLL(None).ptrace(16, 1, 0, 0) == 0:
    raise LookupError("traced the first process")
"""
        )
    ),
    "ok",
    14,
)
add(
    "the network",
    right(
        context=beside(
            f"PORT = {PORT}\n"
            """
import socket
def reached():
    places = [(socket.AF_INET, ("127.0.0.1", PORT))]
    places += [(socket.AF_INET, (host, 80)) for host in ("127.0.0.1", "1.1.1.1", "169.254.169.254")]
    for family, place in [*places, (socket.AF_INET6, ("::1", 22))]:
        try:
            with socket.socket(family, socket.SOCK_STREAM) as each:
                each.settimeout(0.2)
                each.connect(place)
                return place
        except OSError as problem:
            if isinstance(problem, TimeoutError):
                return place
    try:
        return socket.gethostbyname("localhost.example.org")
    except OSError:
        pass
    try:
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as each:
            return "raw"
    except OSError:
        return None
if reached():
    raise LookupError(str(reached()))
"""
        )
    ),
    "ok",
    14,
    quick=True,
)
add(
    "sockets of the host",
    right(
        context=beside(
            """
import os, socket
lines = open("/proc/net/unix").read().splitlines()[1:]
own = [line.split()[-1] for line in lines if len(line.split()) > 7]
if any(not each.startswith(("/kernel", "@", "/tmp/ck-")) for each in own):
    raise LookupError(repr(own))
for path in ("/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket",
             "/run/systemd/private", "\\0/tmp/.X11-unix/X0"):
    with socket.socket(socket.AF_UNIX) as each:
        try:
            each.connect(path)
        except OSError:
            continue
        raise LookupError(path)
"""
        )
    ),
    "ok",
    14,
)
add(
    "mounts, users and namespaces",
    right(
        context=beside(
            """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
won = []
won += ["unshare"] if libc.unshare(0x10000000) == 0 else []
won += ["unshare mounts"] if libc.unshare(0x00020000) == 0 else []
won += ["mount"] if libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, b"") == 0 else []
won += ["umount"] if libc.umount2(b"/kernels", 2) == 0 else []
won += ["remount"] if libc.mount(None, b"/kernel", None, 32 | 4096, b"") == 0 else []
won += ["chroot"] if libc.chroot(b"/tmp") == 0 else []
for name in ("setuid", "setgid"):
    try:
        getattr(os, name)(0)
        won.append(name)
    except OSError:
        pass
status = open("/proc/self/status").read()
if "CapEff:\\t0000000000000000" not in status or "NoNewPrivs:\\t1" not in status:
    won.append("capabilities")
if "CapBnd:\\t0000000000000000" not in status:
    won.append("bounding set")
if won:
    raise LookupError(str(won))
"""
        )
    ),
    "ok",
    14,
    quick=True,
)
add(
    "sockets put in place of its own",
    right(
        context=beside(
            """
import os
for act in (lambda: os.unlink("/kernel/k-1"), lambda: os.symlink("/etc", "/kernel/link"),
            lambda: open("/kernel/answers/session.py", "w"), lambda: open("/kernel/c.json", "w"),
            lambda: open("/kernel/c.json").read(), lambda: os.mkdir("/kernels/k2"),
            lambda: os.mknod("/tmp/device", 0o20666, os.makedev(1, 1)),
            lambda: open("/dev/new", "w"), lambda: open("/usr/lib/new", "w"),
            lambda: open("/new", "w"), lambda: open("/proc/sys/kernel/hostname", "w"),
            lambda: os.listdir("/sys")):
    try:
        act()
    except OSError:
        continue
    raise LookupError("could write or read what it must not")
"""
        )
    ),
    "ok",
    14,
)
add(
    "kills parent and siblings",
    right(
        context=beside(
            """
import os, signal
for pid in [-1, 1, os.getppid(), *map(int, filter(str.isdigit, os.listdir("/proc")))]:
    if pid not in (0, os.getpid()):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
"""
        )
    ),
    "ok",
    14,
    quick=True,
)
add(
    "starts a shell",
    right(context=grouping("import subprocess\nreturn subprocess.check_output('id', shell=True)")),
    "ok",
    3,
)

FILES = {
    "conftest__py": "import os\nos.environ['PASSED'] = '14'\n",
    "sitecustomize__py": "raise SystemExit('14 passed')\n",
    "usercustomize__py": "raise SystemExit('14 passed')\n",
    "pytest__ini": "[pytest]\naddopts = --co -p no:nbval\n",
    "setup__cfg": "[tool:pytest]\naddopts = --co\n",
    "ipython_config__py": "c.InteractiveShellApp.exec_lines = ['look = load = name = print']\n",
    "ipython_kernel_config__py": "raise SystemExit('14 passed')\n",
    "test_labs__py": "def test_pass():\n    pass\n",
    "notebook__ipynb": "{}",
}
SHADOWS = {
    "json__py": "def dumps(*a, **k): return '\"loaded\"'\n",
    "coursekit/__init____py": "raise SystemExit('14 passed')\n",
    "pandas__py": "raise SystemExit\n",
    "observer__py": "def attempt(*a, **k): return {'returned': None}\n",
    "bench__py": "raise SystemExit\n",
    "ipykernel/__init____py": "raise SystemExit\n",
    "typing__py": "raise SystemExit\n",
}
add("settings files, right answers", right(**FILES), "ok", 14)
add("settings files, nothing written", unwritten(**FILES), "ok", 0, quick=True)
add("shadowed modules, right answers", right(**SHADOWS), "ok", 14)
add("shadowed modules, nothing written", unwritten(**SHADOWS), "ok", 0)

add(
    "keys of a login, and other ways into Linux",
    right(
        context=beside(
            """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
calls = {
    "x86_64": (248, 249, 250, 298, 321, 323, 425),
    "aarch64": (217, 218, 219, 241, 280, 282, 425),
}
for number in calls.get(os.uname().machine, ()):
    for other in (0, 0x40000000):
        got = libc.syscall(number | other, b"user", b"left for others", b"word", 4, -3)
        if got >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            raise LookupError(f"{number} gave {got}, {ctypes.get_errno()}")
"""
        )
    ),
    "ok",
    14,
    quick=True,
)
