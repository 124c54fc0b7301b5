import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../support/package.mts';
import { readExample } from './example.mts';

/** What the workflow knows of the contract and the assumptions stands in one of its nodes. */
const { parameters } = z
	.object({ parameters: z.object({ jsonOutput: z.string() }) })
	.parse(readExample('check-my-account.json').nodes.find(({ name }) => name === 'What is assumed'));
const question = z
	.object({
		assumption: z.string(),
		question: z.string(),
		expected: z.string(),
		ifItDiffers: z.string(),
		needs: z.string(),
	})
	.strict();
const assumed = z
	.object({
		questions: z.array(question),
		fields: z.record(z.record(z.string())),
		callStatuses: z.array(z.string()),
	})
	.parse(JSON.parse(parameters.jsonOutput));

const readContract = (file: string): unknown =>
	parse(readFileSync(join(root, 'contract', file), 'utf8'));

type Schema = z.infer<typeof schema>;
const schema = z.object({
	$ref: z.string().optional(),
	type: z.union([z.string(), z.array(z.string())]).optional(),
	enum: z.array(z.unknown()).optional(),
	required: z.array(z.string()).optional(),
	properties: z.record(z.unknown()).optional(),
});
const { schemas } = z
	.object({ components: z.object({ schemas: z.record(z.unknown()) }) })
	.parse(readContract('openapi.yaml')).components;
const getSchema = (name: string): Schema => schema.parse(schemas[name]);

/** Types that the workflow tells from other texts. */
const NAMED_TYPES: Record<string, string> = { DecimalString: 'decimal', Timestamp: 'time' };

/** A type as the workflow writes it: an object with the user's own keys is a `map`. */
function typeOf({ $ref: reference, type = [], properties }: Schema): string {
	const name = reference?.split('/').at(-1);
	if (name !== undefined) return NAMED_TYPES[name] ?? typeOf(getSchema(name));
	const types = [type].flat();
	return types.includes('object') && properties === undefined ? 'map' : types.join('|');
}

/** The fields of a record by their types. A question mark is behind those that may be absent. */
function fieldsOf(name: string): Record<string, string> {
	const { properties = {}, required = [] } = getSchema(name);
	return Object.fromEntries(
		Object.entries(properties).map(([field, value]) => [
			field,
			typeOf(schema.parse(value)) + (required.includes(field) ? '' : '?'),
		]),
	);
}

describe('Check my account', () => {
	it('knows the fields and statuses of the contract', () => {
		expect(assumed.fields).toEqual({
			call: fieldsOf('Call'),
			assistant: fieldsOf('Assistant'),
			tool: fieldsOf('Tool'),
			// See the assumption list-campaigns-path.
			campaign: { ...fieldsOf('Campaign'), status: 'string?' },
			page: fieldsOf('PageEnvelope'),
		});
		expect(assumed.callStatuses).toEqual(getSchema('CallStatus').enum);
	});
});
