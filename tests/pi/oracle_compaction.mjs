// Answers questions about compaction with real Pi: one JSON request per line in, one answer per line out.
//
//   node oracle_compaction.mjs <node_modules>
//
//   {"op": "plan", "lines", "leaf", "settings"}       estimates of the path to a leaf, and the planned compaction
//   {"op": "compact", "lines", "leaf", "settings", "answers", "sessionId", "instructions"}
//                                                     run it with scripted answers, append it, look at the context
//   {"op": "should", "values": [[tokens, window, settings], ...]}
//   {"op": "tokens", "messages"}                      what each message costs
//
// An answer is {"ok": ...} or {"error": message}.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerLines } from "./answer_lines.mjs";

const core = join(process.argv[2], "@earendil-works/pi-coding-agent/dist/core");
const { SessionManager } = await import(pathToFileURL(join(core, "session-manager.js")).href);
const compaction = await import(pathToFileURL(join(core, "compaction/compaction.js")).href);
const { computeFileLists } = await import(pathToFileURL(join(core, "compaction/utils.js")).href);

const orNull = (value) => (value === undefined ? null : value);

function at(request) {
	const manager = SessionManager.inMemory("/w", undefined, request.lines);
	if (request.leaf) manager.branch(request.leaf);
	return manager;
}

function prepared(manager, settings) {
	const preparation = compaction.prepareCompaction(manager.getBranch(), settings);
	if (preparation === undefined) return null;
	const { fileOps, settings: _settings, ...rest } = preparation;
	const lists = Object.fromEntries(Object.entries(fileOps).map(([name, paths]) => [name, [...paths].sort()]));
	return { ...rest, previousSummary: orNull(rest.previousSummary), fileOps: lists, ...computeFileLists(fileOps) };
}

function plan(request) {
	const manager = at(request);
	const projection = manager.buildSessionProjection();
	return {
		messages: projection.messages.map((message) => compaction.estimateTokens(message)),
		plain: compaction.estimateContextTokens(projection.messages),
		projected: compaction.estimateProjectedContextTokens(projection, manager.getBranch()),
		preparation: prepared(manager, request.settings),
	};
}

async function compact(request) {
	const manager = at(request);
	const preparation = compaction.prepareCompaction(manager.getBranch(), request.settings);
	if (preparation === undefined) return null;
	const answers = [...request.answers];
	const requests = [];
	const stream = async (_model, context, options) => {
		const prompt = context.messages.at(-1).content[0].text;
		requests.push({
			cacheRetention: options.cacheRetention,
			sessionId: options.sessionId,
			carriesPrevious: prompt.includes("<previous-summary>"),
			conversation: prompt.match(/^(?:<conversation>|# Conversation)\n(.*?)\n(?:<\/conversation>|\n# Instructions)\n/s)[1],
		});
		return { result: async () => answers.shift() };
	};
	const model = { provider: "scripted", id: "s", maxTokens: 1000 };
	try {
		const result = await compaction.compact(
			preparation, model, undefined, undefined, orNull(request.instructions) ?? undefined, undefined, undefined,
			stream, undefined, undefined, undefined, request.sessionId ?? undefined,
		);
		const id = manager.appendCompaction(
			result.summary, result.firstKeptEntryId, result.tokensBefore, result.details, false, result.usage,
		);
		const projection = manager.buildSessionProjection();
		return {
			requests, result,
			entry: manager.getEntry(id),
			sources: projection.entries.map((entry) => entry.sourceEntry.id),
			messages: projection.messages,
		};
	} catch (error) {
		return { requests, failure: error.message };
	}
}

async function answer(request) {
	switch (request.op) {
		case "plan":
			return plan(request);
		case "compact":
			return await compact(request);
		case "should":
			return request.values.map((values) => compaction.shouldCompact(...values));
		case "tokens":
			return request.messages.map((message) => compaction.estimateTokens(message));
		default:
			throw new Error(`unknown op ${request.op}`);
	}
}

await answerLines(answer);
