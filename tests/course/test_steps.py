"""What cases are made of: names that are read at variant 0, and looks after a change."""

from coursekit.check.case import Rule
from coursekit.check.observing import TAMPER
from coursekit.check.protocol import JsonValue, Note
from coursekit.course.steps import CaseDraw, shared_rows, tamper

RULE = Rule("A rule.", "A heading")


def test_names_count_up_at_variant_0_and_are_drawn_elsewhere() -> None:
    readable = CaseDraw("11.2/1", 0)
    assert [readable.name("u") for _ in range(3)] == ["u-01", "u-02", "u-03"]
    drawn = [CaseDraw("11.2/1", 5).name("u") for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != CaseDraw("11.2/1", 6).name("u")


def test_blocks_keep_their_steps_together_in_any_order() -> None:
    alone = [tamper("path", [[i]], "path", RULE) for i in range(6)]
    block = [tamper("groups", [[i]], "path", RULE) for i in range(3)]
    assert CaseDraw("11.2/1", 0).mixed([*alone, block]) == [*alone, *block]
    orders = set()
    for variant in range(1, 9):
        steps = CaseDraw("11.2/1", variant).mixed([*alone, block])
        at = steps.index(block[0])
        assert steps[at : at + 3] == block
        orders.add(at)
    assert len(orders) > 1


def test_a_look_after_a_change_says_what_is_changed_and_looked_at() -> None:
    step = tamper("result", [["messages", 0, "content"], ["messages"], ["ids"]], "path", RULE)
    assert step.request.observation == TAMPER
    assert step.call == (
        "change result.messages[0].content and result.messages and 1 more, "
        "then look at the path passed in"
    )
    note = Note(error="TypeError", held="generator")
    assert step.wording.wrong_kind(step, note) == "result: it returned a generator, not a list"


def test_a_change_that_shows_is_named_as_the_call_names_it() -> None:
    before: JsonValue = [{"id": "u1", "content": [{"text": "a"}]}]
    after: JsonValue = [{"id": "u1", "content": [{"text": "b"}]}]
    assert shared_rows("path", before, after)[1] == (
        "got",
        "it shows at path[0].message.content[0].text",
    )
