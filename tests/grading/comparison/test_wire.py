"""The wire: a line that is sent is the line that is read."""

import socket

from coursekit.grading.comparison import wire


def test_lines_are_read_as_they_were_sent() -> None:
    lines: list[wire.ResultLine] = [
        {"kind": "begun"},
        {"kind": "fault", "message": "no kernel\nhere"},
        {"kind": "flooded"},
        {
            "kind": "cell",
            "cell": 3,
            "passed": False,
            "observed": "[\n]",
            "refusals": None,
            "note": "\ud800 漢",
            "printed": "",
        },
        {"kind": "fingerprints", "digests": {"restore": "0f"}},
    ]
    one, two = socket.socketpair()
    with one, two:
        for line in lines:
            wire.send(one, line)
        one.shutdown(socket.SHUT_WR)
        with two.makefile("rb") as file:
            assert [wire.read(line) for line in file] == lines
