"""The wire between the run and its nbval workers: requests, and lines of results, as JSON."""

import json
import socket
from typing import Literal, TypeAlias, TypedDict, final

from coursekit.grading.sandbox.kernel_handle import Connection


class CodeQuery(TypedDict):
    """Functions to fingerprint in one file; everybody has the `starter_names`."""

    functions: list[str]
    starter_names: list[str]


class SourceQuery(CodeQuery):
    """The same with the file's bytes, as latin-1."""

    source: str


class FileQuery(CodeQuery):
    """The same with the path of the file."""

    file: str


@final
class CompareRequest(TypedDict):
    """A notebook to run in a kernel, then code to fingerprint.

    `memory` is bytes that the worker may take, `message` bytes of one part of a message,
    `received` bytes of all messages together.
    """

    notebook: str
    queries: list[FileQuery]
    connection: Connection
    memory: int
    message: int
    received: int


@final
class FingerprintRequest(TypedDict):
    """Code to fingerprint alone: the queries come on the socket of the results."""

    memory: int


WorkerRequest: TypeAlias = CompareRequest | FingerprintRequest


class Begun(TypedDict):
    """nbval has found the kernel."""

    kind: Literal["begun"]


class NotBegun(TypedDict):
    """nbval could not begin, through no doing of the answer."""

    kind: Literal["fault"]
    message: str


class Flooded(TypedDict):
    """The kernel sent more than it may."""

    kind: Literal["flooded"]


class CellOutputs(TypedDict):
    """What a cell showed and printed; None for a part that is missing, or is no text."""

    observed: str | None
    refusals: str | None
    note: str | None
    printed: str


class CellResult(CellOutputs):
    """A cell that was run and compared, by its number in the notebook."""

    kind: Literal["cell"]
    cell: int
    passed: bool


class Fingerprints(TypedDict):
    """A digest for each function that has one."""

    kind: Literal["fingerprints"]
    digests: dict[str, str]


ResultLine: TypeAlias = Begun | NotBegun | Flooded | CellResult | Fingerprints


def send(results: socket.socket, line: ResultLine) -> None:
    """Send a line of results."""
    results.sendall(json.dumps(line).encode() + b"\n")


def read(line: bytes) -> ResultLine:
    """A line of results; the worker is ours, so its shape is not looked at again."""
    result: ResultLine = json.loads(line)
    return result
