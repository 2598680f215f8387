"""Steps that build a context: their options, their rules, and the mistake that they know."""

from coursekit.check.case import Rule
from coursekit.course.context_steps import build, by_part, suffix_costs
from coursekit.transcripts import opening

RULE, KEPT, OWN = (Rule(f"{name}.", "A heading") for name in ("Rule", "Kept", "Own"))
TRANSCRIPT = opening()
GROWN = [*TRANSCRIPT.entries, TRANSCRIPT.compaction, *TRANSCRIPT.continuation]


def test_options_are_the_transcripts_but_for_those_replaced() -> None:
    step = build(TRANSCRIPT, TRANSCRIPT.entries, "a call", RULE, max_tokens=99)
    # The worked example's own: 31 tokens, of which 4 are for the answer and 2 for the margin.
    assert step.request.arguments["options"] == {
        "max_tokens": 99,
        "reserved_output": 4,
        "safety_margin": 2,
        "system_prompt": "sys",
    }
    assert "path" not in build(TRANSCRIPT, None, "a call", RULE).request.arguments


def test_passing_over_a_compaction_is_known_where_there_is_one() -> None:
    assert build(TRANSCRIPT, TRANSCRIPT.entries, "a call", RULE).mistake is None
    mistake = build(TRANSCRIPT, GROWN, "a call", RULE).mistake
    assert mistake is not None
    path = mistake.request.arguments["path"]
    assert path == [*TRANSCRIPT.entries, *TRANSCRIPT.continuation]


def test_a_steps_own_rule_goes_before_that_of_a_part() -> None:
    parts = {"kept": KEPT, "tokens": KEPT}
    steps = [build(TRANSCRIPT, None, "a call", rule) for rule in (RULE, OWN)]
    first, second = by_part(steps, parts, {OWN: ("kept",)})
    assert first.other_rules == parts
    assert second.other_rules == {"tokens": KEPT}


def test_costs_of_suffixes_begin_with_the_newest_group() -> None:
    groups = [[{"id": "u1"}, {"id": "a1"}], [{"id": "u2"}]]
    assert suffix_costs(groups, {"u1": 1, "a1": 20, "u2": 300}) == [300, 321]
    assert suffix_costs([], {}) == []
