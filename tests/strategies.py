"""Random course sessions for hypothesis, as JSON; and every way to damage an entry.

The sessions are odd but right: any Unicode (with the separators that `splitlines`
knows and JSON does not, and with halves of surrogate pairs), numbers of every size,
results before their calls, metadata and compactions anywhere.
"""

import copy
import math
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from coursekit.transcripts import Json
from tests.builders import chain

SEPARATORS = "\u2028\u2029\u0085\u000b\u000c\u001c\r\n\t\x00\ufeff"


def _join_halves(words: str) -> str:
    # Two halves side by side are one character in JSON, so only lone ones can stay.
    return words.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


texts = st.text(
    st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from(SEPARATORS + "\ud800\udfff\U0001f600会话"),
        st.sampled_from('ab "\\{}[],:'),
    ),
    max_size=12,
).map(_join_halves)

non_negative = st.one_of(
    st.integers(0, 2**70),
    st.floats(0, allow_nan=False, allow_infinity=False),
    st.sampled_from([0, -0.0, 5e-324, 1.7976931348623157e308, 2**53 + 1, 10**300]),
)
numbers = st.one_of(
    non_negative,
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
)
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=8,
)
text_parts = st.builds(lambda words: {"type": "text", "text": words}, texts)
usages = st.fixed_dictionaries(
    {"input": non_negative, "output": non_negative, "totalTokens": non_negative}
)
summaries = st.fixed_dictionaries(
    {
        "goal": texts.map(lambda words: f"goal {words}"),
        "constraints": st.lists(texts, max_size=2),
        "completed": st.lists(texts, max_size=2),
        "decisions": st.lists(texts, max_size=2),
        "changedFiles": st.lists(texts, max_size=2),
        "unresolved": st.lists(texts, max_size=2),
        "next": st.lists(texts, max_size=2),
    }
)

user_messages = st.fixed_dictionaries(
    {"role": st.just("user"), "content": st.lists(text_parts, max_size=2), "timestamp": numbers}
)


def tool_call_parts(call_id: str) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "type": st.just("toolCall"),
            "id": st.just(call_id),
            "name": texts,
            "arguments": json_values,
        }
    )


def tool_results(call_id: str) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {
            "role": st.just("toolResult"),
            "toolCallId": st.just(call_id),
            "toolName": texts,
            "content": st.lists(text_parts, max_size=2),
            "isError": st.booleans(),
            "timestamp": numbers,
        },
        optional={"details": json_values.filter(lambda value: value is not None)},
    )


@st.composite
def assistant_messages(draw: st.DrawFn, call_ids: tuple[str, ...] = ()) -> Json:
    """An assistant message with these calls, in this order, among texts."""
    content = draw(st.lists(text_parts, max_size=2))
    for call_id in call_ids:
        content.insert(draw(st.integers(0, len(content))), draw(tool_call_parts(call_id)))
    reasons = ["stop", "length", "toolUse", *([] if call_ids else ["error", "aborted"])]
    message = {
        "role": "assistant",
        "content": content,
        "provider": draw(texts),
        "model": draw(texts),
        "usage": draw(usages),
        "stopReason": draw(st.sampled_from(reasons)),
        "timestamp": draw(numbers),
    }
    if draw(st.booleans()):
        message["errorMessage"] = draw(texts)
    return message


@st.composite
def interactions(draw: st.DrawFn) -> list[Json]:
    """The messages of one whole interaction: every call has its one result, anywhere."""
    call_ids = [f"call {i}" for i in range(draw(st.integers(0, 3)))]
    answers: list[Json] = [draw(tool_results(call_id)) for call_id in call_ids]
    while call_ids:
        together = draw(st.integers(1, len(call_ids)))
        answers.append(draw(assistant_messages(tuple(call_ids[:together]))))
        call_ids = call_ids[together:]
    if draw(st.booleans()):
        answers.append(draw(assistant_messages()))
    return [draw(user_messages), *draw(st.permutations(answers))]


@st.composite
def sessions(draw: st.DrawFn, *, max_interactions: int = 4, compactions: bool = True) -> list[Json]:
    """The entries of one path, root first; metadata and compactions stand anywhere."""
    entries: list[Json] = []

    def add(kind: str, fields: Json) -> None:
        entry_id = f"{draw(texts)} {len(entries)}"
        head = {"type": kind, "id": entry_id, "parentId": None, "timestamp": draw(numbers)}
        entries.append(head | fields)

    starts: list[str] = []
    for _ in range(draw(st.integers(0, max_interactions))):
        for message in draw(interactions()):
            if draw(st.integers(0, 5)) == 0:
                add("metadata", {"key": draw(texts), "value": draw(json_values)})
            add("message", {"message": message})
            if message["role"] == "user":
                starts.append(entries[-1]["id"])
            if compactions and draw(st.integers(0, 7)) == 0:
                fields = {
                    "summary": draw(summaries),
                    "firstKeptEntryId": draw(st.sampled_from(starts)),
                    "tokensBefore": draw(non_negative),
                }
                add("compaction", fields)
    return chain(*entries)


@st.composite
def entries(draw: st.DrawFn) -> Json:
    """One entry of any kind."""
    session: list[Json] = draw(sessions(max_interactions=2).filter(bool))
    return draw(st.sampled_from(session))


# --- damage ---------------------------------------------------------------------

FREE_JSON = ("arguments", "value", "details")
OPTIONAL = ("details", "errorMessage")
NON_BLANK = ("id", "parentId", "firstKeptEntryId", "toolCallId", "goal")
NON_NEGATIVE = ("tokensBefore", "input", "output", "totalTokens")
NO_NUMBERS: list[Any] = [None, True, "3", math.nan, math.inf, -math.inf, 10**400, [], {}]


def _wrong_values(key: str | int, value: Any) -> list[Any]:
    wrong: list[Any]
    if key in FREE_JSON:
        wrong = [math.nan, (1,), {1: 2}, [{"deep": {3}}], b"bytes", 10**400]
    elif isinstance(value, bool):
        wrong = [None, 0, "true", [], {}]
    elif isinstance(value, int | float):
        wrong = [*NO_NUMBERS, *([-1, -0.5] if key in NON_NEGATIVE else [])]
    elif isinstance(value, str):
        wrong = [None, True, 3, [], {}, ["text"], b"bytes"]
        if key == "parentId":
            wrong.remove(None)
        wrong += ["", " \t\u2028"] if key in NON_BLANK else []
        wrong += ["Stop", "unknown"] if key in ("type", "role", "stopReason") else []
    elif isinstance(value, list):
        wrong = [None, True, 3, "text", {}, tuple(value)]
    elif isinstance(value, dict):
        wrong = [None, True, 3, "text", []]
    else:  # the parentId of a root
        wrong = [True, 3, "", "  ", [], {}]
    return wrong


def damages(entry: Json) -> Iterator[tuple[str, Json]]:
    """Every damage that we know how to do: the path that must be named, and the entry."""

    def at(steps: tuple[str | int, ...]) -> str:
        if steps == ("id",):
            return "entry.id"
        spelled = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
        return f"{entry['id']}{spelled}"

    def changed(steps: tuple[str | int, ...]) -> tuple[Json, Any]:
        fresh = copy.deepcopy(entry)
        holder: Any = fresh
        for step in steps:
            holder = holder[step]
        return fresh, holder

    todo: list[tuple[tuple[str | int, ...], Any]] = [((), entry)]
    while todo:
        steps, value = todo.pop()
        places = value.items() if isinstance(value, dict) else enumerate(value)
        for place, item in list(places):
            here = (*steps, place)
            if isinstance(value, dict) and place not in OPTIONAL:
                fresh, holder = changed(steps)
                del holder[place]
                yield at(here), fresh
            for wrong in _wrong_values(place, item):
                fresh, holder = changed(steps)
                holder[place] = wrong
                yield at(here), fresh
            if isinstance(item, list | dict) and place not in FREE_JSON:
                todo.append((here, item))
        if isinstance(value, dict):
            for extra in ("extra", "files", "Type"):
                fresh, holder = changed(steps)
                holder[extra] = []
                yield at((*steps, extra)), fresh
    if entry["type"] == "compaction":
        yield at(("parentId",)), entry | {"parentId": None}
    if "message" in entry and entry["message"]["role"] == "toolResult":
        fresh, holder = changed(("message",))
        holder["details"] = None
        yield at(("message", "details")), fresh
