// Answers questions about sessions with real Pi: one JSON request per line in, one answer per line out.
//
//   node oracle.mjs <node_modules>
//
//   {"op": "look", "path"}                         open a file, describe what it holds
//   {"op": "parse", "lines": [entry, ...]}         the same for entries that lie in no file
//   {"op": "branched", "path", "leaf", "dir"}      open, createBranchedSession, describe the new file
//   {"op": "forked", "path", "cwd", "dir"}         forkFrom, describe the new file
//   {"op": "run", "cwd", "dir", "steps": [...]}    drive a manager step by step, describe it
//   {"op": "list", "cwd", "dir"}                   the sessions of a folder, and the recent one
//   {"op": "dates", "values"}, {"op": "texts", "values"}, {"op": "folders", "cwds"}
//
// An answer is {"ok": ...} or {"error": message}.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerLines } from "./answer_lines.mjs";

const core = join(process.argv[2], "@earendil-works/pi-coding-agent/dist/core/session-manager.js");
const pi = await import(pathToFileURL(core).href);
const { SessionManager } = pi;

const orNull = (value) => (value === undefined ? null : value);

function settings(source) {
	const { thinkingLevel, model } = source;
	return {
		thinkingLevel: orNull(thinkingLevel),
		model: model && { provider: orNull(model.provider), modelId: orNull(model.modelId) },
	};
}

// Depth first without recursion, so that long chains are no trouble.
function flatten(roots) {
	const rows = [];
	const stack = roots.map((node) => [node, 0]).reverse();
	while (stack.length > 0) {
		const [node, depth] = stack.pop();
		rows.push([depth, node.entry.id, orNull(node.label), orNull(node.labelTimestamp)]);
		for (const child of node.children.slice().reverse()) stack.push([child, depth + 1]);
	}
	return rows;
}

function describe(manager) {
	const projection = manager.buildSessionProjection();
	const context = manager.buildSessionContext();
	return {
		leaf: manager.getLeafId(),
		header: manager.getHeader(),
		entries: manager.getEntries(),
		path: manager.getBranch().map((entry) => entry.id),
		context: manager.buildContextEntries().map((entry) => entry.id),
		projected: projection.entries.map((entry) => [entry.sourceEntry.id, entry.messages]),
		messages: context.messages,
		settings: settings(projection),
		contextSettings: settings(context),
		tree: flatten(manager.getTree()),
		name: orNull(manager.getSessionName()),
		labels: manager
			.getEntries()
			.map((entry) => [entry.id, orNull(manager.getLabel(entry.id))])
			.filter(([, label]) => label !== null),
		count: manager.getEntryCount(),
		children: manager.getEntries().map((entry) => manager.getChildren(entry.id).map((child) => child.id)),
	};
}

// Entries are named by their position, because ids are drawn by each side.
function run(request) {
	const manager = request.dir ? SessionManager.create(request.cwd, request.dir) : SessionManager.inMemory(request.cwd);
	const outcomes = [];
	for (const [method, ...values] of request.steps) {
		const id = (position) => (typeof position === "number" ? manager.getEntries()[position]?.id : position);
		const calls = {
			appendMessage: (message) => manager.appendMessage(message),
			appendThinkingLevelChange: (level) => manager.appendThinkingLevelChange(level),
			appendModelChange: (provider, model) => manager.appendModelChange(provider, model),
			appendUsage: (kind, provider, model, usage, note) =>
				manager.appendUsage(kind, provider, model, usage, note ?? undefined).id,
			appendCompaction: (summary, kept, tokens, details) =>
				manager.appendCompaction(summary, id(kept), tokens, details ?? undefined),
			appendCustomEntry: (type, data) => manager.appendCustomEntry(type, data),
			appendCustomMessageEntry: (type, content, display, details) =>
				manager.appendCustomMessageEntry(type, content, display, details ?? undefined),
			appendSessionInfo: (name) => manager.appendSessionInfo(name),
			appendLabelChange: (target, label) => manager.appendLabelChange(id(target), label ?? undefined),
			appendContextEdit: (target, replacement) => manager.appendContextEdit(id(target), replacement),
			branch: (target) => manager.branch(id(target)),
			branchWithSummary: (target, summary) => manager.branchWithSummary(id(target), summary),
			resetLeaf: () => manager.resetLeaf(),
			createBranchedSession: (target) => void manager.createBranchedSession(id(target)),
		};
		try {
			calls[method](...values);
			outcomes.push("ok");
		} catch (error) {
			outcomes.push("error");
		}
	}
	return { outcomes, file: orNull(manager.getSessionFile()), ...describe(manager) };
}

async function answer(request) {
	switch (request.op) {
		case "look":
			return describe(SessionManager.open(request.path));
		case "parse":
			return describe(SessionManager.inMemory(request.cwd ?? "/w", undefined, request.lines));
		case "branched": {
			const manager = SessionManager.open(request.path, request.dir);
			const file = manager.createBranchedSession(request.leaf);
			return { file, ...describe(manager) };
		}
		case "forked": {
			const manager = SessionManager.forkFrom(request.path, request.cwd, request.dir);
			return { file: manager.getSessionFile(), ...describe(manager) };
		}
		case "run":
			return run(request);
		case "list": {
			const sessions = await SessionManager.list(request.cwd, request.dir);
			const recent = SessionManager.continueRecent(request.cwd, request.dir);
			return { sessions, recent: recent.getSessionFile() };
		}
		case "dates":
			return request.values.map((value) => new Date(value).getTime());
		case "texts":
			return request.values.map((value) => {
				const text = JSON.stringify(value);
				return { text, length: text.length };
			});
		case "folders":
			return request.cwds.map((cwd) => pi.getDefaultSessionDir(cwd));
		default:
			throw new Error(`unknown op ${request.op}`);
	}
}

await answerLines(answer);
