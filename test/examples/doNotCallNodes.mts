import { z } from 'zod';
import type { ExampleNode } from './example.mts';

/** What the nodes around Do not call have in every example, but for where the person's number is. */

/** The last eight digits of a number. NUMBER is where it is. */
const LAST_DIGITS = String.raw`String(NUMBER ?? '').replace(/\D/g, '').slice(-8)`;
/** Those of all rows that NODE has read. */
const LISTED = `$('NODE').all().map(({ json }) => ${LAST_DIGITS.replace('NUMBER', 'json.phone_number')}).filter(Boolean)`;

const READ = 'Read Do not call';
const DIGITS = 'Last digits of Do not call';
/** *before the call* can follow, where an example has two of them. */
const LOOK = /^Look in Do not call( before the \w+)?$/;

/** An expression with any number, and any node that looks for one. */
const expression = (template: string) => {
	const escaped = `={{ ${template} }}`.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
	const node = LOOK.source.slice(1, -1);
	return z
		.string()
		.regex(new RegExp(`^${escaped.replace('NUMBER', '.+?').replace('NODE', node)}$`));
};

const rowsOfDoNotCall = {
	resource: z.literal('row'),
	operation: z.literal('get'),
	dataTableId: z.object({ value: z.literal('Do not call') }),
	returnAll: z.literal(true),
};

const read = z.object({
	name: z.literal(READ),
	alwaysOutputData: z.literal(true),
	parameters: z.object({ ...rowsOfDoNotCall, filters: z.undefined() }),
});

const digits = z.object({
	name: z.literal(DIGITS),
	executeOnce: z.literal(true),
	parameters: z.object({
		assignments: z.object({
			assignments: z.tuple([
				z.object({
					value: z.literal(`={{ ['', ...${LISTED.replace('NODE', READ)}, ''].join('|') }}`),
				}),
			]),
		}),
	}),
});

const look = z.object({
	name: z.string().regex(LOOK),
	alwaysOutputData: z.literal(true),
	parameters: z.object({
		...rowsOfDoNotCall,
		filters: z.object({
			conditions: z.tuple([
				z.object({
					keyName: z.literal('phone_number'),
					condition: z.literal('like'),
					keyValue: expression(`'%' + ${LAST_DIGITS}.split('').join('%') + '%'`),
				}),
			]),
		}),
	}),
});

const isFalse = (leftValue: z.ZodString) =>
	z.object({
		conditions: z.object({
			conditions: z.tuple([
				z.object({
					leftValue,
					operator: z.object({ type: z.literal('boolean'), operation: z.literal('false') }),
				}),
			]),
		}),
	});

const ifOrFilter = z.enum(['n8n-nodes-base.if', 'n8n-nodes-base.filter']);

const checkOfMany = z.object({
	type: ifOrFilter,
	parameters: isFalse(
		expression(`$('${DIGITS}').first().json.digits.includes('|' + ${LAST_DIGITS} + '|')`),
	),
});

const checkOfOne = z.object({
	type: ifOrFilter,
	executeOnce: z.literal(true),
	parameters: isFalse(expression(`${LISTED}.includes(${LAST_DIGITS})`)),
});

const fits = (schema: z.ZodTypeAny) => (node: ExampleNode) => schema.safeParse(node).success;

/**
 * Whether the first output of a node passes on only people who are not in Do not call.
 *
 * @param before all nodes from which an item reaches this one
 */
export function leavesOutWhoWantsNoCalls(node: ExampleNode, before: ExampleNode[]): boolean {
	return (
		(fits(checkOfMany)(node) && before.some(fits(read)) && before.some(fits(digits))) ||
		(fits(checkOfOne)(node) && before.some(fits(look)))
	);
}
