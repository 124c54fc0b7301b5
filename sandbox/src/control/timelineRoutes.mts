import { Readable } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import { ApiError } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import type { Engine } from '../domain/context.mts';
import { recordId } from '../domain/ownership.mts';
import type { Journal } from '../http/journal.mts';
import { INVALID } from './controlRequest.mts';
import { inputs } from './inputs.mts';
import { liveChanges } from './liveChanges.mts';

interface TimelineDependencies {
	engine: Engine;
	journal: Journal;
	/** Aborts when the sandbox closes. */
	closing: AbortSignal;
}

/** Serves what happened: the events, and the requests that caused them. */
export function addTimelineRoutes(
	app: FastifyInstance,
	{ engine, journal, closing }: TimelineDependencies,
): void {
	const { events } = engine.state;

	app.get('/events', ({ query }) => events.list(checkInput(inputs.events, query, INVALID)));
	// A HEAD request would read the changes without end.
	app.get('/live', { exposeHeadRoute: false }, (_request, reply) => {
		const disconnected = new AbortController();
		reply.raw.once('close', () => disconnected.abort());
		const ended = AbortSignal.any([closing, disconnected.signal]);
		return reply
			.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
			.send(Readable.from(liveChanges({ engine, journal }, ended)));
	});
	app.get('/requests', ({ query }) => {
		const { last, secrets } = checkInput(inputs.allRequests, query, INVALID);
		return { data: journal.newest(last, secrets !== undefined), total: journal.total };
	});
	app.get('/records/requests', ({ query }) =>
		journal.list(checkInput(inputs.requests, query, INVALID)),
	);
	app.get<{ Params: { id: string } }>('/requests/:id', ({ params }) => {
		const request = journal.find(recordId(params.id));
		if (!request) throw new ApiError(404, `There is no request ${params.id}.`);
		return { ...request, events: events.idsOfRequest(request.id) };
	});
}
