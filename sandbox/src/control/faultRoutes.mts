import type { FastifyInstance } from 'fastify';

import { ApiError } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { recordId } from '../domain/ownership.mts';
import type { FaultRule, Faults } from '../faults/faults.mts';
import { FAULT_PRESETS } from '../faults/presets.mts';
import type { SandboxEngine } from '../runtime/engine.mts';
import { bodyOf, INVALID } from './controlRequest.mts';
import { faultInputs } from './faultInputs.mts';
import { addFaultEvent, addSandboxEvent } from './sandboxEvents.mts';

/** What the routes of faults work with. */
interface FaultDependencies {
	engine: SandboxEngine;
	faults: Faults;
}

/** Adds the routes of faults to the control API. */
export function addFaultRoutes(app: FastifyInstance, { engine, faults }: FaultDependencies): void {
	const list = () => ({ data: faults.list(engine.now()) });

	app.get('/fault-presets', () => ({ data: FAULT_PRESETS }));
	app.get('/faults', list);
	app.post('/faults', (request) => {
		const input = bodyOf(request);
		const added = rulesOf(input).map((rule) => faults.add(rule, engine.now()));
		for (const fault of added) addFaultEvent(engine, fault);
		return isPreset(input) ? { data: added } : added[0];
	});
	app.delete('/faults', () => {
		faults.clear();
		addSandboxEvent(engine, 'All faults were removed.');
		return list();
	});
	app.delete<{ Params: { id: string } }>('/faults/:id', ({ params }) => {
		const id = recordId(params.id);
		if (!list().data.some((fault) => fault.id === id)) {
			throw new ApiError(404, `There is no fault ${params.id}. GET /faults lists those in force.`);
		}
		faults.remove(id);
		addSandboxEvent(engine, `Fault ${id} was removed.`);
		return list();
	});
}

const isPreset = (input: unknown): boolean =>
	(input as { preset?: unknown } | null)?.preset !== undefined;

/** @throws ApiError when the input is neither a preset nor a rule */
function rulesOf(input: unknown): FaultRule[] {
	if (isPreset(input)) {
		const { preset } = checkInput(faultInputs.preset, input, INVALID);
		const { rules } = FAULT_PRESETS.find(({ name }) => name === preset) ?? { rules: [] };
		return rules.map((rule) => ({ ...rule, preset }));
	}
	const { target } = (input ?? {}) as { target?: unknown };
	return [
		target === 'deliveries'
			? checkInput(faultInputs.deliveryRule, input, INVALID)
			: checkInput(faultInputs.requestRule, input, INVALID),
	];
}
