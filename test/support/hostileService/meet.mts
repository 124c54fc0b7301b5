import { inspect } from 'node:util';

import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ALICE } from '../../../sandbox/test/support/seed.mts';
import type { Service } from '../../../sandbox/test/support/service.mts';
import type { Behaviour } from './behaviours.mts';
import type { ReceivedRequest } from './hostileServer.mts';
import { getLimitMs, observe, type Meeting } from './observe.mts';
import type { MeetingOutcome, Subject } from './subjects/subject.mts';

/** In characters, of everything that a failure shows or stores. */
const MAX_ERROR_LENGTH = 10_000;

/** Only what hangs is silent for so long, also on a busy machine. */
const MAX_BLOCKED_MS = 5_000;

/** Several times what a response may have. The memory of earlier meetings may still be there. */
const MAX_GROWN_BYTES = 1_000_000_000;

/** Of one response: what the node reads, and what fits into the buffers of a connection. */
const MAX_RESPONSE_BYTES = 250_000_000;

/** Four tries of what five hooks read, each of them twice. */
const MAX_READS = 40;

/** The most pages of a list, and some that are read again. */
const MAX_PAGES = 1_010;

/** How often a write is sent that was refused for sure: after pauses of 1, 2, 4 … 32 seconds. */
const MAX_TRIES = 7;

/** Words of programs, in a text for users. */
const INTERNALS =
	/undefined|NaN|Infinity|\[object|call stack|is not a function|Cannot read|is not iterable|Invalid time|Invalid (?:string|array) length/;

const isNodeError = (error: unknown): boolean =>
	error instanceof NodeOperationError || error instanceof NodeApiError;

const whole = (value: unknown): string =>
	inspect(value, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity });

/** The texts that a user reads. */
function getTexts({ thrown, shown, logged = [] }: MeetingOutcome): string[] {
	const failure = (thrown ?? shown) as { message?: unknown; description?: unknown } | undefined;
	const texts = failure ? [failure.message, failure.description ?? ''] : [];
	return [...logged, ...(failure ? [texts.map(String).join(' ')] : [])];
}

/** The texts of the checks that found something. */
const foundBy = (checks: Array<[isFound: boolean, text: string]>): string[] =>
	checks.filter(([isFound]) => isFound).map(([, text]) => text);

function textViolations(outcome: MeetingOutcome): string[] {
	const { thrown, shown, logged = [] } = outcome;
	const length = Math.max(...[thrown, shown, ...logged].map((each) => whole(each).length));
	const isOther = thrown !== undefined && !isNodeError(thrown);
	return [
		...foundBy([
			[whole(outcome).includes(ALICE), 'it shows the token'],
			[length > MAX_ERROR_LENGTH, `its failure has ${length} characters`],
			[isOther, `it threw what is no node error: ${whole(thrown).slice(0, 300)}`],
		]),
		...getTexts(outcome)
			.filter((text) => !/\w/.test(text) || INTERNALS.test(text))
			.map((text) => `it says no sentence: ${JSON.stringify(text.slice(0, 300))}`),
	];
}

/** How often the request was sent that was sent most often. */
function mostRepeated(requests: ReceivedRequest[]): number {
	const counts = new Map<string, number>();
	for (const { method, url, body } of requests) {
		const key = `${method} ${url} ${body}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return Math.max(0, ...counts.values());
}

function requestViolations(
	{ server: { requests, elsewhere, floodBytes } }: Meeting,
	{ refusesForSure, isEndlessList }: Behaviour,
	{ writes: mayWrite = 1, mayLeave }: Subject,
): string[] {
	const writes = requests.filter(({ method }) => method !== 'GET');
	const reads = requests.length - writes.length;
	const repeated = mostRepeated(writes);
	const left = elsewhere.filter(({ token }) => !mayLeave || token !== '').length;
	const mayRepeat = mayWrite * (refusesForSure ? MAX_TRIES : 1);
	const flooded = `${floodBytes / 1e6} MB of ${requests.length} responses`;
	return foundBy([
		[repeated > mayRepeat, `it sent a write ${repeated} times`],
		[reads > (isEndlessList ? MAX_PAGES : MAX_READS), `it read ${reads} times`],
		[left > 0, `it went to another host ${left} times`],
		[floodBytes > MAX_RESPONSE_BYTES * requests.length, `it read ${flooded}`],
	]);
}

function costViolations(
	{ outcome, blockedMs, grownBytes, unhandled }: Meeting,
	limitMs: number,
): string[] {
	return [
		...foundBy([
			[!outcome, `it did not end within ${limitMs / 1000} s`],
			[blockedMs > MAX_BLOCKED_MS, `it blocked n8n for ${Math.round(blockedMs)} ms`],
			[grownBytes > MAX_GROWN_BYTES, `it needed ${Math.round(grownBytes / 1e6)} MB`],
		]),
		...unhandled.map((reason) => `nobody handled a rejection: ${whole(reason).slice(0, 300)}`),
	];
}

/**
 * Lets each subject meet a hostile service. What is expected of all of them is here: it ends in time,
 * says a sentence without the token, sends a write once, reads so much and no more, stays with its
 * host, and leaves n8n time and memory.
 *
 * @returns what they did that they must not do
 */
export async function meet(
	behaviour: Behaviour,
	subjects: Subject[],
	service: Service,
): Promise<string[]> {
	const found: string[] = [];
	for (const subject of subjects) {
		const meeting = await observe(behaviour, subject, service);
		const violations = [
			...costViolations(meeting, getLimitMs(behaviour, subject)),
			...(meeting.outcome ? textViolations(meeting.outcome) : []),
			...requestViolations(meeting, behaviour, subject),
		];
		found.push(...violations.map((each) => `${subject.name}: ${each}`));
	}
	return found;
}
