import type { FastifyInstance } from 'fastify';

import { checkInput } from '../base/checkInput.mts';
import type { Snapshot } from '../store/snapshots.mts';
import { INVALID, readBody, type ControlDependencies } from './controlRequest.mts';
import { inputs } from './inputs.mts';
import { described } from './routeDescription.mts';
import { addSandboxEvent } from './sandboxEvents.mts';

const EXAMPLE = { name: 'before the campaign' };

interface Named {
	Params: { name: string };
}

/** Adds the routes of snapshots, which keep all data under a name. */
export function addSnapshotRoutes(
	app: FastifyInstance,
	{ engine, restore }: ControlDependencies,
): void {
	const list = () => ({ data: engine.snapshots().map(snapshotRecord) });

	app.get('/snapshots', described('Lists the snapshots, the newest first.'), list);
	app.post(
		'/snapshots',
		described('Keeps all data, the time and the random numbers under a name.', {
			body: inputs.snapshot,
			examples: [EXAMPLE],
		}),
		(request) => {
			const { name } = checkInput(inputs.snapshot, readBody(request), INVALID);
			const snapshot = snapshotRecord(engine.saveSnapshot(name));
			addSandboxEvent(engine, `The snapshot "${name}" was saved.`);
			return snapshot;
		},
	);
	app.post<Named>(
		'/snapshots/:name/restore',
		described('Goes back to a snapshot. Faults end.', {
			body: inputs.nothing,
			params: inputs.snapshot,
		}),
		async (request) => {
			checkInput(inputs.nothing, readBody(request), INVALID);
			await restore(request.params.name);
			const { clock } = engine;
			return { now: new Date(clock.now()).toISOString(), mode: clock.mode };
		},
	);
	const one = described('Deletes a snapshot.', { params: inputs.snapshot });
	app.delete<Named>('/snapshots/:name', one, ({ params }) => {
		engine.deleteSnapshot(params.name);
		return list();
	});
}

const snapshotRecord = ({ name, at }: Snapshot) => ({ name, at: new Date(at).toISOString() });
