"""Bringing a newer release's course into a practice folder, the learner's work untouched."""

from dataclasses import dataclass, field
from pathlib import Path

from coursekit.check.coursekit_error import CoursekitError
from coursekit.workbook.chosen_course import course_of
from coursekit.workbook.course_files import (
    RELEASE,
    Mark,
    course_files,
    is_newer,
    known_files,
    mark_of,
    note_files,
    starters,
)
from coursekit.workbook.file_writing import keep_backup, write_atomically
from coursekit.workbook.progress import Progress


@dataclass
class Update:
    """What an update did, by path in the folder.

    `kept` has, for each file that the learner had changed, where their text is now;
    `left` names files that the course no longer has; `starters` the modules whose
    other parts are different in this release.
    """

    before: str | None
    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    starters: list[str] = field(default_factory=list)


def update(folder: Path) -> Update:
    """Bring the folder to the installed release: notebooks, data, tests, checks.

    Answers, progress and files that the learner added stay. A file of the course that
    the learner changed is kept beside the new one. Stopped midway, it can be run
    again. Raises `CoursekitError` if the folder is of a later release, or if something
    stands in the way of a file; nothing is changed then.
    """
    course = course_of(folder)
    progress = Progress(folder)
    if is_newer(progress.release):
        raise CoursekitError(
            f"{folder} holds the course of coursekit {progress.release}, and this is "
            f"{RELEASE}. Install the newer one: pip install --upgrade coursekit"
        )
    known = known_files(progress)
    sources = course_files(course)
    _see_that_nothing_is_in_the_way(folder, list(sources))
    done = Update(progress.release)
    for name, source in sources.items():
        path = folder / name
        new, here = mark_of(source), mark_of(path)
        assert new is not None
        if here is None:
            done.added.append(name)
        elif _stays(here, new, known.get(name)):
            continue
        elif known.get(name) is not None and here.text == known[name].text:
            done.replaced.append(name)
        else:
            done.kept[name] = _keep_beside(path).relative_to(folder).as_posix()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, source.read_bytes())
    gone = known.keys() - sources.keys() - starters(course).keys()
    done.left = sorted(name for name in gone if (folder / name).is_file())
    done.starters = [
        module
        for module, source in starters(course).items()
        if module in known and mark_of(source) != known[module]
    ]
    note_files(course, progress)
    progress.save()
    return done


def update_text(done: Update) -> str:
    """What an update did, for a reader."""
    lines = []
    if done.before not in (None, RELEASE):
        lines.append(f"From coursekit {done.before} to {RELEASE}.")
    lines += [f"  new       {name}" for name in done.added]
    lines += [f"  replaced  {name}" for name in done.replaced]
    lines += [
        f"  replaced  {name}; yours is kept in {beside}" for name, beside in done.kept.items()
    ]
    lines += [
        f"  left      {name}: it is no longer part of the course; delete it if you like"
        for name in done.left
    ]
    if not (done.added or done.replaced or done.kept):
        lines.append("Every file of the course is this release's already.")
    lines += [
        f"The starter of {module} is another one in this release; yours stays as it is. "
        "To see it, make a folder beside: coursekit practice practice-new"
        for module in done.starters
    ]
    lines.append("Your answers and your progress were not touched.")
    return "\n".join(lines)


def _stays(here: Mark, new: Mark, old: Mark | None) -> bool:
    """Whether there is nothing to bring: it is this release's, or the release has nothing new."""
    if here.whole == new.whole or old == new:
        return True
    return old is None and here.text == new.text  # only run since, wherever it came from


def _see_that_nothing_is_in_the_way(folder: Path, names: list[str]) -> None:
    for name in names:
        path = folder / name
        if path.exists() and not path.is_file():
            raise CoursekitError(f"{path} should be a file of the course. Move what is there away.")
        inner = [parent for parent in path.parents if folder in parent.parents]
        for parent in inner:
            if parent.exists() and not parent.is_dir():
                raise CoursekitError(f"{parent} should be a folder. Move what is there away.")


def _keep_beside(path: Path) -> Path:
    """Put the learner's text under a name of its own: a notebook stays one."""
    if path.suffix != ".ipynb":
        return keep_backup(path)
    text = path.read_bytes()
    number = 1
    while True:
        ending = ".mine.ipynb" if number == 1 else f".mine-{number}.ipynb"
        beside = path.with_name(path.stem + ending)
        try:
            with beside.open("xb") as file:
                file.write(text)
        except FileExistsError:
            number += 1
        else:
            return beside
