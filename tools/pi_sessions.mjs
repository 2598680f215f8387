// Makes the sessions in data/pi with real Pi 1.6.0, clock and ids fixed so that each run writes the same bytes.
//
//   node tools/pi_sessions.mjs <node_modules> <folder>
//
// No model is called: the answers are written here. What is real is the file, written by Pi's SessionManager.
import crypto from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, target] = process.argv.slice(2).map((argument) => resolve(argument));

let clock = Date.parse("2026-01-05T09:00:00Z");
const tick = () => (clock += 1_000);
globalThis.Date = class extends Date {
	constructor(...values) {
		super(...(values.length > 0 ? values : [tick()]));
	}
	static now() {
		return tick();
	}
};

let drawn = 0;
crypto.randomUUID = () => {
	// Odd multiplier: every count gives another id.
	const id = (Math.imul(++drawn, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
	return `${id}-0000-4000-8000-000000000000`;
};
globalThis.crypto.getRandomValues = (bytes) => bytes.fill(7);
syncBuiltinESMExports();

const core = join(modules, "@earendil-works/pi-coding-agent/dist/core/session-manager.js");
const { SessionManager } = await import(pathToFileURL(core).href);

const text = (value) => [{ type: "text", text: value }];
const now = () => Date.now();
const system = (content, rest = {}) => ({ role: "system", content, ...rest, timestamp: now() });
const user = (value) => ({ role: "user", content: text(value), timestamp: now() });
const tool = (name, description) => ({
	name,
	description,
	parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
});

function assistant(content, { input = 900, output = 40, stopReason = "stop", ...rest } = {}) {
	return {
		role: "assistant",
		content: typeof content === "string" ? text(content) : content,
		api: "anthropic-messages",
		provider: "anthropic",
		model: "claude-sonnet-4-5",
		usage: {
			input,
			output,
			cacheRead: 0,
			cacheWrite: 0,
			totalTokens: input + output,
			cost: { input: input * 3e-6, output: output * 1.5e-5, cacheRead: 0, cacheWrite: 0, total: input * 3e-6 + output * 1.5e-5 },
		},
		stopReason,
		...rest,
		timestamp: now(),
	};
}

const call = (id, name, args, before = "") =>
	assistant([...(before ? text(before) : []), { type: "toolCall", id, name, arguments: args }], { stopReason: "toolUse" });
const result = (id, name, output, isError = false) => ({
	role: "toolResult",
	toolCallId: id,
	toolName: name,
	content: text(output),
	isError,
	timestamp: now(),
});

// Every entry type and every role once.
function tour(session) {
	session.appendModelChange("anthropic", "claude-sonnet-4-5");
	session.appendThinkingLevelChange("medium");
	session.appendMessage(system("You are a coding agent.", { sections: { cwd: "/home/learner/notes" }, toolsAdded: [tool("read", "Read a file")] }));
	const question = session.appendMessage(user("What does notes.txt say? 请简短回答。"));
	session.appendMessage(call("call_1", "read", { path: "notes.txt" }, "I'll look."));
	const output = session.appendMessage(result("call_1", "read", "buy milk\nfeed the cat 🐈\n"));
	session.appendMessage(assistant("Two chores: milk, and the cat."));
	session.appendMessage({ role: "bashExecution", command: "date", output: "Mon Jan 5\n", exitCode: 0, cancelled: false, truncated: false, timestamp: now() });
	session.appendCustomEntry("todo-extension", { open: 2, done: 0 });
	session.appendCustomMessageEntry("todo-extension", "Two chores are open.", true, { open: 2 });
	session.appendMessage({ role: "custom", customType: "reminder", content: "It is Monday.", display: false, timestamp: now() });
	session.appendUsage("cache_warm", "anthropic", "claude-sonnet-4-5", { input: 0, output: 0, cacheRead: 900, cacheWrite: 0, totalTokens: 900 }, "kept warm");
	session.appendLabelChange(question, "the question");
	session.appendSessionInfo("Chores");
	session.appendContextEdit(output, { content: "buy milk, feed the cat" });
	session.branchWithSummary(question, "One answer was tried: milk and the cat.");
	session.appendMessage(assistant("Buy milk and feed the cat."));
	session.appendCompaction("The user asked what notes.txt says: milk, and the cat.", question, 940, { readFiles: ["notes.txt"], modifiedFiles: [] });
	session.appendMessage(user("Thanks!"));
}

// Plan A, back to the question, plan B; a label on each.
function twoBranches(session) {
	const question = session.appendMessage(user("Sort the list in place, or return a new one?"));
	session.appendMessage(assistant("Plan A: sort in place."));
	session.appendMessage(user("Do plan A."));
	const planA = session.appendMessage(assistant("Done: list.sort() mutates the list."));
	session.appendLabelChange(planA, "plan A");
	session.branch(question);
	const planB = session.appendMessage(assistant("Plan B: return sorted(list)."));
	session.appendLabelChange(planB, "plan B");
	session.appendMessage(user("Do plan B."));
	const end = session.appendMessage(assistant("Done: the caller's list stays as it was."));
	session.appendSessionInfo("Two ways to sort");
	return end;
}

// Two compactions, each with the system checkpoint that held when it was made.
function compacted(session) {
	session.appendMessage(system("You are a coding agent.", { sections: { style: "Be brief.", cwd: "/home/learner/parser" }, toolsAdded: [tool("read", "Read a file"), tool("edit", "Change a file")] }));
	session.appendMessage(user("Why does the parser fail on blank lines?"));
	session.appendMessage(call("call_1", "read", { path: "parser.py" }));
	session.appendMessage(result("call_1", "read", "for line in text.split('\\n'):\n    json.loads(line)\n"));
	session.appendMessage(assistant("json.loads('') raises: skip blank lines first."));
	const second = session.appendMessage(user("Please mend it."));
	session.appendMessage(call("call_2", "edit", { path: "parser.py" }));
	session.appendMessage(result("call_2", "edit", "1 line changed"));
	session.appendMessage(assistant("Mended."));
	session.appendCompaction("Goal: blank lines in parser.py. Found: json.loads('') raises.", second, 1_880);
	session.appendMessage(system("", { sections: { style: null, review: "Name the test you ran." }, toolsRemoved: [{ name: "edit" }] }));
	const third = session.appendMessage(user("Is there a test?"));
	session.appendMessage(assistant("test_blank_lines passes."));
	session.appendCompaction("Goal: blank lines in parser.py. Mended and tested.", third, 2_820);
	session.appendMessage(user("Good. Anything left?"));
	session.appendMessage(assistant("No."));
}

// A hidden answer, a shortened tool result, an answer that was edited twice.
function edited(session) {
	session.appendMessage(user("Count the words in big.log."));
	session.appendMessage(call("call_1", "read", { path: "big.log" }));
	const log = session.appendMessage(result("call_1", "read", "word ".repeat(200)));
	const wrong = session.appendMessage(assistant("About a thousand, I guess."));
	const retry = session.appendMessage(user("Count, don't guess."));
	const answer = session.appendMessage(assistant("Two hundred words."));
	session.appendContextEdit(log, { content: "[200 times the word 'word']" });
	session.appendContextEdit(wrong, null);
	session.appendContextEdit(answer, { content: "200 words" });
	session.appendContextEdit(answer, { content: "200 words, all 'word'" });
	session.appendContextEdit(retry, { content: text("Count the words exactly.") });
	session.appendMessage(user("Thank you."));
}

// A short turn and a long one, to plan a compaction on: its tools' results are most of what it costs.
function longTurn(session) {
	const asked = (id, name, path, input) =>
		assistant([{ type: "toolCall", id, name, arguments: { path } }], { input, stopReason: "toolUse" });
	session.appendMessage(system("You are a coding agent.", { sections: { policy: "Run the tests before you say done." }, toolsAdded: [tool("read", "Read a file"), tool("edit", "Change a file"), tool("test", "Run a test file")] }));
	session.appendMessage(user("Why does `shop --help` take two seconds?"));
	session.appendMessage(asked("call_1", "read", "shop/cli.py", 190));
	session.appendMessage(result("call_1", "read", "import pandas\nimport shop.prices\n" + "# the commands\n".repeat(20)));
	session.appendMessage(assistant("cli.py imports pandas at the top, and only `report` needs it.", { input: 300 }));
	session.appendMessage(user("Move such imports into the functions that use them, in cli.py and prices.py. Keep the public names."));
	session.appendMessage(asked("call_2", "edit", "shop/cli.py", 345));
	session.appendMessage(result("call_2", "edit", "1 import moved into report()"));
	session.appendMessage(asked("call_3", "read", "shop/prices.py", 385));
	session.appendMessage(result("call_3", "read", "import numpy\n" + "def price(item): ...\n".repeat(40)));
	session.appendMessage(asked("call_4", "edit", "shop/prices.py", 640));
	session.appendMessage(result("call_4", "edit", "1 import moved into price()"));
	session.appendMessage(asked("call_5", "test", "tests/test_prices.py", 680));
	session.appendMessage(result("call_5", "test", "ok test_price\n".repeat(60) + "60 passed\n"));
	session.appendMessage(assistant("Both imports are moved and the 60 tests pass. `shop --help` needs 0.2 seconds.", { input: 940 }));
	session.appendMessage(user("Thanks. Is prices.py still importable without numpy?"));
}

const here = mkdtempSync(join(tmpdir(), "pi-sessions-"));
process.chdir(here); // so that the headers name no folder of this machine
mkdirSync(target, { recursive: true });
const keep = (session, name) => cpSync(session.getSessionFile(), join(target, `${name}.jsonl`));
const make = () => SessionManager.create("/home/learner/project", "sessions");
try {
	for (const [name, write] of Object.entries({ tour, compacted, edited })) {
		const session = make();
		write(session);
		keep(session, name);
	}
	const session = make();
	const end = twoBranches(session);
	keep(session, "two-branches");
	session.createBranchedSession(end);
	keep(session, "branched");
	const long = make();
	longTurn(long);
	keep(long, "long-turn");
} finally {
	process.chdir(tmpdir());
	rmSync(here, { recursive: true });
}
