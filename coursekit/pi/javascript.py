"""The corners of JavaScript that show in what Pi computes: text, numbers, dates."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from json.encoder import encode_basestring

_WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_MAX_SAFE_INTEGER = 2**53 - 1
_MAX_DATE_MS = 8_640_000_000_000_000
_DATE = re.compile(
    r"(?P<year>\d{4}|[+-]\d{6})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
    r"(?P<clock>T(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?"
    r"(?P<zone>Z|[+-]\d\d:\d\d)?)?",
    re.ASCII,
)
_EPOCH_DAY = 719_468
_SURROGATE = re.compile("[\ud800-\udfff]")


def utf16_length(text: str) -> int:
    """The length that JavaScript sees: UTF-16 code units, so an emoji counts two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def trim(text: str) -> str:
    """`String.prototype.trim`; Python's `strip` takes other characters off."""
    return text.strip(_WHITE_SPACE)


def is_truthy(value: object) -> bool:
    """Whether a JSON value counts as true; empty lists and objects do in JavaScript."""
    return isinstance(value, list | dict) or bool(value)


def number_text(value: float) -> str:
    """A number as `JSON.stringify` writes it: `1` for 1.0, `1e+21`, `null` for infinity."""
    if isinstance(value, int) and -_MAX_SAFE_INTEGER <= value <= _MAX_SAFE_INTEGER:
        return str(int(value))
    try:
        number = float(value)
    except OverflowError:
        return "null"
    if not math.isfinite(number):
        return "null"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent_text = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    # The decimal point stands after `point` digits.
    point = len(whole) + int(exponent_text or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if power > 0 else '-'}{abs(power)}"


def stringify(value: object) -> str:
    """A JSON value as `JSON.stringify` writes what `JSON.parse` read.

    Keys keep their order of arrival; JavaScript moves keys that look like array indices to the
    front, which changes no length.
    """
    parts: list[str] = []
    _write(value, parts.append)
    text = "".join(parts)
    return text if text.isascii() else escape_lone_surrogates(text)


def escape_lone_surrogates(text: str) -> str:
    """Pair what can be paired and write the rest as `\\udXXX`, as `JSON.stringify` does."""
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", paired)


def _write(value: object, write: Callable[[str], object]) -> None:
    if isinstance(value, str):
        write(encode_basestring(value))
    elif value is None:
        write("null")
    elif value is True:
        write("true")
    elif value is False:
        write("false")
    elif isinstance(value, int | float):
        write(number_text(value))
    elif isinstance(value, dict):
        write("{")
        for index, (key, item) in enumerate(value.items()):
            write(f"{',' if index else ''}{encode_basestring(key)}:")
            _write(item, write)
        write("}")
    elif isinstance(value, list | tuple):
        write("[")
        for index, item in enumerate(value):
            if index:
                write(",")
            _write(item, write)
        write("]")
    else:
        raise TypeError(f"{type(value).__name__} is not a JSON value")


def date_ms(value: object) -> int | None:
    """`new Date(value).getTime()` in milliseconds, or None where JavaScript has NaN.

    Reads numbers and the ISO forms that ECMAScript defines (a date alone is UTC, a date with a
    clock and no zone is local time). Other spellings that an engine may guess at are None.
    """
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        if not math.isfinite(value) or abs(value) > _MAX_DATE_MS:
            return None
        return int(value)
    if value is None or not isinstance(value, str):
        return 0 if value is None else None
    match = _DATE.fullmatch(value)
    if match is None:
        return None
    year, month, day = int(match["year"]), int(match["month"] or 1), int(match["day"] or 1)
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    millisecond = int((match["fraction"] or "0").ljust(3, "0")[:3])
    if not (1 <= month <= 12 and 1 <= day <= 31) or match["year"] == "-000000":
        return None
    clock = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
    if minute > 59 or second > 59 or clock > 86_400_000:
        return None
    total = _days(year, month, day) * 86_400_000 + clock
    if match["clock"]:
        offset = _zone_offset_ms(match["zone"], total)
        if offset is None:
            return None
        total -= offset
    return total if abs(total) <= _MAX_DATE_MS else None


def _days(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 in the proleptic Gregorian calendar, for any year."""
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return (
        era * 146_097
        + year_of_era * 365
        + year_of_era // 4
        - year_of_era // 100
        + (day_of_year - _EPOCH_DAY)
    )


def _zone_offset_ms(zone: str | None, local_ms: int) -> int | None:
    if zone == "Z":
        return 0
    if zone:
        hours, minutes = int(zone[1:3]), int(zone[4:6])
        if hours > 23 or minutes > 59:
            return None
        return (hours * 60 + minutes) * (-60_000 if zone[0] == "-" else 60_000)
    try:
        naive = datetime.fromtimestamp(local_ms / 1000, UTC).replace(tzinfo=None)
        offset = naive.astimezone().utcoffset()
    except (OverflowError, ValueError, OSError):
        return 0
    return int(offset.total_seconds() * 1000) if offset else 0


def iso_now() -> str:
    """The current time as `new Date().toISOString()` writes it."""
    now = datetime.now(UTC)
    return f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"
