"""The run: a model is asked, its tools are executed, until it has nothing more to do.

An Agent lives in memory and knows of no file. After Pi 1.6.0 Agent, runAgentLoop and
runAgentLoopContinue, in one thread and without streaming. What Pi does and this leaves out: calls
of one answer run side by side there and one after the other here; arguments are checked against
the tool's schema there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from coursekit.pi.abort_signal import AbortSignal
from coursekit.pi.agent.model import Model
from coursekit.pi.errors import PiSessionError
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.model_messages import Message, now_ms, user_message

EventType = Literal[
    "agent_start",
    "turn_start",
    "message_end",
    "tool_execution_start",
    "tool_execution_end",
    "turn_end",
    "agent_end",
]


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """A step of a run. A message is whole when it ends; nothing streams here."""

    type: EventType
    message: Message | None = None
    """The message of `message_end`, the assistant message of `turn_end`."""
    tool_call: JsonObject | None = None
    """The call of the two tool events."""


@dataclass(frozen=True, slots=True)
class Tool:
    """Something a model may ask for."""

    name: str
    description: str
    execute: Callable[[JsonObject], str]
    """Takes the arguments, returns the result as text. What it raises becomes an error result."""
    parameters: Mapping[str, object]
    """JSON Schema of the arguments, for the model."""

    def declaration(self) -> JsonObject:
        """How a system message declares this tool to the model."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }


class Agent:
    """Messages, tools and a model, and at most one run that works on a snapshot of them.

    `messages` grows with every message of a run. Assigning `messages` or `tools` while a run goes
    on changes the next run, not this one. `prepare_next_turn` is called before every turn of a run
    but the first; `prepare_request`, where it is set, returns the messages of every request.
    """

    def __init__(
        self, model: Model, *, tools: Sequence[Tool] = (), messages: Iterable[Message] = ()
    ) -> None:
        self.model = model
        self.tools = list(tools)
        self.messages = list(messages)
        self.error_message: str | None = None
        """Why the last answer failed; None when it didn't."""
        self.prepare_next_turn: Callable[[], None] | None = None
        self.prepare_request: Callable[[], list[Message]] | None = None
        self._steering: deque[Message] = deque()
        self._follow_ups: deque[Message] = deque()
        self._listeners: list[Callable[[AgentEvent], None]] = []
        self._signal: AbortSignal | None = None

    @property
    def is_running(self) -> bool:
        """Whether a run goes on; there is one at most."""
        return self._signal is not None

    def subscribe(self, listener: Callable[[AgentEvent], None]) -> Callable[[], None]:
        """Call a listener with every step, in order of subscription. Returns what ends it.

        What a listener raises ends the run and reaches the caller.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def prompt(self, *prompts: str | Message) -> None:
        """Run on these messages until the model has nothing more to do and no message waits.

        Raises PiSessionError while a run goes on: use `steer` or `follow_up` then.
        """
        self._run([_as_message(prompt) for prompt in prompts], poll=True)

    def continue_run(self) -> None:
        """Run on from what there is: after a failed answer was taken out, or for queued messages.

        Raises PiSessionError when there is nothing to answer.
        """
        conversation = [message for message in self.messages if message.get("role") != "system"]
        if not conversation:
            raise PiSessionError("there is no message to continue from")
        if conversation[-1].get("role") != "assistant":
            self._run([], poll=True)
        elif self._steering:
            self._run(self._take(self._steering), poll=False)
        elif self._follow_ups:
            self._run(self._take(self._follow_ups), poll=True)
        else:
            raise PiSessionError("the last message is an answer; prompt the agent instead")

    def steer(self, message: str | Message) -> None:
        """Queue a message for the run that goes on: it is sent after the current turn's tools.

        One message is sent per turn, the oldest first.
        """
        self._steering.append(_as_message(message))

    def follow_up(self, message: str | Message) -> None:
        """Queue a message for when the run would end. One at a time, the oldest first."""
        self._follow_ups.append(_as_message(message))

    def has_queued_messages(self) -> bool:
        """Whether a steering or follow-up message waits."""
        return bool(self._steering or self._follow_ups)

    def clear_queues(self) -> None:
        """Drop the messages that wait, of both kinds."""
        self._steering.clear()
        self._follow_ups.clear()

    def abort(self) -> None:
        """Ask the run to stop. Tools not yet started get an error result, so no call is left open.

        What a tool has done by then stays done.
        """
        if self._signal is not None:
            self._signal.abort()

    # Inside

    def _run(self, prompts: list[Message], *, poll: bool) -> None:
        if self._signal is not None:
            raise PiSessionError(
                "a run is going on; queue the message with steer() or follow_up(), or wait"
            )
        self._signal = AbortSignal()
        self.error_message = None
        try:
            _Run(self, self._signal).go(prompts, poll=poll)
        finally:
            self._signal = None

    def _emit(self, event: AgentEvent) -> None:
        if event.type == "message_end" and event.message is not None:
            self.messages.append(event.message)
        if event.type == "turn_end" and event.message is not None:
            self.error_message = event.message.get("errorMessage")
        for listener in tuple(self._listeners):
            listener(event)

    @staticmethod
    def _take(queue: deque[Message]) -> list[Message]:
        return [queue.popleft()] if queue else []


class _Run:
    """One run of an agent, on the messages and tools that it had when the run began."""

    def __init__(self, agent: Agent, signal: AbortSignal) -> None:
        self._agent = agent
        self._signal = signal
        self._context = list(agent.messages)
        self._tools = {tool.name: tool for tool in agent.tools}

    def go(self, prompts: list[Message], *, poll: bool) -> None:
        agent = self._agent
        self._emit("agent_start")
        self._emit("turn_start")
        for message in prompts:
            self._add(message)
        queued = agent._take(agent._steering) if poll else []
        is_first = True
        while True:
            is_working = True
            while is_working or queued:
                if not is_first:
                    if agent.prepare_next_turn is not None:
                        agent.prepare_next_turn()
                    # Preparing may have taken long; one message per turn is sent all the same.
                    queued = queued or agent._take(agent._steering)
                    self._emit("turn_start")
                is_first = False
                for message in queued:
                    self._add(message)
                answer = self._ask()
                if answer.get("stopReason") in ("error", "aborted"):
                    self._emit("turn_end", message=answer)
                    self._emit("agent_end")
                    return
                is_working = self._execute_calls(answer)
                self._emit("turn_end", message=answer)
                queued = agent._take(agent._steering)
            queued = agent._take(agent._follow_ups)
            if not queued:
                self._emit("agent_end")
                return

    def _ask(self) -> Message:
        agent = self._agent
        messages = agent.prepare_request() if agent.prepare_request else list(self._context)
        answer = agent.model.respond(messages, self._signal)
        self._add(answer)
        return answer

    def _execute_calls(self, answer: Message) -> bool:
        """Whether the answer had calls. Each gets exactly one result, in their order."""
        calls = [block for block in answer["content"] if block["type"] == "toolCall"]
        for call in calls:
            self._emit("tool_execution_start", tool_call=call)
            text, is_error = self._result_of(call, was_cut_off=answer["stopReason"] == "length")
            self._emit("tool_execution_end", tool_call=call)
            self._add(
                {
                    "role": "toolResult",
                    "toolCallId": call["id"],
                    "toolName": call["name"],
                    "content": [{"type": "text", "text": text}],
                    "isError": is_error,
                    "timestamp": now_ms(),
                }
            )
        return bool(calls)

    def _result_of(self, call: JsonObject, *, was_cut_off: bool) -> tuple[str, bool]:
        """The text of a call's result and whether it is an error."""
        name = call["name"]
        if was_cut_off:
            # The arguments may be half of what the model meant, and still look whole.
            return f"{name} was not executed: the answer broke off; make the call again", True
        if self._signal.aborted:
            return f"{name} was not executed: the run was aborted", True
        tool = self._tools.get(name)
        if tool is None:
            return f"there is no tool named {name}", True
        try:
            return tool.execute(call["arguments"]), False
        except Exception as error:
            return str(error) or type(error).__name__, True

    def _add(self, message: Message) -> None:
        self._context.append(message)
        self._emit("message_end", message=message)

    def _emit(
        self,
        type: EventType,
        message: Message | None = None,
        tool_call: JsonObject | None = None,
    ) -> None:
        self._agent._emit(AgentEvent(type, message, tool_call))


def unanswered_calls(messages: Iterable[Message]) -> list[JsonObject]:
    """Tool calls without a result: what a crash in a tool, or before it, leaves behind.

    Whether such a tool acted, the messages don't say. Ask the system that it acts on.
    """
    open_calls: dict[str, JsonObject] = {}
    for message in messages:
        if message["role"] == "assistant":
            blocks = (block for block in message["content"] if block["type"] == "toolCall")
            open_calls.update((block["id"], block) for block in blocks)
        elif message["role"] == "toolResult":
            open_calls.pop(message["toolCallId"], None)
    return list(open_calls.values())


def _as_message(prompt: str | Message) -> Message:
    return user_message(prompt) if isinstance(prompt, str) else prompt
