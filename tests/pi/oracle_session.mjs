// Runs real Pi's AgentSession on a script: one JSON request per line in, one answer per line out.
//
//   node oracle_session.mjs <node_modules>
//
//   {"op": "run", "turns", "summaries", "tools", "settings", "window", "maxTokens", "steps"}
//
// A turn is {text, calls, stopReason, error, tokens, output}. A tool is {name, result, then} where `then` is what
// happens while it runs: {"steer": text}, {"followUp": text} or {"abort": true}. Steps are ["prompt", text],
// ["compact"] and ["navigate", position]. No request leaves the process.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerLines } from "./answer_lines.mjs";

const load = (path) => import(pathToFileURL(join(process.argv[2], "@earendil-works", path)).href);
const pi = await load("pi-coding-agent/dist/index.js");
const ai = await load("pi-ai/dist/index.js");

function usage(turn) {
	const failed = turn.error !== undefined && turn.error !== null;
	const output = failed ? 0 : (turn.output ?? 1);
	const total = failed ? 0 : (turn.tokens ?? 10);
	return {
		input: total - output, output, cacheRead: 0, cacheWrite: 0, totalTokens: total,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
	};
}

async function run(request) {
	const folder = mkdtempSync(join(tmpdir(), "session-"));
	const settingsManager = pi.SettingsManager.inMemory({ compaction: request.settings, retry: { enabled: false } });
	const modelRuntime = await pi.ModelRuntime.create({ authPath: join(folder, "auth.json"), modelsPath: join(folder, "models.json") });
	modelRuntime.hasConfiguredAuth = () => true;
	const model = {
		id: "script", name: "script", api: "scripted", provider: "scripted", baseUrl: "", reasoning: false, input: ["text"],
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
		contextWindow: request.window, maxTokens: request.maxTokens,
	};
	const manager = pi.SessionManager.inMemory(folder);
	let session;
	const acts = {
		steer: (text) => void session.steer(text),
		followUp: (text) => void session.followUp(text),
		abort: () => void session.abort(),
	};
	const customTools = request.tools.map((tool) => ({
		name: tool.name, label: tool.name, description: tool.name, parameters: { type: "object", properties: {} },
		executionMode: "sequential",
		execute: async () => {
			for (const [act, value] of Object.entries(tool.then ?? {})) acts[act](value);
			if (tool.fails) throw new Error(tool.result);
			return { content: [{ type: "text", text: tool.result }], details: {} };
		},
	}));
	({ session } = await pi.createAgentSession({
		cwd: folder, agentDir: folder, modelRuntime, settingsManager, sessionManager: manager, model,
		customTools, tools: request.tools.map((tool) => tool.name), thinkingLevel: "off",
	}));
	const turns = [...request.turns];
	const summaries = [...request.summaries];
	let calls = 0;
	let modelCalls = 0;
	let summaryCalls = 0;
	session.agent.streamFunction = async (_model, _context, options) => {
		// Pi compares times in milliseconds to tell what came before a compaction.
		await new Promise((resolve) => setTimeout(resolve, 4));
		const isSummary = options.cacheRetention === "none";
		let turn;
		if (isSummary) {
			summaryCalls++;
			turn = summaries.shift();
		} else {
			modelCalls++;
			turn = options.signal?.aborted ? { stopReason: "aborted", error: "aborted", text: "" } : turns.shift();
		}
		if (turn === undefined) throw new Error("the script is over");
		const content = turn.text ? [{ type: "text", text: turn.text }] : [];
		for (const [name, args] of turn.calls ?? []) {
			calls++;
			content.push({ type: "toolCall", id: `call_${calls}`, name, arguments: args });
		}
		const message = {
			role: "assistant", content, api: "scripted", provider: "scripted", model: "script",
			stopReason: turn.stopReason, usage: usage(turn), timestamp: Date.now(),
			...(turn.error ? { errorMessage: turn.error } : {}),
		};
		const stream = ai.createAssistantMessageEventStream();
		const failed = turn.stopReason === "error" || turn.stopReason === "aborted";
		stream.push(failed
			? { type: "error", reason: turn.stopReason, error: message }
			: { type: "done", reason: turn.stopReason, message });
		stream.end(message);
		return stream;
	};
	const compactions = [];
	session.subscribe((event) => {
		if (event.type === "compaction_end") {
			compactions.push({ reason: event.reason, stored: event.result !== undefined, failed: Boolean(event.errorMessage), willRetry: event.willRetry });
		}
	});
	const returned = [];
	const here = [];
	for (const [step, value] of request.steps) {
		try {
			if (step === "prompt") {
				await session.prompt(value);
				returned.push("ok");
			} else if (step === "compact") {
				await session.compact();
				returned.push("ok");
			} else {
				const id = manager.getEntries().filter((entry) => entry.type !== "thinking_level_change")[value].id;
				returned.push((await session.navigateTree(id)).editorText ?? null);
			}
		} catch (error) {
			returned.push("error");
		}
		here.push(manager.getLeafId());
	}
	// Pi also records the thinking level of a new session; the port has none.
	const entries = manager.getEntries().filter((entry) => entry.type !== "thinking_level_change");
	const place = (id) => entries.findIndex((entry) => entry.id === id);
	return {
		entries,
		leaves: here.map(place),
		returned,
		modelCalls, summaryCalls, compactions,
		roles: session.agent.state.messages.map((message) => message.role),
	};
}

await answerLines(run);
