import type { FastifyInstance } from 'fastify';

import type { Assumptions } from '../contract/assumptions.mts';
import type { Engine } from '../domain/context.mts';
import { recording, recordingPath } from '../domain/call/recording.mts';

/** How long after its end the file of a call is there, in milliseconds (assumption: call-result-time). */
const fileTime = ({ 'call-result-time': lateness }: Assumptions): number => lateness?.to ?? 0;

/** Serves the recordings of calls, without a token: the service stores them on another host. */
export function addRecordingRoutes(app: FastifyInstance, engine: Engine): void {
	const { state } = engine;
	const file = recording();
	app.get('/recordings/voice-:id(^\\d+).wav', (_request, reply) =>
		reply.headers({ 'content-type': 'audio/wav' }).send(file),
	);
	app.get<{ Params: { id: string } }>('/recordings/call-:id(^\\d+).wav', (request, reply) => {
		const call = state.calls.get(Number(request.params.id));
		const isNamed = call?.recording_url === recordingPath(Number(request.params.id));
		if (!isNamed || engine.now() < call.updated_at + fileTime(engine.assumptions)) {
			reply.callNotFound();
			return reply;
		}
		return reply.headers({ 'content-type': 'audio/wav' }).send(file);
	});
}
