"""A submission's own walls, raised by a process around itself before any student byte.

Linux calls that Python 3.11 has no names for, through the C library; then the acts
in their order: `enter` (namespaces), `furnish` (mounts), `drop` (user and capabilities),
`limit`, `refuse_calls`, and `seal` (nothing left to change).
"""

import contextlib
import ctypes
import errno
import os
import resource
import struct
from typing import TypedDict

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522

KERNEL = "/kernel"
"""Inside: the submission's own folder, with its sockets and its answers."""

KERNELS = "/kernels"
"""Inside, before the walls: the folders of all kernels."""

INNER_ID = 1000

_REFUSED = {
    "x86_64": (0xC000003E, (248, 249, 250, 298, 321, 323, 425, 426, 427)),
    "aarch64": (0xC00000B7, (217, 218, 219, 241, 280, 282, 425, 426, 427)),
}
"""By machine: its name in a filter, and the numbers of the calls to refuse: `add_key`,
`request_key`, `keyctl`, `perf_event_open`, `bpf`, `userfaultfd` and three of `io_uring`."""

_libc = ctypes.CDLL(None, use_errno=True)


def enter(folder: str) -> None:
    """Take new namespaces and a view of the files in which `folder` is the only one.

    Root keeps its own user namespace for the mounts, so that they belong to nobody
    behind the walls; `drop` makes the new one. Others need it first, to mount at all.
    """
    kinds = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    if os.getuid() == 0:
        _call("unshare", kinds)
    else:
        _own_users(kinds)
    _mount(None, "/", None, MS_REC | MS_PRIVATE)
    _mount(os.path.join(KERNELS, folder), KERNEL, None, MS_BIND)


def furnish(scratch: int) -> None:
    """As the first process of the new namespaces: its /proc and a /tmp of `scratch` bytes."""
    quiet = MS_NOSUID | MS_NODEV | MS_NOEXEC
    _mount("proc", "/proc", "proc", quiet)
    _mount("tmpfs", KERNELS, "tmpfs", quiet | MS_RDONLY, "size=4k,nr_inodes=2")
    _mount("tmpfs", "/tmp", "tmpfs", quiet, f"size={scratch},nr_inodes=2048,mode=1777")


def seal() -> None:
    """Once the sockets stand, nobody can put anything else in their place."""
    _mount(None, KERNEL, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    _mount(None, "/proc", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def become(uid: int) -> None:
    """Be this user, in no group, for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def drop(uid: int) -> None:
    """End with no capability and no way to one; root becomes `uid` first.

    The user namespace that remains refuses new ones: in one of its own, a process
    could mount, and hold what no limit counts.
    """
    if os.getuid() == 0:
        become(uid)
        _own_users(0)
    _write("/proc/sys/user/max_user_namespaces", "0")
    drop_bounding()
    drop_capabilities()


def drop_bounding() -> None:
    """Take every capability out of reach of whatever is started from here on."""
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break


def drop_capabilities() -> None:
    """Give up every capability that is held, and every right to gain one."""
    _libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _own_users(kinds: int) -> None:
    """A user namespace that holds one user, and the namespaces of these other kinds."""
    uid, gid = os.getuid(), os.getgid()
    # A change of user took away the right to write one's own maps.
    _call("prctl", PR_SET_DUMPABLE, 1, 0, 0, 0)
    _call("unshare", CLONE_NEWUSER | kinds)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{INNER_ID} {uid} 1")
    _write("/proc/self/gid_map", f"{INNER_ID} {gid} 1")


class ProcessLimits(TypedDict):
    """What one process may take: bytes, CPU seconds, processes of its user, bytes of a file."""

    address_space: int
    cpu: int
    processes: int
    scratch: int


def limit(limits: ProcessLimits) -> None:
    """Limits of each process of the submission: bytes, seconds, counts."""
    for name, value in (
        ("AS", limits["address_space"]),
        ("CPU", limits["cpu"]),
        ("NPROC", limits["processes"]),
        ("FSIZE", limits["scratch"]),
        ("NOFILE", 256),
        ("CORE", 0),
        ("MEMLOCK", 0),
        ("MSGQUEUE", 0),
    ):
        which = getattr(resource, f"RLIMIT_{name}")
        resource.setrlimit(which, (value, value))


def refuse_calls() -> None:
    """Refuse system calls that no answer needs, for good.

    No namespace holds the keys of a login: a process could read them, or leave one for
    another submission. The others are where holes in Linux were found most often.
    """
    known = _REFUSED.get(os.uname().machine)
    if known is None or ctypes.sizeof(ctypes.c_void_p) != 8:
        return
    machine, numbers = known
    load, equal, at_least, end = 0x20, 0x15, 0x35, 0x06
    refused = (end, 0, 0, 0x00050000 | errno.EPERM)
    left = len(numbers) + 1  # comparisons and the end between a line and the refusal
    lines = [(load, 0, 0, 4), (equal, 1, 0, machine), refused, (load, 0, 0, 0)]
    lines.append((at_least, left, 0, 0x40000000))  # the same calls by other numbers
    lines += [(equal, left - i, 0, number) for i, number in enumerate(numbers, 1)]
    lines += [(end, 0, 0, 0x7FFF0000), refused]
    packed = b"".join(struct.pack("HBBI", *line) for line in lines)
    text = ctypes.create_string_buffer(packed, len(packed))
    program = struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(text))
    _call("prctl", PR_SET_SECCOMP, 2, program, 0, 0)


def has_processes(user: int) -> bool:
    """Whether a process of this user is alive, as far as /proc shows them.

    Without psutil: the launcher that asks this imports only what each of its forks needs.
    """
    for each in os.listdir("/proc"):
        try:
            with open(f"/proc/{each}/status") as file:
                fields = dict(line.split(":", 1) for line in file)
        except OSError:  # no process, or one that has ended
            continue
        if fields["Uid"].split()[0] == str(user) and fields["State"].split()[0] not in "ZX":
            return True
    return False


def reap() -> None:
    """Take leave of the children that have ended, without waiting for others."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _call("prctl", PR_SET_PDEATHSIG, 9, 0, 0, 0)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    named = [_bytes(each) for each in (source, target, kind)]
    _call("mount", *named, ctypes.c_ulong(flags), _bytes(data))


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        code = ctypes.get_errno()
        shown = tuple(each for each in arguments if isinstance(each, bytes | int))
        raise OSError(code, f"{name}{shown}: {os.strerror(code)}")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
