"""Lab 11.2: user messages bound interactions, and call ids pair within them."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace

from coursekit.check.case import NO_OTHERS, Rule, Step
from coursekit.check.protocol import Request
from coursekit.course.groups_wording import GROUPS
from coursekit.course.steps import NOTHING_SHARED, CaseDraw, tamper
from coursekit.transcripts import (
    Json,
    Transcript,
    assistant,
    calls,
    chain,
    metadata,
    result,
    transcript,
    user,
)

BOUNDS = Rule(
    "A user message starts an interaction, and nothing else does; the path's order is kept.",
    "User messages are the boundaries",
)
PASSED_OVER = Rule(
    "Metadata and compaction entries are passed over: they hold no message.",
    "User messages are the boundaries",
)
BEFORE = Rule(
    "A message before the first user message belongs to no interaction, so it is refused. The "
    "error names the entry and, if the message makes a call or answers one, the call id.",
    "User messages are the boundaries",
)
PAIRING = Rule(
    "A result finds its call by toolCallId, wherever it stands in the interaction; "
    "neither position nor tool name counts.",
    "Calls and results pair by id",
)
REUSE = Rule(
    "A call id is unique within its interaction, and may be used again in a later one.",
    "Calls and results pair by id",
)
WHOLE = Rule(
    "When an interaction ends, every call has exactly one result and every result a call.",
    "A broken interaction",
)
ONCE = Rule(
    "Within an interaction a call id is declared once.",
    "A broken interaction",
)
CUT_OFF = Rule(
    "A message that ended with error or aborted was cut off: a call in it is refused, "
    "whether or not a result is there. Without a call it is a message like any other.",
    "A broken interaction",
)
COPIES = Rule(
    "The returned entries are copies: they share nothing with the path, which stays as it was.",
    NOTHING_SHARED,
)


def check_1(variant: int) -> list[Step]:
    """User messages bound the groups."""
    draw = CaseDraw("11.2/1", variant)
    script = transcript(variant)
    path = script.entries
    at = next(i for i, entry in enumerate(script.groups[-1]) if _calls(entry))
    arguments: list[str | int] = ["message", "content", 0, "arguments"]
    place = len(path) - len(script.groups[-1]) + at
    grouped = [
        group(
            path,
            f"group_interactions of {len(path)} messages",
            BOUNDS,
            other_rules={"refused": PAIRING},
        ),
        tamper("groups", [[-1, "entries", at, *arguments]], "path", COPIES),
        tamper("path", [[place, *arguments], [0, "message", "content"]], "groups", COPIES),
    ]
    first = script.groups[0][0]["id"]
    between: list[Json] = [metadata(draw.name("m"), None, draw.text(1), {"n": 1})]
    for entry in path:
        between += [entry, metadata(draw.name("m"), None, draw.text(1), [])]
    between.insert(draw.random.randrange(3, len(between)), script.compaction)
    headless = [entry for entry in path if entry["id"] != first]
    question, answer = user(draw.name("u"), None, draw.text()), draw.text()
    lone = draw.interaction(None, 1)
    asking, answering = lone[1], lone[2]
    return draw.mixed(
        [
            grouped,
            group(
                chain(between),
                "group a path with metadata and a compaction",
                PASSED_OVER,
            ),
            group(
                chain(headless),
                f"group a path that lacks {first}",
                BEFORE,
                [[headless[0]["id"]]],
            ),
            group(
                chain([answering, *lone[:2], lone[-1]]),
                "group a path that begins with a tool result",
                BEFORE,
                [[answering["id"]], _calls(asking)],
            ),
            group(
                chain([asking, lone[0], *lone[2:]]),
                "group a path that begins with a tool call",
                BEFORE,
                [[asking["id"]], _calls(asking)],
            ),
            group([], "group an empty path", BOUNDS),
            group([between[0]], "group a path of metadata alone", PASSED_OVER),
            group([question], "group one user message, not answered yet", BOUNDS),
            group(
                chain([question, user(draw.name("u"), None, answer)]),
                "group two user messages in a row",
                BOUNDS,
            ),
        ]
    )


def check_2(variant: int) -> list[Step]:
    """Results pair by call id, in any order."""
    draw = CaseDraw("11.2/2", variant)
    script = transcript(variant)
    first, second = draw.name("k"), draw.name("k")
    tool = draw.name("tool")
    start = user(draw.name("u"), None, draw.text())
    ask_1 = calls(draw.name("c"), None, [(first, tool, {"path": draw.text()})])
    ask_2 = calls(draw.name("c"), None, [(second, tool, {"path": draw.text()})])
    both = calls(draw.name("c"), None, [(first, tool, {}), (second, tool, {})])
    answer_1 = result(draw.name("r"), None, first, tool, draw.text())
    answer_2 = result(draw.name("r"), None, second, tool, draw.text())
    odd = result(draw.name("r"), None, second, draw.name("tool"), draw.text())
    end = assistant(draw.name("a"), None, draw.text())
    again = user(draw.name("u"), None, draw.text())
    ask_3 = calls(draw.name("c"), None, [(first, tool, {"n": 3})])
    answer_3 = result(draw.name("r"), None, first, tool, draw.text())
    reused = [start, ask_1, answer_1, end, again, ask_3, answer_3]
    across = [start, ask_1, again, answer_1, end]
    early = list(script.groups[-1])
    moved = next(i for i, e in enumerate(early) if e["message"]["role"] == "toolResult")
    caller = next(i for i, entry in enumerate(early) if _calls(entry))
    early.insert(caller, early.pop(moved))
    return draw.mixed(
        [
            group(script.groups[-1], "group an interaction with reversed results", PAIRING),
            group(chain(early), "group it with a result before its call", PAIRING),
            group(
                chain([start, ask_1, ask_2, answer_2, answer_1, end]),
                "group two calls whose results come in the other order",
                PAIRING,
            ),
            group(
                chain([start, both, odd, answer_1]),
                "group a result whose tool name is another than its call's",
                PAIRING,
            ),
            group(
                chain([start, both, answer_2, end, answer_1]),
                "group results that an assistant message stands between",
                PAIRING,
            ),
            group(chain(reused), "group two interactions that use one call id each", REUSE),
            group(
                chain(across),
                "group a user message between a call and its result",
                WHOLE,
                [[first]],
            ),
            group(
                chain([*reused[:-1], answer_2]),
                "group a later interaction that lacks a result of its own",
                WHOLE,
                [[first, second]],
            ),
        ]
    )


def check_3(variant: int) -> list[Step]:
    """Broken tool facts are refused."""
    draw = CaseDraw("11.2/3", variant)
    script = _renamed(transcript(variant), "calls", "c-asks")
    path = script.entries
    newest = script.groups[-1]
    results = [entry for entry in newest if entry["message"]["role"] == "toolResult"]
    caller = next(entry for entry in newest if _calls(entry))
    wrong = draw.random.choice(results) if variant else results[0]
    wanted = wrong["message"]["toolCallId"]
    asker = next(entry for entry in newest if wanted in _calls(entry))
    stranger = "unknown-1" if not variant else draw.name("k")
    renamed = deepcopy(wrong)
    renamed["message"]["toolCallId"] = stranger
    extra = result(draw.name("r"), None, stranger, "bash", draw.text())
    double = result(draw.name("r"), None, wanted, "bash", draw.text())
    asked_twice = deepcopy(caller)
    asked_twice["message"]["content"].append(deepcopy(caller["message"]["content"][0]))
    twice_id = _calls(caller)[0]
    later = calls(draw.name("c"), None, [(twice_id, "read", {"again": True})])
    single = draw.interaction(None, 1)
    broken_off = deepcopy(draw.interaction(None, 1))
    stopped = next(entry for entry in broken_off if _calls(entry))
    stopped["message"]["stopReason"] = draw.random.choice(["aborted", "error"])
    unanswered = deepcopy(draw.interaction(None, 1))
    lost = next(entry for entry in unanswered if _calls(entry))
    lost["message"]["stopReason"] = draw.random.choice(["aborted", "error"])
    dozen = calls(draw.name("c"), None, [(draw.name("k"), "read", {}) for _ in range(12)])
    long = deepcopy(draw.interaction(None, 1))
    whole = next(entry for entry in long if _calls(entry))
    whole["message"]["stopReason"] = draw.random.choice(["length", "stop"])
    cut_short = deepcopy(draw.interaction(None, 0))
    cut_short[-1]["message"]["stopReason"] = draw.random.choice(["aborted", "error", "length"])
    old_call = calls(draw.name("c"), None, [(stranger, "read", {})])
    return draw.mixed(
        [
            group(
                _path(script.groups[:-1], newest, wrong, renamed),
                f"group a path where the result for {wanted} names {stranger}",
                WHOLE,
                [[stranger, wanted]],
            ),
            group(
                chain([*script.entries[:-1], extra, script.entries[-1]]),
                f"group a path with one more result, for {stranger}",
                WHOLE,
                [[extra["id"]], [stranger]],
            ),
            group(
                chain([*script.entries[:-1], double, script.entries[-1]]),
                f"group a path with a second result for {wanted}",
                WHOLE,
                [[double["id"], wrong["id"]], [wanted]],
            ),
            group(
                chain([entry for entry in script.entries if entry is not wrong]),
                f"group a path without the result for {wanted}",
                WHOLE,
                [[asker["id"]], [wanted]],
            ),
            group(
                _path(script.groups[:-1], newest, caller, asked_twice),
                f"group a message that makes the call {twice_id} twice",
                ONCE,
                [[caller["id"]], [twice_id]],
            ),
            group(
                chain([*script.entries[:-1], later, script.entries[-1]]),
                f"group a later message that makes the call {twice_id} again",
                ONCE,
                [[later["id"], caller["id"]], [twice_id]],
            ),
            group(
                chain([*script.groups[0], old_call, *path[len(script.groups[0]) :]]),
                f"group an old interaction whose call {stranger} stays open",
                WHOLE,
                [[old_call["id"]], [stranger]],
            ),
            group(
                broken_off,
                f"group an answered call in a message that ended with "
                f"{stopped['message']['stopReason']}",
                CUT_OFF,
                [[stopped["id"]], _calls(stopped)],
            ),
            group(
                chain([unanswered[0], dozen]),
                "group a message that makes twelve calls, none of them answered",
                WHOLE,
                [[dozen["id"]], _calls(dozen)],
            ),
            group(
                chain([unanswered[0], lost]),
                f"group a call without a result in a message that ended with "
                f"{lost['message']['stopReason']}",
                CUT_OFF,
                [[lost["id"]], _calls(lost)],
            ),
            group(
                long,
                f"group an answered call in a message that ended with "
                f"{whole['message']['stopReason']}",
                CUT_OFF,
            ),
            group(
                cut_short,
                f"group a message without calls that ended with "
                f"{cut_short[-1]['message']['stopReason']}",
                BOUNDS,
                other_rules={"refused": CUT_OFF},
            ),
            group(script.entries, "group the path as it was", BOUNDS),
            group(single, "group an interaction with one call", PAIRING),
            group(
                chain([*newest, *single, *script.groups[0]]),
                "group whole interactions in another order",
                BOUNDS,
            ),
        ]
    )


def _renamed(script: Transcript, old: str, new: str) -> Transcript:
    """The transcript with an entry called otherwise: "calls" stands in many a message by chance."""
    groups = [
        [entry | {"id": new} if entry["id"] == old else entry for entry in group]
        for group in script.groups
    ]
    linked = iter(chain([entry for group in groups for entry in group]))
    return replace(script, groups=[[next(linked) for _ in group] for group in groups])


def _calls(entry: Json) -> list[str]:
    """The ids of the calls that an entry's message makes."""
    content = entry["message"]["content"]
    return [part["id"] for part in content if part["type"] == "toolCall"]


def _path(before: list[list[Json]], newest: list[Json], old: Json, new: Json) -> list[Json]:
    """The groups in front and the newest one, with one of its entries replaced."""
    changed = [new if entry is old else entry for entry in newest]
    return [entry for each in [*before, changed] for entry in each]


def group(
    path: list[Json],
    call: str,
    rule: Rule,
    names: Sequence[list[str]] = (),
    other_rules: Mapping[str, Rule] = NO_OTHERS,
) -> Step:
    """Group a path; `names` are what a refusal must name, each in any of its forms."""
    request = Request("group", {"path": [*path]})
    return Step(request, call, rule, names, other_rules=other_rules, wording=GROUPS)
