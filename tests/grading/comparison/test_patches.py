"""The patches: each still fits what it touches, and still does what it is for.

A test that fails here after an upgrade says that a private part has changed: read the
library's new source, write the patch anew, and then raise the bound in pyproject.toml.
"""

import inspect
import json
import os
import re
import tomllib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from queue import Empty
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

import jupyter_client.session
import nbval.kernel
import nbval.plugin
import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.channels import ZMQSocketChannel
from jupyter_client.client import KernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.session import Session

from coursekit.grading.comparison import patches, provisioner

ROOT = Path(__file__).parents[3]
PATCHED = ("ipykernel", "jupyter-client", "nbval", "pytest", "pyzmq")


def names_in(function: object) -> set[str]:
    """The global names and attributes that a function's code looks up."""
    assert isinstance(function, FunctionType)
    todo: list[CodeType] = [function.__code__]
    names: set[str] = set()
    while todo:
        code = todo.pop()
        names |= set(code.co_names)
        todo += [each for each in code.co_consts if isinstance(each, CodeType)]
    return names


def parameters(function: Callable[..., object]) -> list[str]:
    return list(inspect.signature(function).parameters)


@pytest.mark.parametrize("library", PATCHED)
def test_a_patched_library_is_bounded_above_and_installed_within(library: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (line,) = (each for each in project["dependencies"] if re.match(rf"{library}\W", each))
    bound = re.search(r"<([\d.]+)$", line)
    assert bound, f"{line} has no upper bound"
    assert numbers(version(library)) < numbers(bound[1])


def numbers(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", text)[:3]]


def test_every_patch_names_library_and_version() -> None:
    own = [
        each
        for name, each in vars(patches).items()
        if inspect.isfunction(each) and each.__module__ == patches.__name__
        if not name.startswith("_") and name != "apply_all"
    ]
    assert len(own) == 9
    for each in own:
        assert re.match(r"(nbval|jupyter_client|pyzmq|pytest) \d+\.\d+, `", each.__doc__ or "")


# --- nbval ------------------------------------------------------------------------


def test_nbval_lays_out_messages_with_pformat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nbval.kernel, "pformat", nbval.kernel.pformat)
    assert "pformat" in names_in(nbval.kernel.RunningKernel.get_message)
    assert nbval.kernel.pformat({"a": 1}) == "{'a': 1}"
    patches.skip_message_log()
    assert nbval.kernel.pformat({"a": 1}) == ""


def test_nbval_reads_every_message_with_get_message(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = nbval.kernel.RunningKernel
    assert inspect.getfullargspec(kernel.get_message).args == ["self", "stream", "timeout"]
    assert inspect.getfullargspec(kernel.get_message).defaults == (None,)
    for reader in (
        kernel.await_reply,
        kernel.await_idle,
        nbval.plugin.IPyNbFile.get_kernel_message,
    ):
        assert "get_message" in names_in(reader)
    streams = set(re.findall(r"stream == '(\w+)'", inspect.getsource(kernel.get_message)))
    assert streams == {"iopub", "shell"}
    assert parameters(Session.recv)[:3] == ["self", "socket", "mode"]
    assert {"socket", "session"} <= names_in(ZMQSocketChannel.__init__)
    monkeypatch.setattr(kernel, "get_message", kernel.get_message)
    patches.read_messages_without_event_loop()
    ours, theirs = Session(key=b"k"), Session(key=b"k")
    with zmq.Context() as context, context.socket(zmq.PAIR) as one, context.socket(zmq.PAIR) as two:
        one.bind("inproc://messages")
        two.connect("inproc://messages")
        channel = SimpleNamespace(socket=one, session=ours)
        reading = SimpleNamespace(kc=SimpleNamespace(iopub_channel=channel, shell_channel=None))
        theirs.send(two, "status", {"execution_state": "idle"})
        message = kernel.get_message(reading, "iopub", timeout=5)
        assert message["content"] == {"execution_state": "idle"}
        with pytest.raises(Empty):
            kernel.get_message(reading, "iopub", timeout=0)


def test_nbval_waits_for_the_kernel_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "wait_for_ready" in names_in(nbval.kernel.start_new_kernel)
    assert "_ensure_iopub_up" in names_in(nbval.kernel.RunningKernel.__init__)
    assert {"kernel_info", "await_reply", "await_idle"} <= names_in(
        nbval.kernel.RunningKernel._ensure_iopub_up
    )
    assert parameters(KernelClient._async_wait_for_ready) == ["self", "timeout"]
    client: Any = BlockingKernelClient
    monkeypatch.setattr(client, "wait_for_ready", client.wait_for_ready)
    patches.skip_wait_for_ready()
    assert client().wait_for_ready(timeout=60) is None


def test_nbval_compares_without_the_text_of_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = nbval.plugin.IPyNbCell
    assert parameters(cell.format_output_compare) == ["self", "key", "left", "right"]
    assert "format_output_compare" in names_in(cell.compare_outputs)
    source = inspect.getsource(cell.compare_outputs)
    assert not re.search(r"(=|return|if|and|or) *self\.format_output_compare", source)
    monkeypatch.setattr(cell, "format_output_compare", cell.format_output_compare)
    patches.skip_text_of_differences()
    assert cell.format_output_compare(None, "key", "left", "right") is None


# --- jupyter_client ---------------------------------------------------------------


def test_a_session_reads_dates_with_extract_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = jupyter_client.session
    assert parameters(module.extract_dates) == ["obj"]
    assert "extract_dates" in names_in(Session.deserialize)
    monkeypatch.setattr(module, "extract_dates", module.extract_dates)
    patches.keep_dates_as_text()
    sending = Session(key=b"k")
    _, parts = sending.feed_identities(sending.serialize(sending.msg("status", {})))
    header = Session(key=b"k").deserialize(parts)["header"]
    assert isinstance(header["date"], str)


def test_every_message_passes_through_deserialize(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parameters(Session.deserialize) == ["self", "msg_list", "content", "copy"]
    assert "deserialize" in names_in(Session.recv)
    monkeypatch.setattr(Session, "deserialize", Session.deserialize)

    def end(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(os, "_exit", end)
    flooded: list[bool] = []
    sending, reading = Session(key=b"k"), Session(key=b"k")
    patches.limit_received(10_000, lambda: flooded.append(True))
    for text, is_too_much in (("x" * 4_000, False), ("x" * 4_000, False), ("x" * 4_000, True)):
        message = sending.msg("stream", {"text": text})
        _, parts = sending.feed_identities(sending.serialize(message))
        if is_too_much:
            with pytest.raises(SystemExit):
                reading.deserialize(parts)
        else:
            assert reading.deserialize(parts)["content"] == {"text": text}
    assert flooded == [True]


def test_the_factory_knows_provisioners_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = KernelProvisionerFactory.instance()
    monkeypatch.setattr(factory, "provisioners", dict(factory.provisioners))
    patches.register_provisioner(provisioner.NAME, provisioner.REFERENCE)
    spec = KernelSpec(metadata={"kernel_provisioner": {"provisioner_name": provisioner.NAME}})
    assert factory.is_provisioner_available(spec)
    made = factory.create_provisioner_instance("id", spec, None)
    assert type(made) is provisioner.WalledKernel


# --- pyzmq ------------------------------------------------------------------------


def test_sockets_have_what_their_context_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zmq.Context, "socket", zmq.Context.socket)
    patches.limit_message_size(1_000)
    with zmq.Context() as context, context.socket(zmq.DEALER) as one:
        assert (one.maxmsgsize, one.rcvhwm) == (1_000, 64)
        with context.socket(zmq.SUB) as two:
            assert (two.maxmsgsize, two.rcvhwm) == (1_000, 64)


def test_jupyter_makes_sockets_with_a_context() -> None:
    from jupyter_client.connect import ConnectionFileMixin

    assert "socket" in names_in(ConnectionFileMixin._create_connected_socket)


# --- pytest -----------------------------------------------------------------------


def test_pytest_prepares_a_session_that_collects_and_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from _pytest.config import Config, _prepareconfig
    from _pytest.main import Session as Collecting

    assert parameters(_prepareconfig)[:2] == ["args", "plugins"]
    assert parameters(Config._do_configure) == ["self"]
    assert parameters(Collecting.from_config) == ["config"]
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": "never run",
    }
    cell |= {"execution_count": None, "outputs": []}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "one.ipynb").write_text(json.dumps(notebook))
    (found,) = patches.collect_cells(str(tmp_path / "one.ipynb"), ("made/up",))
    assert (found.cell_num, found.test_outputs) == (0, None)
    assert found.output_timeout >= 1_000
    file: Any = found.parent
    assert "made/up" in file.skip_compare


def test_nbval_s_cell_has_what_a_worker_relies_on() -> None:
    cell, file = nbval.plugin.IPyNbCell, nbval.plugin.IPyNbFile
    assert {"cell_num", "test_outputs", "output_timeout"} <= names_in(cell.__init__)
    assert "skip_compare" in names_in(file.__init__)
    assert {"skip_compare"} <= names_in(cell.compare_outputs)
    assert parameters(cell.runtest) == parameters(file.setup) == ["self"]
    source = inspect.getsource(cell.runtest)
    # Outputs are None exactly until the kernel has replied, or is found dead.
    assert source.index("await_reply") < source.index("self.test_outputs = outs")
    assert source.index("is_alive") < source.index("self.test_outputs = outs")
