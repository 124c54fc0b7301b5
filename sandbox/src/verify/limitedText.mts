import { CannotCheck } from './stop.mts';

/** 100 assistants with long prompts have some megabytes. */
const MAX_BYTES = 30_000_000;

/** Reads a response to its end. @throws {CannotCheck} when it is longer than any list should be */
export async function limitedText({
	body,
}: {
	body: ReadableStream<Uint8Array> | null;
}): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body ?? []) {
		size += chunk.length;
		if (size > MAX_BYTES) throw new CannotCheck('A response is too long.');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}
