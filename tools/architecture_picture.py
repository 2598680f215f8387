"""Draw the picture of docs/architecture.md: `python tools/architecture_picture.py`.

Two commands on their way through the package. A box is a file, its colour its room; a frame
is a process. A plain arrow goes from a file to one that it imports, a dashed one to a
process that it starts. Numbers and letters say the order; the page says the rest.
"""

import re
from pathlib import Path
from typing import NamedTuple

import graphviz

from coursekit.view import style
from coursekit.view.render import render

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "architecture.svg"


class Station(NamedTuple):
    """A file of the package on a command's way: when it is reached, and what it does there."""

    file: str
    order: str
    does: str

    @property
    def room(self) -> str:
        """The room that the file is in."""
        return self.file.split("/")[0].removesuffix(".py")


HERE = "this process: no answer is imported"
FRESH = "a fresh process"
WALLS = "behind walls, one kernel each"
WORKER = "a worker, thrown away"

PROCESSES: dict[str, list[Station]] = {
    HERE: [
        Station("cli.py", "1  a", "reads the command line"),
        Station("workbook/practice.py", "2", "finds the folder"),
        Station("workbook/chosen_course.py", "3  b", "loads its course"),
        Station("workbook/attempt.py", "4  11", "asks; puts into words"),
        Station("grading/grade.py", "c", "one run, many students"),
        Station("course/__init__.py", "3  b", "the built-in course"),
        Station("check/report.py", "5", "check_answers"),
        Station("grading/submission.py", "d", "what was handed in"),
        Station("grading/graded_notebook.py", "e", "the checks as cells"),
        Station("grading/runner.py", "f", "until each check ends"),
        Station("grading/verdict.py", "k", "passed, or why not"),
        Station("grading/record.py", "l", "one file a student"),
        Station("grading/reports/report_folder.py", "m", "all reports of a class"),
        Station("grading/reports/grade_table.py", "m", "a row of grades.csv"),
        Station("check/course.py", "6", "has the case made"),
        Station("check/supervision.py", "7", "starts, limits, ends"),
        Station("check/outcome.py", "9  k", "against the reference"),
        Station("check/explanation.py", "10  k", "the message"),
        Station("grading/sandbox/walls.py", "g", "raises the walls"),
        Station("grading/comparison/pool.py", "j", "forks workers"),
    ],
    WALLS: [
        Station("grading/sandbox/inside/launcher.py", "g", "forks, shuts itself in"),
        Station("grading/sandbox/inside/kernel.py", "h", "runs one cell at a time"),
        Station("grading/sandbox/inside/bench.py", "h", "shows what came"),
        Station("check/observing.py", "i", "makes each call"),
        Station("course/observations.py", "i", "what is looked at"),
    ],
    WORKER: [Station("grading/comparison/worker.py", "j", "nbval compares")],
    FRESH: [
        Station("check/fresh_process.py", "8", "beside your files"),
        Station("check/observing.py", "8", "makes each call"),
        Station("course/observations.py", "8", "what is looked at"),
    ],
}
"""The stations by the process that they run in; a file may run in several."""

IMPORTS: dict[str, list[tuple[str, str]]] = {
    HERE: [
        ("cli.py", "workbook/practice.py"),
        ("cli.py", "workbook/chosen_course.py"),
        ("cli.py", "workbook/attempt.py"),
        ("cli.py", "grading/grade.py"),
        ("workbook/chosen_course.py", "course/__init__.py"),
        ("workbook/attempt.py", "check/report.py"),
        ("course/__init__.py", "check/course.py"),
        ("check/report.py", "check/course.py"),
        ("check/report.py", "check/supervision.py"),
        ("check/report.py", "check/outcome.py"),
        ("check/report.py", "check/explanation.py"),
        ("grading/grade.py", "grading/submission.py"),
        ("grading/grade.py", "grading/graded_notebook.py"),
        ("grading/grade.py", "grading/runner.py"),
        ("grading/grade.py", "grading/verdict.py"),
        ("grading/grade.py", "grading/record.py"),
        ("grading/runner.py", "grading/sandbox/walls.py"),
        ("grading/runner.py", "grading/comparison/pool.py"),
        ("grading/verdict.py", "check/outcome.py"),
        ("grading/verdict.py", "check/explanation.py"),
        ("grading/grade.py", "grading/reports/report_folder.py"),
        ("grading/reports/report_folder.py", "grading/reports/grade_table.py"),
    ],
    FRESH: [
        ("check/fresh_process.py", "check/observing.py"),
        ("course/observations.py", "check/observing.py"),
    ],
    WALLS: [
        ("grading/sandbox/inside/launcher.py", "grading/sandbox/inside/kernel.py"),
        ("grading/sandbox/inside/kernel.py", "grading/sandbox/inside/bench.py"),
        ("grading/sandbox/inside/bench.py", "check/observing.py"),
        ("course/observations.py", "check/observing.py"),
    ],
    WORKER: [],
}
"""From the file that imports to the one that is imported, within each process."""

STARTS = [
    ("check/supervision.py", FRESH, "check/fresh_process.py"),
    ("grading/sandbox/walls.py", WALLS, "grading/sandbox/inside/launcher.py"),
    ("grading/comparison/pool.py", WORKER, "grading/comparison/worker.py"),
]
"""A file here, the process that it starts, and the file that begins there."""

_LOOKS = {"cli": "system", "workbook": "user", "course": "custom_message"}
_LOOKS |= {"check": "toolResult", "grading": "assistant"}
_FONT = "Helvetica,Arial,sans-serif"


def node_name(process: str, file: str) -> str:
    """What a box is called in the picture's source; a file has one in each process."""
    return file if process == HERE else f"{file}, {process}"


def picture() -> graphviz.Digraph:
    """The picture; the same each time."""
    whole: graphviz.Digraph = graphviz.Digraph(
        "architecture",
        graph_attr={
            "rankdir": "LR",
            "bgcolor": "transparent",
            "fontname": _FONT,
            "fontsize": "11",
            "fontcolor": style.CAPTION,
            "newrank": "true",
            "nodesep": "0.11",
            "ranksep": "0.32",
            "pad": "0.1",
        },
        node_attr={
            "shape": "box",
            "style": "filled,rounded",
            "fontname": _FONT,
            "fontsize": "9.5",
            "fontcolor": style.INK,
            "fixedsize": "true",
            "width": "1.86",
            "height": "0.58",
        },
        edge_attr={"color": style.FADED_LINE, "arrowsize": "0.6"},
    )
    for number, (process, stations) in enumerate(PROCESSES.items()):
        with whole.subgraph(name=f"cluster_{number}") as frame:
            look = {"style": "rounded,dashed", "color": style.FADED_LINE, "margin": "8"}
            frame.attr(label=process, **look)
            for station in stations:
                _box(frame, process, station)
            for tail, head in IMPORTS[process]:
                frame.edge(node_name(process, tail), node_name(process, head))
    for starter, process, first in STARTS:
        head = node_name(process, first)
        whole.edge(starter, head, style="dashed", color=style.FIRST_KEPT, penwidth="1.6")
    with whole.subgraph() as column:
        column.attr(rank="same")
        names = [node_name(p, each.file) for p in PROCESSES if p != HERE for each in PROCESSES[p]]
        for name in names:
            column.node(name)
    return whole


def _box(frame: graphviz.Digraph, process: str, station: Station) -> None:
    look = style.box_style(_LOOKS[station.room])
    folder, _, file = station.file.rpartition("/")
    small = '<font point-size="8.5">'
    lines = [
        f"<b>{station.order}&#160;&#160;{file}</b>",
        f"{small}{folder or 'coursekit'}/</font>",
        f"{small}{station.does}</font>",
    ]
    label = "<" + "<br/>".join(lines) + ">"
    name = node_name(process, station.file)
    frame.node(name, label, fillcolor=look.fill, color=look.line)


def svg_text() -> str:
    """The picture as SVG, without the name of the program that drew it."""
    drawn = render(str(picture().source)).decode()
    bare = re.sub(r"<!--.*?-->\n?", "", drawn, flags=re.S)
    return bare[bare.index("<svg") :]


def main() -> None:
    """Write the picture anew."""
    PICTURE.write_text(svg_text(), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
