import { asText, isDeeperThan, isRecord, MAX_LEVELS, parseJson } from '../values/json';
import { withoutSecret } from '../values/serviceText';

/** The body of a response while it arrives. */
export type Stream = AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };

/** In bytes, unpacked. A page of 100 records with long transcripts has some ten million. */
export const MAX_BODY_BYTES = 100_000_000;

/** A shorter token could be a number or a word of a record. */
const MIN_TOKEN_LENGTH = 16;

/** Why a body cannot be used, although its response has begun. */
export type BodyProblem = 'cut off' | 'garbled' | 'too large' | 'too deep';

/** The response began, but its body cannot be used. */
export class UnusableBody extends Error {
	readonly problem: BodyProblem;

	constructor(problem: BodyProblem) {
		super(problem);
		this.problem = problem;
	}
}

/** These codes of zlib mean that a body is not packed as its header says. */
const GARBLED = /^Z_(DATA_ERROR|NEED_DICT|STREAM_ERROR)$/;

async function readText(stream: Stream): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.length;
		if (bytes > MAX_BODY_BYTES) throw new UnusableBody('too large');
		chunks.push(chunk);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}

function toUnusableBody(error: unknown): UnusableBody {
	if (error instanceof UnusableBody) return error;
	const isGarbled = isRecord(error) && GARBLED.test(asText(error.code));
	return new UnusableBody(isGarbled ? 'garbled' : 'cut off');
}

/** The body of a response, or the text of one that is no JSON. */
type ReadBody = { body: unknown; isJson: boolean };

function parsed(text: string): ReadBody {
	try {
		return { body: parseJson(text), isJson: true };
	} catch {
		return { body: text, isJson: false };
	}
}

/**
 * Reads the body of a response to its end.
 *
 * @param stream as n8n's HTTP helper gives it with `encoding: 'stream'` (n8n.md#requests-of-a-node)
 * @param signal ends the reading
 * @param secret the API token, which the body does not show
 * @returns parsed JSON, or the text when it is no JSON, and which of both it is
 * @throws {UnusableBody} when the body is cut off (also by the signal), larger than
 * {@link MAX_BODY_BYTES}, or nested too deep
 */
export async function readBody(
	stream: Stream,
	signal: AbortSignal,
	secret: string,
): Promise<ReadBody> {
	const end = () => stream.destroy();
	signal.addEventListener('abort', end);
	if (signal.aborted) end();
	try {
		const text = await readText(stream).catch((error: unknown) => {
			throw toUnusableBody(error);
		});
		const read = parsed(withoutSecret(text, secret, MIN_TOKEN_LENGTH));
		if (isDeeperThan(MAX_LEVELS, read.body)) throw new UnusableBody('too deep');
		return read;
	} finally {
		signal.removeEventListener('abort', end);
		stream.destroy();
	}
}
