"""The sessions in data/pi, which real Pi wrote, as coursekit.pi reads them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from coursekit.pi import SessionManager
from tests.pi.describe import as_javascript, describe
from tests.pi.oracle import Oracle, node, tools

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data" / "pi"
NAMES = ["branched", "compacted", "edited", "long-turn", "tour", "two-branches"]


def _open(name: str) -> SessionManager:
    return SessionManager.open(DATA / f"{name}.jsonl")


def _texts(manager: SessionManager) -> list[str]:
    """Role and text of every message in the context, as `tools/pi_sessions.mjs` spells them."""
    texts = []
    for message in manager.build_session_context().messages:
        content = message.get("content", message.get("summary"))
        if isinstance(content, list):
            content = " ".join(block.get("text", block["type"]) for block in content)
        texts.append(f"{message['role']}: {content}")
    return texts


def test_every_session_is_here_and_opens_without_a_warning() -> None:
    assert sorted(path.stem for path in DATA.glob("*.jsonl")) == NAMES
    for name in NAMES:
        manager = _open(name)
        assert manager.warnings == []
        assert manager.get_cwd() == "/home/learner/project"


def test_the_tour_holds_every_type_and_role() -> None:
    entries = _open("tour").get_entries()
    assert {entry.type for entry in entries} == {
        "message", "model_change", "thinking_level_change", "compaction", "branch_summary",
        "custom", "custom_message", "context_edit", "label", "session_info", "usage",
    }  # fmt: skip
    assert {entry.role for entry in entries} - {None} == {
        "system", "user", "assistant", "toolResult", "bashExecution", "custom",
    }  # fmt: skip


def test_the_tour_ends_on_its_second_branch() -> None:
    manager = _open("tour")
    assert _texts(manager) == [
        "system: You are a coding agent.",
        "compactionSummary: The user asked what notes.txt says: milk, and the cat.",
        "user: What does notes.txt say? 请简短回答。",
        "branchSummary: One answer was tried: milk and the cat.",
        "assistant: Buy milk and feed the cat.",
        "user: Thanks!",
    ]
    context = manager.build_session_context()
    assert context.thinking_level == "medium"
    assert context.messages[0]["sections"] == {"cwd": "/home/learner/notes"}
    assert manager.get_session_name() == "Chores"


def test_two_branches_keep_both_plans_and_the_branched_file_one() -> None:
    whole, part = _open("two-branches"), _open("branched")
    plans = [
        "user: Sort the list in place, or return a new one?",
        "assistant: Plan B: return sorted(list).",
        "user: Do plan B.",
        "assistant: Done: the caller's list stays as it was.",
    ]
    assert _texts(whole) == _texts(part) == plans
    labels = [whole.get_label(entry.id) for entry in whole.get_entries()]
    assert [label for label in labels if label] == ["plan A", "plan B"]
    labels = [part.get_label(entry.id) for entry in part.get_entries()]
    assert [label for label in labels if label] == ["plan B"]
    assert [len(node.children) for node in whole.get_tree()] == [2]
    assert part.get_header().parent_session is not None


def test_the_second_compaction_holds_the_prompt_of_its_moment() -> None:
    manager = _open("compacted")
    assert _texts(manager) == [
        "system: You are a coding agent.",
        "compactionSummary: Goal: blank lines in parser.py. Mended and tested.",
        "user: Is there a test?",
        "assistant: test_blank_lines passes.",
        "user: Good. Anything left?",
        "assistant: No.",
    ]
    system = manager.build_session_context().messages[0]
    assert system["sections"] == {
        "cwd": "/home/learner/parser",
        "review": "Name the test you ran.",
    }
    assert [tool["name"] for tool in system["toolsAdded"]] == ["read"]


def test_edits_change_what_the_model_sees_and_nothing_else() -> None:
    manager = _open("edited")
    assert _texts(manager) == [
        "user: Count the words in big.log.",
        "assistant: toolCall",
        "toolResult: [200 times the word 'word']",
        "user: Count the words exactly.",
        "assistant: 200 words, all 'word'",
        "user: Thank you.",
    ]
    originals = [entry for entry in manager.get_entries() if entry.role == "toolResult"]
    assert originals[0].message["content"][0]["text"] == "word " * 200


def test_the_long_turn_ends_in_a_question_and_calls_four_tools_before() -> None:
    roles = [entry.role for entry in _open("long-turn").get_entries()]
    short, long = ["user", "assistant", "toolResult", "assistant"], ["assistant", "toolResult"] * 4
    assert roles == ["system", *short, "user", *long, "assistant", "user"]


@pytest.mark.node
@pytest.mark.parametrize("name", NAMES)
def test_pi_reads_its_files_as_we_do(name: str, oracle: Oracle) -> None:
    theirs = oracle.ask("look", path=str(DATA / f"{name}.jsonl"))
    assert as_javascript(describe(_open(name))) == as_javascript(theirs)


@pytest.mark.node
def test_the_script_still_makes_these_files(tmp_path: Path) -> None:
    script = ROOT / "tools" / "pi_sessions.mjs"
    command = [str(node()), str(script), str(tools() / "node_modules"), str(tmp_path)]
    subprocess.run(command, check=True)
    for name in NAMES:
        made = (tmp_path / f"{name}.jsonl").read_bytes()
        assert made == (DATA / f"{name}.jsonl").read_bytes(), name
