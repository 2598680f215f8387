"""What one submission may use."""

from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Bounds of one submission; whatever it starts counts together.

    `seconds` is wall time, kernel starts included. One check may take `check_seconds`
    of it, so that a loop in one function leaves time for the other labs. `memory` and
    `scratch` are bytes.
    """

    seconds: float = 60.0
    memory: int = 512 * MEBIBYTE
    scratch: int = 16 * MEBIBYTE
    processes: int = 32

    @property
    def check_seconds(self) -> float:
        """Seconds that one check, or loading one module, may take."""
        return max(0.5, min(5.0, self.seconds / 16))

    @property
    def later_check_seconds(self) -> float:
        """The same, once another check has taken too long: likely it is the same loop."""
        return max(0.5, 0.4 * self.check_seconds)

    @property
    def address_space(self) -> int:
        """Bytes of address space of one process: its memory, and room for libraries."""
        return self.memory + 1024 * MEBIBYTE

    @property
    def cpu(self) -> int:
        """CPU seconds of one process."""
        return int(self.seconds) + 5

    @property
    def received(self) -> int:
        """Bytes that a kernel may send to the worker that reads it."""
        return 32 * MEBIBYTE

    @property
    def message(self) -> int:
        """Bytes that one part of a message may have."""
        return 4 * MEBIBYTE


WORKER_MEMORY = 1024 * MEBIBYTE
"""Bytes of memory that the process reading a kernel's messages may take."""
