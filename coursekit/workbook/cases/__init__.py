"""The cases: for each of the 14 checks, the steps of a variant.

A case is made on the trusted side, from the check's name and a variant number.
Variant 0 follows the source's own transcript and has readable ids; any other draws
its ids, texts, costs, shapes and order from its number. Calls to accept and calls
to refuse stand in every case, and nothing that crosses to the answer tells them
apart. Only `Step.ask` crosses; the rest is for the reader of a failed check.
"""

from importlib import import_module

from coursekit.workbook.cases.step import Case, Rule, Step

__all__ = ["Case", "Rule", "Step", "build"]


def build(check: str, variant: int) -> Case:
    """The case of one check (`"11.3/2"`) at a variant; equal arguments, equal case."""
    lab, number = check.split("/")
    module = import_module(f"coursekit.workbook.cases.lab_{lab.replace('.', '_')}")
    steps: list[Step] = getattr(module, f"check_{number}")(variant)
    return Case(check, variant, steps)
