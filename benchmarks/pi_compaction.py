"""Planning a compaction on a large Pi session against projecting it, in one run.

    python benchmarks/pi_compaction.py [--entries 40000] [--megabytes 97] [--rounds 5]

Makes the session of `pi_open.py` in a temporary folder, opens it once, and takes the best of the
rounds, in processor time, so that whatever else runs doesn't count. Planning is measured three
times: the plan as `prepare_compaction` returns it; with every message to summarise and every file
operation collected, as a summary needs them; and the same after an edit that makes every usage
stale, so that each message has to be counted. Projecting is measured without and with looking at
the messages. The ratios should stay under 1.5.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pi_open import write_session

from coursekit.pi import SessionManager, prepare_compaction

_LIMIT = 1.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=40_000)
    parser.add_argument("--megabytes", type=int, default=97)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        print("writing the session ...", file=sys.stderr)
        write_session(path, options.entries, options.megabytes * 1_000_000)
        print("opening it ...", file=sys.stderr)
        manager = SessionManager.open(path)
        size = path.stat().st_size / 1e6
        print(f"{options.entries:,} entries, {size:.1f} MB, best of {options.rounds}")

        def project() -> None:
            manager.build_session_projection()

        def project_messages() -> None:
            assert manager.build_session_projection().messages

        def plan() -> None:
            assert prepare_compaction(manager.get_branch()) is not None

        def plan_messages() -> None:
            preparation = prepare_compaction(manager.get_branch())
            assert preparation is not None
            summarized = len(preparation.messages_to_summarize)
            assert (
                summarized + len(preparation.turn_prefix_messages) + len(preparation.kept)
                == manager.get_entry_count()
            )
            assert preparation.file_ops.read_files

        _compare("sources only", project, plan, options.rounds)
        _compare("with every message", project_messages, plan_messages, options.rounds)
        manager.append_context_edit(manager.get_entries()[0].id, {"content": "shorter"})
        _compare("usage stale", project_messages, plan_messages, options.rounds)


def _compare(what: str, project: Callable[[], None], plan: Callable[[], None], rounds: int) -> None:
    projected = planned = float("inf")
    for _ in range(rounds):
        projected = min(projected, _milliseconds(project))
        planned = min(planned, _milliseconds(plan))
    ratio = planned / projected
    verdict = "ok" if ratio <= _LIMIT else f"over {_LIMIT}"
    print(
        f"{what:<20}project {projected:8.1f} ms   plan {planned:8.1f} ms   ratio {ratio:.2f} "
        f"{verdict}"
    )


def _milliseconds(step: Callable[[], None]) -> float:
    gc.collect()
    start = time.process_time()
    step()
    return (time.process_time() - start) * 1_000


if __name__ == "__main__":
    main()
