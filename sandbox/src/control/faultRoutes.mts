import type { FastifyInstance } from 'fastify';
import * as z from 'zod';

import { ApiError } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { operations } from '../domain/operations.mts';
import { recordId } from '../domain/ownership.mts';
import { deliveryRule } from '../faults/deliveryFaults.mts';
import type { FaultRule } from '../faults/faults.mts';
import { FAULT_PRESETS } from '../faults/presets.mts';
import { requestFields, requireSense } from '../faults/requestFaults.mts';
import { INVALID, readBody, type ControlDependencies } from './controlRequest.mts';
import { described, idOf } from './routeDescription.mts';
import { addFaultEvent, addSandboxEvent, presetTitle } from './sandboxEvents.mts';

const operation = z
	.string()
	.min(1)
	.refine(
		(name) => Object.hasOwn(operations, name),
		(name) => ({
			message: `There is no operation ${name}. There are: ${Object.keys(operations).join(', ')}.`,
		}),
	)
	.optional();

const requestRule = requestFields.extend({ operation }).superRefine(requireSense);

const [firstPreset = '', ...otherPresets] = FAULT_PRESETS.map(({ name }) => name);
const presetInput = z
	.object({
		preset: z.enum([firstPreset, ...otherPresets]).describe('A name from GET /fault-presets.'),
	})
	.strict();

const EXAMPLES = [
	{ operation: 'createLead', status: 429, headers: { 'Retry-After': '1' }, times: 2 },
	{ target: 'deliveries', retry: ['PT1M', 'PT10M'] },
	{ preset: 'outage' },
];

/** Adds the routes of faults to the control API. */
export function addFaultRoutes(
	app: FastifyInstance,
	{ engine, faults }: ControlDependencies,
): void {
	const list = () => ({ data: faults.list(engine.now()) });

	app.get('/fault-presets', described('Lists what can go wrong, by name.'), () => ({
		data: FAULT_PRESETS,
	}));
	app.get('/faults', described('Lists the faults in force.'), list);
	const taken = z.union([presetInput, deliveryRule, requestFields]);
	const summary = 'Has something go wrong with the next requests or webhooks.';
	app.post('/faults', described(summary, { body: taken, examples: EXAMPLES }), (request) => {
		const input = readBody(request);
		const added = toRules(input).map((rule) => faults.add(rule, engine.now()));
		for (const fault of added) addFaultEvent(engine, fault);
		return isPreset(input) ? { data: added } : added[0];
	});
	app.delete('/faults', described('Turns off all faults.'), () => {
		faults.clear();
		addSandboxEvent(engine, 'All faults were turned off.');
		return list();
	});
	const one = described('Turns off a fault: a rule, or all rules of its preset.', {
		params: idOf('fault'),
	});
	app.delete<{ Params: { id: string } }>('/faults/:id', one, ({ params }) => {
		const id = recordId(params.id);
		const fault = list().data.find((one) => one.id === id);
		if (!fault) {
			throw new ApiError(404, `There is no fault ${params.id}. GET /faults lists those in force.`);
		}
		faults.remove(fault, engine.now());
		addSandboxEvent(engine, `${presetTitle(fault) ?? `Fault ${id}`} was turned off.`);
		return list();
	});
}

const isPreset = (input: unknown): boolean =>
	(input as { preset?: unknown } | null)?.preset !== undefined;

/** @throws ApiError when the input is neither a preset nor a rule */
function toRules(input: unknown): FaultRule[] {
	if (isPreset(input)) {
		const { preset } = checkInput(presetInput, input, INVALID);
		const { rules } = FAULT_PRESETS.find(({ name }) => name === preset) ?? { rules: [] };
		return rules.map((rule) => ({ ...rule, preset }));
	}
	const { target } = (input ?? {}) as { target?: unknown };
	return [checkInput(target === 'deliveries' ? deliveryRule : requestRule, input, INVALID)];
}
