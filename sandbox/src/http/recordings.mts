import type { FastifyInstance } from 'fastify';

import type { Engine } from '../domain/context.mts';
import { recording, recordingPath } from '../domain/call/recording.mts';

/** Serves the recordings of calls, without a token: the service stores them on another host. */
export function addRecordingRoutes(app: FastifyInstance, { state }: Pick<Engine, 'state'>): void {
	const file = recording();
	app.get<{ Params: { id: string } }>('/recordings/call-:id(^\\d+).wav', (request, reply) => {
		const call = state.calls.get(Number(request.params.id));
		if (call?.recording_url !== recordingPath(Number(request.params.id))) {
			reply.callNotFound();
			return reply;
		}
		return reply.headers({ 'content-type': 'audio/wav' }).send(file);
	});
}
