"""Running statements in a kernel of the sandbox, as a Jupyter client does."""

import queue
from typing import Any

from coursekit.grading.sandbox.kernel_handle import KernelHandle


def execute(kernel: KernelHandle, code: str) -> str:
    """What statements print when the kernel runs them."""
    from jupyter_client.blocking.client import BlockingKernelClient

    client = BlockingKernelClient()
    client.load_connection_info(kernel.connection())  # type: ignore[arg-type]
    client.start_channels(stdin=False, hb=False, control=False)
    printed: list[str] = []
    try:
        _until_heard(client)

        def hook(message: dict[str, Any]) -> None:
            printed.append(str(message["content"].get("text", message["content"].get("ename", ""))))

        client.execute_interactive(f"exec({code!r}, {{}})", timeout=30, output_hook=hook)
    finally:
        client.stop_channels()
        client.context.term()
    return "".join(printed)


def _until_heard(client: Any) -> None:
    """Ask until an answer comes on the channel that may connect later than the other."""
    for _ in range(30):
        client.kernel_info(reply=True, timeout=30)
        try:
            client.get_iopub_msg(timeout=1)
        except queue.Empty:
            continue
        return
    raise AssertionError("the kernel does not answer")
