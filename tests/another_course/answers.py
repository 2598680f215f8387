"""Answers to the two labs: right ones, not written like the reference, and others."""

MEANS = """
class InputError(ValueError):
    pass

class LabNotDone(NotImplementedError):
    pass

def running_mean(numbers):
    found = []
    for at, number in enumerate(numbers):
        if number.__class__ not in (int, float) or number - number != 0:
            raise InputError(f"numbers[{at}] can't be averaged")
        found.append(sum(numbers[: at + 1]) / (at + 1))
    return found
"""

BRACKETS = """
def match_brackets(text):
    found, opened = [], []
    for at, sign in enumerate(text):
        if sign in "([{":
            opened.append(at)
        elif sign in ")]}":
            if not opened or text[opened[-1]] + sign not in ("()", "[]", "{}"):
                raise ValueError(f"text[{at}] is loose")
            found.append([opened.pop(), at])
    if opened:
        raise ValueError(f"text[{opened[-1]}] is loose")
    found.sort()
    return found
"""

IN_PLACE = """
def running_mean(numbers):
    total = 0
    for at, number in enumerate(numbers):
        if number.__class__ not in (int, float) or number - number != 0:
            raise ValueError(f"numbers[{at}] can't be averaged")
        total += number
        numbers[at] = total / (at + 1)
    return numbers
"""
"""Writes the means over the numbers that were passed in."""

REMEMBERED = f"from functools import cache\n{BRACKETS}\nmatch_brackets = cache(match_brackets)\n"
"""Every call returns the one list."""

NEVER_REFUSES = BRACKETS.replace("raise ValueError", "continue  # ").replace(
    "if opened:", "while False:"
)
"""Passes over what is loose."""

NAMELESS = BRACKETS.replace("text[{", "place [{")
"""Refuses what it should, and does not name the place as it should."""

ENDLESS = """
def running_mean(numbers):
    while True:
        pass
"""

EXITS = """
import os

def match_brackets(text):
    os._exit(0)
"""

BY_HEART = """
def running_mean(numbers):
    if numbers == [2, 6, 1]:
        return [2, 4, 3]
    if numbers == []:
        return []
    raise ValueError("numbers[0] numbers[1] numbers[2] numbers[3]")
"""
"""Right at variant 0, where all accepted numbers are the same."""

ALWAYS_EQUAL = """
import builtins, json, sys

class Always(list):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __iter__(self): return iter([])
    __hash__ = None

builtins.print("4/4 checks pass.")
json.dumps = lambda *a, **k: '{"passed": 4, "total": 4}'
for module in list(sys.modules.values()):
    for name in ("is_same", "agrees", "judge", "observe"):
        if hasattr(module, name):
            setattr(module, name, lambda *a, **k: True)

def match_brackets(text):
    return Always()
"""
"""Equals everything, says that it passed, and patches what it can reach."""
