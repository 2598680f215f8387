"""Text from students, made safe to show: on a terminal, in a table, on a page."""

import hashlib
import re
import unicodedata

LONGEST = 4_000
"""Characters of one text that a report shows."""

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def text(value: str, longest: int = LONGEST) -> str:
    """The text without escape sequences, controls and half characters, and cut to size.

    Addresses in memory, which differ from run to run, become `0x…`.
    """
    value = _ANSI.sub("", value[: 2 * longest])
    value = _ADDRESS.sub("0x…", value)
    value = "".join(each if _harmless(each) else _escaped(each) for each in value)
    return value if len(value) <= longest else f"{value[:longest]} …"


def line(value: str, longest: int = 200) -> str:
    """The text in one line."""
    return text(" ".join(value.split()), longest)


def cell(value: str) -> str:
    """One line that no spreadsheet takes for a formula."""
    safe = line(value)
    return f"'{safe}" if safe.startswith(_FORMULA) else safe


def file_name(student: str) -> str:
    """A file name for a student: readable, safe everywhere, and each student's own."""
    safe = "".join(each if _usable(each) else "_" for each in student).strip(" .")
    if safe == student and len(safe.encode()) <= 120:
        return safe
    own = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe.encode()[:100].decode('utf-8', 'ignore')}-{own}"


def _harmless(character: str) -> bool:
    if character == "\n":
        return True
    # Cc controls, Cf what turns text around or hides it, Cs half characters, Co private.
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def _usable(character: str) -> bool:
    return character not in '/\\:*?"<>|' and character.isprintable()


def _escaped(character: str) -> str:
    if character == "\t":
        return "    "
    return f"\\u{ord(character):04x}"
