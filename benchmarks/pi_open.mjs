// Opens and projects one session with real Pi; prints milliseconds and memory as JSON.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [modules, file] = process.argv.slice(2);
const core = join(modules, "@earendil-works/pi-coding-agent/dist/core/session-manager.js");
const { SessionManager } = await import(pathToFileURL(core).href);

const before = process.memoryUsage().rss;
const start = performance.now();
const manager = SessionManager.open(file);
const projection = manager.buildSessionProjection();
const milliseconds = performance.now() - start;
console.log(
	JSON.stringify({
		milliseconds,
		messages: projection.messages.length,
		memory: process.resourceUsage().maxRSS * 1024 - before,
	}),
);
