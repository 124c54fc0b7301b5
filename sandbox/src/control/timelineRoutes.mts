import { Readable } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import { ApiError } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { wait } from '../base/realTime.mts';
import { recordId } from '../domain/ownership.mts';
import { eventQuery } from '../store/eventTable.mts';
import { requestQuery } from '../store/requestTable.mts';
import { INVALID, type ControlDependencies } from './controlRequest.mts';
import { inputs } from './inputs.mts';
import { described, idOf } from './routeDescription.mts';

/** Serves what happened: the events, and the requests that caused them. */
export function addTimelineRoutes(app: FastifyInstance, parts: ControlDependencies): void {
	const { engine, journal, closing } = parts;
	const { events } = engine.state;

	app.get(
		'/events',
		described('Lists what happened, the newest first.', { query: eventQuery }),
		(request) => events.list(checkInput(eventQuery, request.query, INVALID)),
	);
	// A HEAD request would read the changes without end.
	const live = described('Sends an event after each change (server-sent events).');
	app.get('/live', { ...live, exposeHeadRoute: false }, (_request, reply) => {
		const disconnected = new AbortController();
		reply.raw.once('close', () => disconnected.abort());
		const ended = AbortSignal.any([closing, disconnected.signal]);
		return reply
			.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
			.send(Readable.from(liveChanges(parts, ended)));
	});
	const all = described('Lists the requests to the service, the oldest first.', {
		query: inputs.allRequests,
	});
	app.get('/requests', all, ({ query }) => {
		const { last, secrets } = checkInput(inputs.allRequests, query, INVALID);
		const { data, total } = journal.list({ limit: last }, secrets !== undefined);
		return { data: data.reverse(), total };
	});
	const listed = described('Lists the requests, the newest first.', {
		query: requestQuery,
	});
	app.get('/records/requests', listed, ({ query }) =>
		journal.list(checkInput(requestQuery, query, INVALID)),
	);
	const one = described('Gives a whole request to the service.', { params: idOf('request') });
	app.get<{ Params: { id: string } }>('/requests/:id', one, ({ params }) => {
		const request = journal.find(recordId(params.id));
		if (!request) throw new ApiError(404, `There is no request ${params.id}.`);
		return { ...request, events: events.causedBy(request.id) };
	});
}

/** At least so long between two changes, in real milliseconds. */
const PAUSE_MS = 250;

/** After so many pauses without a change, a comment shows that the connection is alive. */
const QUIET_PAUSES = 60;

/**
 * Server-sent events (HTML standard, section 9.2) that say that something has changed, but not what:
 * who reads slowly misses nothing.
 *
 * @param ended ends them
 */
async function* liveChanges(
	{ engine, journal }: ControlDependencies,
	ended: AbortSignal,
): AsyncGenerator<string> {
	const { events } = engine.state;
	let told = '';
	let quietPauses = 0;
	while (!ended.aborted) {
		const revision = `${events.revision} ${journal.revision}`;
		quietPauses += 1;
		if (revision !== told) {
			told = revision;
			quietPauses = 0;
			const now = new Date(engine.now()).toISOString();
			const change = { last_event: events.lastId, last_request: journal.lastId, now };
			yield `event: change\ndata: ${JSON.stringify(change)}\n\n`;
		} else if (quietPauses === QUIET_PAUSES) {
			quietPauses = 0;
			yield ': no change\n\n';
		}
		await wait(PAUSE_MS, ended);
	}
}
