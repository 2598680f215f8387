"""A model that says what its script says: for lessons and tests, without a network."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coursekit.pi.abort_signal import AbortSignal
from coursekit.pi.compaction.summary import SummaryRequest
from coursekit.pi.errors import ScriptError
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.model_messages import Message, now_ms
from coursekit.pi.tokens import estimate_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One answer. Made by `say`, `call`, `overflow`, `abort`, `cut_off` or `fail`."""

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, object]], ...] = ()
    stop_reason: str = "stop"
    error: str | None = None
    tokens: int | None = None
    """The context size that the answer reports; None: what `estimate_tokens` makes of it."""
    output: int | None = None
    """The part of it that the answer itself takes; None: estimated."""

    @classmethod
    def say(cls, text: str, *, tokens: int | None = None) -> Turn:
        """A text that ends the turn."""
        return cls(text=text, tokens=tokens)

    @classmethod
    def call(
        cls, *calls: tuple[str, Mapping[str, object]], text: str = "", tokens: int | None = None
    ) -> Turn:
        """Tool calls as pairs of name and arguments, with a text before them if wanted."""
        return cls(text=text, calls=calls, stop_reason="toolUse", tokens=tokens)

    @classmethod
    def overflow(cls) -> Turn:
        """The provider's error for a context that doesn't fit the window."""
        return cls.fail("the prompt is too long for the context window of this model")

    @classmethod
    def fail(cls, error: str) -> Turn:
        """Another error of the provider."""
        return cls(stop_reason="error", error=error)

    @classmethod
    def abort(cls, text: str = "") -> Turn:
        """An answer that the user stopped, with what had come by then."""
        return cls(text=text, stop_reason="aborted", error="aborted by the user")

    @classmethod
    def cut_off(
        cls, text: str, *calls: tuple[str, Mapping[str, object]], output: int | None = None
    ) -> Turn:
        """An answer that broke off. With `output` at the model's `max_tokens` it was just long."""
        return cls(text=text, calls=calls, stop_reason="length", output=output)


class ScriptedModel:
    """Answers with one turn of its script after the other; a text alone is `Turn.say`.

    `requests` holds a copy of the messages of every call, so `len(model.requests)` is the number of
    model calls. Once the signal is aborted a call answers so and takes no turn. Raises ScriptError
    when the script is over.
    """

    def __init__(
        self,
        script: Sequence[Turn | str],
        *,
        provider: str = "scripted",
        id: str = "script",
        context_window: int = 128_000,
        max_tokens: int = 8_192,
    ) -> None:
        self._script = list(script)
        self._taken = 0
        self._calls_made = 0
        self.provider = provider
        self.id = id
        self.context_window = context_window
        self.max_tokens = max_tokens
        self.requests: list[list[Message]] = []

    def respond(self, messages: list[Message], signal: AbortSignal) -> Message:
        """The next turn of the script, whatever the messages; they are noted in `requests`."""
        self.requests.append(copy.deepcopy(messages))
        if signal.aborted:
            return self._message(Turn.abort(), messages)
        turn = _next(self._script, self._taken, "turn")
        self._taken += 1
        return self._message(turn, messages)

    def _message(self, turn: Turn, messages: list[Message]) -> Message:
        content: list[JsonObject] = [{"type": "text", "text": turn.text}] if turn.text else []
        for name, arguments in turn.calls:
            self._calls_made += 1
            content.append(
                {
                    "type": "toolCall",
                    "id": f"call_{self._calls_made}",
                    "name": name,
                    "arguments": copy.deepcopy(dict(arguments)),
                }
            )
        return _assistant(turn, content, messages, self.provider, self.id)


class ScriptedSummarizer:
    """A summarizer with prepared answers. `requests` holds what it was asked."""

    def __init__(self, answers: Sequence[Turn | str]) -> None:
        self._answers = list(answers)
        self.requests: list[SummaryRequest] = []

    def __call__(self, request: SummaryRequest) -> Message:
        self.requests.append(request)
        turn = _next(self._answers, len(self.requests) - 1, "summary")
        content: list[JsonObject] = [{"type": "text", "text": turn.text}]
        for name, arguments in turn.calls:
            content.append(
                {"type": "toolCall", "id": "call", "name": name, "arguments": dict(arguments)}
            )
        return _assistant(turn, content, request.messages, "scripted", "summaries")


def _next(script: Sequence[Turn | str], index: int, what: str) -> Turn:
    if index >= len(script):
        raise ScriptError(
            f"the script has no {what} number {index + 1}; it holds {len(script)}, add one more"
        )
    turn = script[index]
    return Turn.say(turn) if isinstance(turn, str) else turn


def _assistant(
    turn: Turn,
    content: list[JsonObject],
    messages: Sequence[Message],
    provider: str,
    model: str,
) -> Message:
    message: Message = {
        "role": "assistant",
        "content": content,
        "provider": provider,
        "model": model,
        "stopReason": turn.stop_reason,
        "timestamp": now_ms(),
    }
    output = estimate_tokens(message) if turn.output is None else turn.output
    if turn.error is not None:
        message["errorMessage"] = turn.error
        message["usage"] = _usage(0, 0)  # Providers report nothing for what failed.
    elif turn.tokens is None:
        message["usage"] = _usage(sum(map(estimate_tokens, messages)), output)
    else:
        output = min(output, turn.tokens)
        message["usage"] = _usage(turn.tokens - output, output)
    return message


def _usage(tokens_in: int, output: int) -> JsonObject:
    return {
        "input": tokens_in,
        "output": output,
        "cacheRead": 0,
        "cacheWrite": 0,
        "totalTokens": tokens_in + output,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
    }
