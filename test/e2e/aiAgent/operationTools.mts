import assert from 'node:assert/strict';

import * as z from 'zod';

import type { Item } from '../../../host/api/execution.mts';
import { ACTION } from '../../../host/n8n/names.mts';
import type { OperationCase } from '../../support/n8n/operations.mts';
import type { E2eServers } from '../testEnvironment.mts';

/** These say which operation it is, and how a picker's value is entered: a model cannot fill them in. */
const FIXED = new Set(['resource', 'operation', '__rl', 'mode', 'cachedResultName']);

const nodeType = z.object({
	displayName: z.string(),
	properties: z.array(
		z.object({
			name: z.string(),
			displayOptions: z.object({ show: z.record(z.array(z.unknown())).optional() }).optional(),
			options: z.array(z.object({ value: z.unknown(), action: z.string().optional() })).optional(),
		}),
	),
});

/** An operation as a tool, of which the model fills in every field. */
export interface OperationTool {
	operation: OperationCase;
	/** the name that n8n's editor gives to its node */
	name: string;
	parameters: Item;
	/** what the model fills in */
	args: Item;
}

/**
 * Replaces each value by an expression for the model.
 *
 * @param args gets the values, by the names that the model sees
 */
function letModelFillIn(value: unknown, path: string[], args: Item): unknown {
	if (FIXED.has(path.at(-1) ?? '')) return value;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value);
		return Object.fromEntries(
			entries.map(([key, part]) => [key, letModelFillIn(part, [...path, key], args)]),
		);
	}
	const key = path.filter((part) => part !== 'value').join('_');
	args[key] = value;
	return `={{ $fromAI('${key}', 'The value of ${key}', '${typeof value}') }}`;
}

/** Makes tools with the names that n8n's editor gives: the operation's action, and the node. */
export async function operationTools(
	{ catalogue }: E2eServers,
	operations: OperationCase[],
): Promise<OperationTool[]> {
	const types = await catalogue.nodeTypes();
	const { displayName, properties } = nodeType.parse(types.find(({ name }) => name === ACTION));
	return operations.map((operation) => {
		const { parameters: given } = operation;
		const { options } =
			properties.find(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.[0] === given.resource,
			) ?? {};
		const action = options?.find(({ value }) => value === given.operation)?.action;
		assert.ok(action, `${operation.name} has no action.`);
		const args: Item = {};
		const parameters = letModelFillIn(given, [], args) as Item;
		return { operation, name: `${action} in ${displayName}`, parameters, args };
	});
}
