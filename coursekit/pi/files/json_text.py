"""JSON text as session files hold it: decoding what Pi would accept, encoding one line."""

from __future__ import annotations

import contextlib
import gc
import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeAlias

import msgspec

from coursekit.pi.errors import PiSessionError
from coursekit.pi.javascript import escape_lone_surrogates

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object that came from a file or goes into one: the package's one way to say so.

Its values are whatever somebody wrote. Who looks at one asks what it is, or says which errors an
odd one ends in."""

_decode_fast = msgspec.json.Decoder().decode

# What can stand between the error's position and the end when a writer stopped half-way.
_CUT_REMAINDER = re.compile(
    r"[ \t\r]*(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\.|[eE][+-]?|\\?u?[0-9a-fA-F]{0,4})"
)
# Python refuses to make an integer of more digits; JavaScript reads one as infinity.
_MAX_DIGITS = 4_300


def decode(text: bytes | memoryview) -> object:
    """The value of one JSON text, read as `JSON.parse` reads it.

    Lone surrogates, numbers too large for a float (infinity) and bytes that are not UTF-8 (U+FFFD)
    are accepted, because Pi accepts them; integers keep every digit, up to 4,300 of them. Raises
    ValueError for anything that isn't JSON, and RecursionError never: nesting too deep is a
    ValueError too.
    """
    try:
        return _decode_fast(text)
    except msgspec.DecodeError:
        # msgspec is stricter than JSON.parse in the three points above; `json` decides.
        pass
    except RecursionError:
        raise PiSessionError("JSON nested too deep to be read") from None
    try:
        return json.loads(
            str(text, "utf-8", "replace"), parse_constant=_refuse_constant, parse_int=_integer
        )
    except RecursionError:
        raise PiSessionError("JSON nested too deep to be read") from None


def _integer(digits: str) -> float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def encode(value: object) -> bytes:
    """One line of JSON without its newline. Raises PiSessionError for what JSON can't hold."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise PiSessionError(f"not a JSON value: {error}") from error
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return escape_lone_surrogates(text).encode("utf-8")


def is_cut_short(text: bytes | memoryview) -> bool:
    """Whether this is the beginning of a JSON object whose writer stopped half-way.

    Glued records, null bytes and other damage are not: only more bytes could have made it JSON.
    """
    string = str(text, "utf-8", "replace")
    if not string.startswith("{"):
        return False
    try:
        json.loads(string, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated string"):
            return True
        if error.msg == "Extra data":
            return False  # The object is whole; what follows it isn't a part of it.
        return _CUT_REMAINDER.fullmatch(string, error.pos) is not None
    except (ValueError, RecursionError):
        pass
    return False


@contextlib.contextmanager
def paused_collector() -> Iterator[None]:
    """Keep Python's cycle collector from looking through values that are being decoded in bulk.

    JSON has no cycles, and going over half a million new objects again and again takes a quarter of
    the time that decoding them does.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def json_kind(value: object) -> str:
    """What a JSON value is, in words: `an object`, `a number`, `null`."""
    if value is None:
        return "null"
    names = {bool: "a boolean", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "a number")
