"""The product layer: one owner of a session that keeps run and log in step.

Three layers, each with one concern. An `Agent` runs and knows of no file. A `SessionManager` keeps
entries and knows of no model. `AgentSession` writes the agent's messages to the log, projects the
log for every request, compacts, and moves the leaf. After Pi 1.6.0 AgentSession and
AgentSessionRuntime. Over 300 lines, because running, compacting and moving write to one log under
one guard.

What is saved when: a message is one line of the file when it is whole; a new session's file is made
with the first user message, and the system message before it goes into the same write. A tool acts
between two lines, the answer that asks for it and the result. A process that dies there leaves the
act done and its result unsaved, and in the log that looks like a tool that never ran.
`unanswered_calls` shows the call, and only the world can say what came of it. So nothing here runs
a call again; an act that must not happen twice needs a key outside the session.

Differences from Pi 1.6.0. Its transient errors are tried again after a pause; here a failed answer
ends the run. An aborted run may still compact there and starts no summary here. Pi knows answers
from before a compaction by their time, here their place on the path decides. Pi calls listeners
first and then writes; here a listener finds the line in the file. A summary of a branch that is
left is asked of the model there and handed in here.

Where Pi 1.6.0 and shorter descriptions of it differ: the threshold is looked at before a prompt,
after a run, and between the turns of a run, which then goes on. The retry after an overflow also
follows an answer that broke off below its own limit. The failed answer isn't dropped from memory
alone: context edits omit it and the results of its calls, so the log knows.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from coursekit.pi.abort_signal import AbortSignal
from coursekit.pi.agent.agent_loop import Agent, AgentEvent, Tool
from coursekit.pi.agent.model import Model
from coursekit.pi.agent.session_events import CompactionCause, CompactionEvent, SessionEvent
from coursekit.pi.compaction.preparation import prepare_compaction
from coursekit.pi.compaction.settings import CompactionSettings
from coursekit.pi.compaction.summary import CompactionResult, Summarizer, compact
from coursekit.pi.compaction.trigger import (
    compaction_due,
    failed_attempt,
    is_past_threshold,
    last_answer,
)
from coursekit.pi.errors import EntryNotFoundError, PiSessionError, SummaryError
from coursekit.pi.files.entries import Entry
from coursekit.pi.files.json_text import JsonObject
from coursekit.pi.manager.session_copies import branched_copy, empty_session
from coursekit.pi.manager.session_manager import SessionManager
from coursekit.pi.model_messages import Message, content_text, user_message
from coursekit.pi.projection import SessionProjection
from coursekit.pi.system_messages import system_update
from coursekit.pi.tokens import estimate_projected_context_tokens


class AgentSession:
    """A conversation that lives in a session. The one owner of its manager.

    While a run or a compaction goes on, every write to the manager and every move of its leaf that
    doesn't come from here is refused (PiSessionError), whoever holds the manager; so is a second
    run. In between the manager is free; every run starts from what the log then holds.
    """

    def __init__(
        self,
        manager: SessionManager,
        model: Model,
        *,
        summarizer: Summarizer,
        tools: Sequence[Tool] = (),
        system_prompt: str = "",
        sections: Mapping[str, str] | None = None,
        settings: CompactionSettings | None = None,
    ) -> None:
        self.agent = Agent(model, tools=tools)
        self.agent.prepare_request = self._projected_messages
        self.agent.prepare_next_turn = self._compact_between_turns
        self.agent.subscribe(self._on_agent_event)
        self.summarizer = summarizer
        self.system_prompt = system_prompt
        self.sections = dict(sections or {})
        """Parts of the system prompt that may change, such as a policy, by name."""
        self.settings = CompactionSettings() if settings is None else settings
        self.error_message: str | None = None
        """What went wrong in the last prompt: the answer, or a compaction. None: nothing."""
        self._listeners: list[Callable[[SessionEvent], None]] = []
        self._is_busy = False
        self._is_writing = False
        self._abort = AbortSignal()
        self._answer: Message | None = None
        self._adopt(manager)

    # Looking

    @property
    def manager(self) -> SessionManager:
        """The session that is current: `fork`, `clone` and `new` change it."""
        return self._manager

    @property
    def messages(self) -> list[Message]:
        """The context as it is, in step with the log."""
        return list(self.agent.messages)

    @property
    def is_streaming(self) -> bool:
        """Whether a run or a compaction goes on."""
        return self._is_busy

    def context_tokens(self) -> int:
        """The estimated size of the context, in tokens."""
        path, projection = self._look()
        return estimate_projected_context_tokens(projection, path).tokens

    def subscribe(self, listener: Callable[[SessionEvent], None]) -> Callable[[], None]:
        """Call a listener with every step, after the log has it. Returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # Running

    def prompt(self, content: str | list[JsonObject]) -> Message | None:
        """Ask, let the tools work, compact where it is due. Returns the run's last answer.

        Before the prompt the context is compacted where it is past the threshold. An answer that
        overflows the context is taken out of it, the context is compacted and the request made
        again, once; a second overflow ends in `error_message`. A failure of the model is an answer
        with stopReason `error`, not an exception.
        """
        with self._busy():
            self.error_message = self._answer = None
            self._refresh()
            self._compact_if_due(after_run=False)
            if self._abort.aborted:
                self.error_message = "aborted before the message was sent"
                return None
            self._record_model()
            update = system_update(
                self.agent.messages,
                prompt=self.system_prompt,
                sections=self.sections,
                tools=[tool.declaration() for tool in self.agent.tools],
            )
            self.agent.prompt(*([] if update is None else [update]), user_message(content))
            while not self._abort.aborted and (
                self._compact_if_due(after_run=True) or self.agent.has_queued_messages()
            ):
                self.agent.continue_run()
            self.error_message = self.error_message or self.agent.error_message
            return self._answer

    def steer(self, content: str) -> None:
        """Queue a message for the next turn of the run that goes on."""
        self.agent.steer(content)

    def follow_up(self, content: str) -> None:
        """Queue a message for when the run would end."""
        self.agent.follow_up(content)

    def abort(self) -> None:
        """Ask the run or the compaction to stop. A prompt then starts nothing further."""
        self._abort.abort()
        self.agent.abort()

    # /compact, /tree, /fork, /clone, /new

    def compact(self, custom_instructions: str | None = None) -> CompactionResult:
        """`/compact`: summarise now, whatever the threshold says.

        Raises PiSessionError where there is nothing to compact and SummaryError for a summary
        that can't be stored; the log is then as it was.
        """
        with self._busy():
            result = self._run_compaction("manual", custom_instructions=custom_instructions)
            if result is None:
                leaf = self._manager.get_leaf_entry()
                problem = "nothing to compact: all of the context is within what is kept"
                if leaf is not None and leaf.type == "compaction":
                    problem = "already compacted: nothing was added since"
                self._fail("manual", problem)
                raise PiSessionError(problem)
            return result

    def navigate_tree(
        self, target_id: str, *, summary: str | None = None, label: str | None = None
    ) -> str | None:
        """`/tree`: go on from another entry of the same file; the branch that is left stays.

        At a user message (or an extension's) the leaf goes to its parent and its text is returned,
        to be edited and sent again; at any other entry the leaf goes there. A move alone writes
        nothing: opened again, the file's last line is the leaf. With a summary of what is left,
        that is written, and labelled if wanted; without one the label goes to the target.
        """
        with self._busy(), self._writing() as manager:
            target = manager.get_entry(target_id)
            if target is None:
                raise EntryNotFoundError(target_id)
            if target_id == manager.get_leaf_id():
                return None
            text = _prompt_text(target)
            leaf_id = target_id if text is None else target.parent_id
            if summary:
                target_id = manager.branch_with_summary(leaf_id, summary, from_hook=False)
            elif leaf_id is None:
                manager.reset_leaf()
            else:
                manager.branch(leaf_id)
            if label:
                manager.append_label_change(target_id, label)
            self._refresh()
            return text

    def fork(self, entry_id: str) -> str:
        """`/fork`: go on in a new session that holds the path before this user message.

        Returns the message's text. The old session stays as it is.
        """
        entry = self._manager.get_entry(entry_id)
        if entry is None:
            raise EntryNotFoundError(entry_id)
        if entry.role != "user":
            raise PiSessionError(
                f"entry {entry_id} is no user message; fork at one, or navigate_tree to it"
            )
        with self._busy():
            self._adopt(branched_copy(self._manager, entry.parent_id))
        return _prompt_text(entry) or ""

    def clone(self) -> None:
        """`/clone`: go on in a new session that holds the path to the leaf."""
        leaf_id = self._manager.get_leaf_id()
        if leaf_id is None:
            raise PiSessionError("nothing to clone: the session has no entry before its leaf")
        with self._busy():
            self._adopt(branched_copy(self._manager, leaf_id))

    def new(self) -> None:
        """`/new`: go on in a new, empty session. The old one stays as it is."""
        with self._busy():
            self._adopt(empty_session(self._manager))

    # Inside

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        manager = self._manager
        if manager.write_guard is not None:
            raise PiSessionError(
                "a run is going on; queue a message with steer() or follow_up(), stop it with "
                "abort(), or wait until it ends"
            )
        manager.write_guard = self._guard
        self._is_busy = True
        self._abort = AbortSignal()
        try:
            yield
        finally:
            self._is_busy = False
            manager.write_guard = None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[SessionManager]:
        """The manager, open to this owner."""
        before, self._is_writing = self._is_writing, True
        try:
            yield self._manager
        finally:
            self._is_writing = before

    def _guard(self) -> None:
        if not self._is_writing:
            raise PiSessionError(
                "this session belongs to a run that is going on, so nothing else may write to it "
                "or move its leaf; wait until the run ends, or use steer() or follow_up()"
            )

    def _adopt(self, manager: SessionManager) -> None:
        self._manager = manager
        self._overflow_recovered = False
        self.agent.clear_queues()
        self._refresh()

    def _on_agent_event(self, event: AgentEvent) -> None:
        if event.type == "message_end" and event.message is not None:
            self._note(event.message)
            with self._writing() as manager:
                manager.append_message(event.message)
        self._emit(event)

    def _note(self, message: Message) -> None:
        if message["role"] == "assistant":
            self._answer = message
        # A new question, or an answer that got through, earns another recovery.
        if message["role"] == "user" or message.get("stopReason") not in (None, "error", "length"):
            self._overflow_recovered = False

    def _emit(self, event: SessionEvent) -> None:
        for listener in tuple(self._listeners):
            listener(event)

    def _projected_messages(self) -> list[Message]:
        return self._manager.build_session_projection().messages

    def _refresh(self) -> None:
        """Bring the agent's messages to what the log says."""
        self.agent.messages = list(self._projected_messages())

    def _record_model(self) -> None:
        model, recorded = self.agent.model, self._manager.build_session_projection().model
        if recorded is None or (recorded.provider, recorded.model_id) != (model.provider, model.id):
            with self._writing() as manager:
                manager.append_model_change(model.provider, model.id)

    # Compacting

    def _compact_between_turns(self) -> None:
        path, projection = self._look()
        if not self._abort.aborted and is_past_threshold(
            path, projection, self.agent.model, self.settings
        ):
            self._auto_compact("threshold")

    def _compact_if_due(self, *, after_run: bool) -> bool:
        """Compact where the newest answer calls for it; whether to make its request again."""
        path, projection = self._look()
        model, settings = self.agent.model, self.settings
        due = compaction_due(path, projection, model, settings, after_run=after_run)
        if due == "overflow_retry":
            return self._recover(path, projection)
        if due != "nothing":
            self._auto_compact(due)
        return False

    def _recover(self, path: list[Entry], projection: SessionProjection) -> bool:
        """Take a failed answer out of the context and compact; whether to ask again."""
        answer = last_answer(projection)
        assert answer is not None
        if self._overflow_recovered:
            self._fail(
                "overflow",
                "the context still overflows after one compaction and one retry; shorten the "
                "input or use a model with a larger context window",
            )
            return False
        self._overflow_recovered = True
        with self._writing() as manager:
            for entry in failed_attempt(path, answer):
                manager.append_context_edit(entry.id, None)
        self._refresh()
        return self._auto_compact("overflow", will_retry=True)

    def _look(self) -> tuple[list[Entry], SessionProjection]:
        return self._manager.get_branch(), self._manager.build_session_projection()

    def _auto_compact(self, reason: CompactionCause, *, will_retry: bool = False) -> bool:
        """Whether the context was compacted. A failure is reported and leaves the log as it was."""
        try:
            result = self._run_compaction(reason, will_retry=will_retry)
        except SummaryError:
            return False
        return result is not None

    def _run_compaction(
        self,
        reason: CompactionCause,
        *,
        custom_instructions: str | None = None,
        will_retry: bool = False,
    ) -> CompactionResult | None:
        preparation = prepare_compaction(self._manager.get_branch(), self.settings)
        if preparation is None:
            return None
        self._emit(CompactionEvent("compaction_start", reason))
        try:
            # Like Pi, no session id: each request gets a routing id of its own.
            result = compact(
                preparation,
                self.summarizer,
                custom_instructions=custom_instructions,
                signal=self._abort,
            )
        except SummaryError as error:
            self._fail(reason, str(error))
            raise
        with self._writing() as manager:
            manager.append_compaction(
                result.summary,
                result.first_kept_entry_id,
                result.tokens_before,
                details=result.details,
                from_hook=False,
                **({} if result.usage is None else {"usage": result.usage}),
            )
        self._refresh()
        self._emit(CompactionEvent("compaction_end", reason, result, will_retry=will_retry))
        return result

    def _fail(self, reason: CompactionCause, error: str) -> None:
        self.error_message = error
        self._emit(CompactionEvent("compaction_end", reason, error=error))


def _prompt_text(entry: Entry) -> str | None:
    """The text of an entry that was typed or injected as a prompt; None for every other."""
    if entry.role == "user":
        return content_text(entry.message.get("content"), "")
    if entry.type == "custom_message":
        return content_text(entry.get("content") or [], "")
    return None
