"""`coursekit check --watch` as a learner has it: the real command in a terminal of its own."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.course import COURSE
from coursekit.workbook import answer_files, practice

pty = pytest.importorskip("pty", reason="There are no pseudo-terminals here.")
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

COURSEKIT = Path(sys.executable).with_name("coursekit")
CLEAR = "\x1b[H\x1b[2J"
WATCHING = "quits."
"""The end of what is on the screen once it waits for a change."""


class Terminal:
    """The command in a terminal: what it wrote, and what is typed to it."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.text = ""
        ours, its = os.openpty()
        command = [COURSEKIT, "check", "--watch", *words]
        # Through the standard library's own helper it gets this terminal as its own.
        code = "import os, sys; os.login_tty(0); os.execv(sys.argv[1], sys.argv[1:])"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, command)],
            stdin=its,
            cwd=folder,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(its)
        self._descriptor = ours

    def until(self, phrase: str, seconds: float = 60.0) -> str:
        """What was written from now on, up to `phrase`."""
        deadline = time.monotonic() + seconds
        while phrase not in self.text:
            left = deadline - time.monotonic()
            assert left > 0, f"never said {phrase!r}; it said:\n{self.text}"
            if select.select([self._descriptor], [], [], left)[0]:
                self.text += os.read(self._descriptor, 65536).decode()
        before, _, self.text = self.text.partition(phrase)
        return before + phrase

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    def end(self) -> int:
        """The exit status of a command that was told to stop."""
        return self.process.wait(timeout=30)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._descriptor)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return practice.make(COURSE, tmp_path / "practice")


@pytest.fixture
def terminal(folder: Path) -> Iterator[Terminal]:
    terminal = Terminal(folder)
    yield terminal
    terminal.close()


def write_body(folder: Path, lab_id: str, body: str) -> None:
    """Put a body in place of the stub of a lab."""
    lab = COURSE.find(lab_id)
    path = folder / lab.module
    text = path.read_text(encoding="utf-8")
    wanted = rf'raise LabNotDone\("Lab {re.escape(lab_id)}.*\)'
    new, changed = re.subn(wanted, body, text)
    assert changed == 1
    path.write_text(new, encoding="utf-8")


def test_it_stays_at_a_red_lab_and_goes_on_when_it_turns_green(
    terminal: Terminal, folder: Path
) -> None:
    screen = terminal.until(WATCHING)
    assert screen.startswith(CLEAR)
    assert "Lab 11.1" in screen
    assert "Lab 11.2" not in screen
    assert "every 0.5 s" in screen, "that it looks, and how often, is said"
    assert max(map(len, screen.replace("\r", "\n").splitlines())) <= 80
    write_body(folder, "11.1", "return None")
    screen = terminal.until(WATCHING)
    assert screen.count(CLEAR) == 1
    assert "not written yet" not in screen
    answer_files.reset(COURSE, folder, COURSE.find("11.1"))
    terminal.until(WATCHING)
    answer_files.reveal(COURSE, folder, COURSE.find("11.1"))
    screen = terminal.until(WATCHING)
    assert re.search(r"Lab 11\.1 .* 3/3", screen)
    assert re.search(r"Lab 11\.2 .* 0/3", screen)
    assert "11_2_interactions.ipynb" in screen
    terminal.type("q\n")
    terminal.until("No longer watching.")
    assert terminal.end() == 1


def test_it_ends_by_itself_when_all_labs_pass(folder: Path) -> None:
    for lab in COURSE.labs[:-1]:
        answer_files.reveal(COURSE, folder, lab)
    terminal = Terminal(folder, "11.5")
    try:
        assert "Lab 11.5" in terminal.until(WATCHING)
        answer_files.reveal(COURSE, folder, COURSE.find("11.5"))
        screen = terminal.until("All five labs pass.")
        assert screen.count("/3") + screen.count("2/2") == 5
        assert terminal.end() == 0
    finally:
        terminal.close()


def test_a_file_with_the_old_time_and_size_is_seen(terminal: Terminal, folder: Path) -> None:
    """As on drives with coarse times, or where an editor puts the time back."""
    terminal.until(WATCHING)
    path = folder / "session.py"
    before = path.stat()
    old = path.read_bytes()
    new = old.replace(b"parse_compaction is not written", b"parse_compaction is not WRITTEN")
    assert len(new) == len(old)
    assert new != old
    fresh = folder / "fresh"
    fresh.write_bytes(new)
    os.utime(fresh, ns=(before.st_atime_ns, before.st_mtime_ns))
    fresh.replace(path)
    assert "WRITTEN" in terminal.until(WATCHING)


def test_a_save_without_a_change_checks_nothing_and_enter_does(
    terminal: Terminal, folder: Path
) -> None:
    terminal.until(WATCHING)
    os.utime(folder / "session.py")
    time.sleep(1.5)
    terminal.type("\n")
    assert terminal.until(WATCHING).count(CLEAR) == 1
    terminal.type("q\n")
    assert CLEAR not in terminal.until("No longer watching.")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("while True: pass", "a loop that never"),
        ("while True: print('x' * 1000)", "printed without end"),
        ("return parse_compaction(record)", "recursion"),
        ("return (", "never closed"),
    ],
    ids=["loop", "output", "recursion", "syntax"],
)
def test_what_never_ends_is_a_sentence_and_the_watching_goes_on(
    terminal: Terminal, folder: Path, body: str, expected: str
) -> None:
    terminal.until(WATCHING)
    write_body(folder, "11.1", body)
    screen = terminal.until(WATCHING)
    assert expected in " ".join(screen.lower().split())
    assert "Traceback" not in screen
    answer_files.reveal(COURSE, folder, COURSE.find("11.1"))
    assert "Lab 11.2" in terminal.until(WATCHING)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_the_answer_that_it_runs(
    terminal: Terminal, folder: Path, stop: signal.Signals
) -> None:
    write_body(
        folder, "11.1", "import os; open('running', 'w').write(str(os.getpid()))\n    while 1: 0"
    )
    running = folder / "running"
    deadline = time.monotonic() + 60
    while not (running.exists() and running.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    if stop is signal.SIGINT:
        terminal.type("\x03")
    else:
        terminal.process.send_signal(stop)
    screen = terminal.until("No longer watching.")
    assert "Traceback" not in screen
    assert terminal.end() == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(running.read_text()), 0)


def test_without_a_terminal_no_screen_is_cleared_and_no_input_read(folder: Path) -> None:
    lines = []
    with subprocess.Popen(
        [COURSEKIT, "check", "--watch"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C quits." in line:
                break
        process.send_signal(signal.SIGINT)
        lines += process.stdout.readlines()
        assert process.wait(timeout=30) == 130
    text = "".join(lines)
    assert "\x1b" not in text
    assert "\r" not in text
    assert text.count("Lab 11.1: parse_compaction is not written yet") == 3
    assert text.endswith("No longer watching.\n")


@pytest.mark.parametrize("words", [("--json",), ("11.1", "11.2")])
def test_it_takes_one_lab_and_no_json(folder: Path, words: tuple[str, ...]) -> None:
    ended = subprocess.run(
        [COURSEKIT, "check", "--watch", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 2
    assert "--watch takes one lab" in ended.stderr
