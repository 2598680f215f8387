"""grades.csv and grades.json: one row for each student."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from coursekit.grading import clean, flags
from coursekit.grading.record import Record, Run
from coursekit.workbook import manifest

Flags = Mapping[str, Mapping[str, str]]


def columns() -> list[str]:
    """The columns of grades.csv."""
    labs = [lab.id for lab in manifest.labs()]
    return ["student", "status", *labs, "total", "max", "predictions", "flags"]


def as_csv(records: Sequence[Record], told: Flags) -> str:
    """The table as CSV; what this machine could not tell is left empty, never zero."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns())
    for record in records:
        labs = [record.passed(lab.id) for lab in manifest.labs()]
        writer.writerow(
            [
                clean.cell(record.student),
                record.status,
                *labs,
                record.total,
                len(record.verdicts),
                record.predictions,
                clean.cell(flags.in_one_line(told.get(record.student, {}))),
            ]
        )
    return out.getvalue()


def as_json(records: Sequence[Record], told: Flags, run: Run) -> str:
    """The same with each check's verdict, and with the run's settings."""
    students: list[dict[str, Any]] = [
        {
            "student": record.student,
            "status": record.status,
            "labs": {lab.id: record.passed(lab.id) for lab in manifest.labs()},
            "total": record.total,
            "max": len(record.verdicts),
            "predictions": record.predictions,
            "flags": dict(told.get(record.student, {})),
            "notes": record.notes,
            "checks": [verdict.to_json() for verdict in record.verdicts],
        }
        for record in records
    ]
    settings = {
        "variant": run.variant,
        "isolation": run.isolation,
        "timeout": run.seconds,
        "memory": run.memory,
        "coursekit": run.version,
    }
    return json.dumps({"run": settings, "students": students}, indent=1) + "\n"
