from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, ValidationError
from pydantic import AfterValidator as After

from session import CompactionSessionEntry, CompactionSummary, is_finite


def _said(text):
    if not text.strip():
        raise ValueError("blank")
    return text


def _finite(number):
    if not is_finite(number):
        raise ValueError("not finite")
    return number


def _not_below_zero(number):
    if number < 0:
        raise ValueError("below zero")
    return number


Said = Annotated[str, After(_said)]
Number = Annotated[StrictInt | StrictFloat, After(_finite)]


class Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class SummaryShape(Shape):
    goal: Said
    constraints: list[str]
    completed: list[str]
    decisions: list[str]
    changedFiles: list[str]
    unresolved: list[str]
    next: list[str]


class RecordShape(Shape):
    type: Literal["compaction"]
    id: str
    parentId: Said
    timestamp: Number
    summary: SummaryShape
    firstKeptEntryId: Said
    tokensBefore: Annotated[Number, After(_not_below_zero)] = Field(...)


def parse_compaction(record):
    try:
        shape = RecordShape.model_validate(record)
    except ValidationError as problem:
        places = [
            ".".join(str(each) for each in fault["loc"] if each not in ("int", "float"))
            for fault in problem.errors(include_url=False, include_input=False)
        ]
        raise ValueError(" ".join(f"{record['id']}.{place}" for place in places)) from problem
    summary = shape.summary
    return CompactionSessionEntry(
        id=shape.id,
        parent_id=shape.parentId,
        timestamp=shape.timestamp,
        summary=CompactionSummary(
            goal=summary.goal,
            constraints=summary.constraints,
            completed=summary.completed,
            decisions=summary.decisions,
            changed_files=summary.changedFiles,
            unresolved=summary.unresolved,
            next=summary.next,
        ),
        first_kept_entry_id=shape.firstKeptEntryId,
        tokens_before=shape.tokensBefore,
    )
