"""The class whose reports are recorded: one student for each way that a submission ends."""

from collections.abc import Callable
from pathlib import Path

from coursekit.course import COURSE
from coursekit.workbook.right_answers import right_answer

_APPENDED = {
    "dan slices": """

def group_interactions(entries):
    return [InteractionGroup(list(entries))]
""",
    "eve loops": """

def restore(active_path):
    while True: pass
""",
    "fay exits": """

def create_compaction_entry(active_path, **arguments):
    raise SystemExit(3)
""",
    "gil is strict": """

def group_interactions(entries):
    raise KeyError("no groups here")
""",
    "hal forgets": """

def build_context(active_path, **options):
    pass
""",
    "ida asks for all": """

def build_context(active_path, **options):
    return [0] * (1 << 40)
""",
}


def make_class(folder: Path) -> Path:
    """Write the class's submissions into a new folder."""
    answers: dict[str, dict[str, bytes]] = {
        "ann passes": _files(right_answer),
        "ben begins": _files(lambda course, module: (course.starters / module).read_bytes()),
    }
    for student, text in _APPENDED.items():
        answers[student] = _files(right_answer)
        answers[student]["context.py"] += text.encode()
    answers["joe lacks one"] = {"context.py": right_answer(COURSE, "context.py")}
    for student, files in answers.items():
        (folder / student).mkdir(parents=True)
        for name, content in files.items():
            (folder / student / name).write_bytes(content)
    return folder


def _files(read: Callable[..., bytes]) -> dict[str, bytes]:
    return {module: read(COURSE, module) for module in COURSE.modules}
