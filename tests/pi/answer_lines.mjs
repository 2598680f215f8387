// One JSON request a line from standard input, one JSON reply a line to standard output.
import { createInterface } from "node:readline";

/** Reply to each request with what `answer` returns for it, or with the error that it throws. */
export async function answerLines(answer) {
	for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
		let reply;
		try {
			reply = { ok: await answer(JSON.parse(line)) };
		} catch (error) {
			reply = { error: String(error?.message ?? error) };
		}
		process.stdout.write(`${JSON.stringify(reply)}\n`);
	}
}
