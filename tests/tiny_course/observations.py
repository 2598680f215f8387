"""What the checks look at: functions that call the answers, and say what came."""

from collections.abc import Callable
from typing import Any

from coursekit.check.observing import Look, exact, revive
from coursekit.check.protocol import JsonValue

MODULES = ("means.py", "brackets.py")
FUNCTIONS = ("running_mean", "match_brackets")


def is_from_starter(function: str) -> bool:
    """Whether a function of the answer modules came with the starters: all are the learner's."""
    return False


def _average(look: Look) -> JsonValue:
    means: Any = look.module("means")
    look.held["numbers"] = revive(look.arguments["numbers"])
    look.held["means"] = means.running_mean(look.held["numbers"])
    return exact(look.held["means"])


def _match(look: Look) -> JsonValue:
    brackets: Any = look.module("brackets")
    look.held["match"] = lambda: brackets.match_brackets(look.arguments["text"])
    look.held["pairs"] = look.held["again"] = _match_again(look.held)
    return _show_pairs(look.held["pairs"])


def _match_again(held: dict[str, object]) -> object:
    match: Any = held["match"]
    return match()


def _show_pairs(pairs: Any) -> JsonValue:
    """Pairs of places; a pair may be a tuple or a list."""
    return exact([[*pair] if isinstance(pair, tuple) else pair for pair in pairs])


OBSERVATIONS: dict[str, Callable[[Look], JsonValue]] = {"average": _average, "match": _match}

SHOWN: dict[str, Callable[[object], JsonValue]] = {"numbers": exact, "again": _show_pairs}

FETCHED: dict[str, Callable[[dict[str, object]], object]] = {"again": _match_again}
