import fc from 'fast-check';
import { isObject } from '../support/contract.mts';
import { ALICE } from '../support/seed.mts';
import type { Service } from '../support/service.mts';
import { Connection, type WireRequest } from './connection.mts';
import { requestText, type FuzzRequest, type RequestKind } from './fuzzRequest.mts';
import { getKind, KnownRecords } from './recordId.mts';
import { replyViolations } from './replyViolations.mts';
import { fuzzRequests } from './requests.mts';

/** Each sequence of requests begins with a new sandbox. */
const MAX_SEQUENCE = 100;
/** Sequences between two looks at how many requests were sent. */
const SEQUENCES_A_ROUND = 4;

/** How much of path, headers and body a failure shows. */
const LOGGED_CHARACTERS = 1000;

/** How many requests were answered, by operation: `valid 2xx`, `hostile 4xx`. */
export type Counts = Map<string, Map<string, number>>;

export interface FuzzResult {
	requests: number;
	counts: Counts;
	/** The smallest requests that break a rule, with the last response; undefined when none does. */
	failure: string | undefined;
}

/** A request, or an ISO 8601 duration by which the clock moves, so that calls happen. */
type Step = FuzzRequest | string;

/**
 * Sends random requests to a sandbox until one gets a response that breaks a rule, or as many were sent
 * as asked for.
 *
 * @param seed the same seed sends the same requests
 * @param onProgress is told how many were sent so far
 */
export async function fuzz(
	service: Service,
	{ requests, seed }: { requests: number; seed: number },
	onProgress: (sent: number) => void = () => undefined,
): Promise<FuzzResult> {
	const counts: Counts = new Map();
	using connection = new Connection(service.url);
	let sent = 0;
	let failure: string | undefined;

	const play = async (steps: readonly Step[]): Promise<void> => {
		await service.reset();
		const known = new KnownRecords();
		const log: string[] = [];
		for (const step of steps) {
			if (typeof step === 'string') {
				await service.control.advance(step);
				log.push(`the clock moves by ${step}`);
				continue;
			}
			const request = toWire(step, known);
			log.push(describe(request));
			const response = await connection.send(request).catch((error: unknown) => {
				throw new Error(`${log.join('\n')}\n  no response: ${String(error)}`);
			});
			sent += 1;
			count(counts, step, response.status);
			const violations = replyViolations(step, request, response);
			if (violations.length > 0) {
				const answer = `${response.status} ${response.text.slice(0, 1000)}`;
				throw new Error(`${log.join('\n')}\n  → ${answer}\n  ${violations.join('; ')}`);
			}
			addCreated(known, step, response.status, response.text);
		}
	};

	const steps = fc.array(
		fc.oneof(
			{ weight: 40, arbitrary: fuzzRequests() },
			{ weight: 1, arbitrary: fc.constantFrom('PT5S', 'PT1M', 'PT20M') },
		),
		{ minLength: 1, maxLength: MAX_SEQUENCE, size: 'max' },
	);
	const property = fc.asyncProperty(steps, play);
	for (let round = 0; sent < requests && failure === undefined; round++) {
		onProgress(sent);
		const details = await fc.check(property, { seed: seed + round, numRuns: SEQUENCES_A_ROUND });
		if (details.failed) failure = getMessage(details.errorInstance);
	}
	return { requests: sent, counts, failure };
}

function toWire(request: FuzzRequest, known: KnownRecords): WireRequest {
	const target = request.path.replace('{id}', () => known.fillIn(request.id));
	const path = target + (request.query === '' ? '' : `?${request.query}`);
	const text = requestText(request, known);
	const body = request.bytes ?? (text === undefined ? undefined : Buffer.from(text));
	return { method: request.method, path, headers: request.headers, body };
}

const describe = ({ method, path, headers, body }: WireRequest): string =>
	[`${method} ${path}`, JSON.stringify(headers), ...(body === undefined ? [] : [body.toString()])]
		.map((part) =>
			part.length > LOGGED_CHARACTERS ? `${part.slice(0, LOGGED_CHARACTERS)}…` : part,
		)
		.join(' ');

function count(counts: Counts, { kind, operation }: FuzzRequest, status: number): void {
	const ofOperation = counts.get(operation.operationId) ?? new Map<string, number>();
	counts.set(operation.operationId, ofOperation);
	const name = `${kind} ${Math.floor(status / 100)}xx`;
	ofOperation.set(name, (ofOperation.get(name) ?? 0) + 1);
}

/** How many requests of this kind to an operation got a 2xx. */
export const accepted = (counts: Counts, operationId: string, kind: RequestKind): number =>
	counts.get(operationId)?.get(`${kind} 2xx`) ?? 0;

function addCreated(
	known: KnownRecords,
	{ operation, headers }: FuzzRequest,
	status: number,
	text: string,
): void {
	const { operationId, definition } = operation;
	const kind = operationId.startsWith('create') ? getKind(definition) : undefined;
	const isAlice = headers.authorization === `Bearer ${ALICE}`;
	if (kind === undefined || !isAlice || status >= 300 || text === '') return;
	const body: unknown = JSON.parse(text);
	const data = isObject(body) ? body.data : undefined;
	// Hostile requests can reach another operation.
	if (isObject(data) && typeof data.id === 'number') known.add(kind, data.id);
}

const getMessage = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);
