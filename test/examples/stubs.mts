import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';
import { z } from 'zod';

/** The part of Edit Fields (Set) that the examples use: it outputs texts by name, and nothing else. */
const assignmentsOf = z.object({
	assignments: z.array(
		z.object({
			id: z.string(),
			name: z.string(),
			value: z.coerce.string(),
			type: z.literal('string'),
		}),
	),
});

const stub = (
	name: string,
	outputs: 1 | 2,
	properties: INodeProperties[],
	execute: (this: IExecuteFunctions) => INodeExecutionData[][],
): INodeType => ({
	description: {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: 'Stands in for the node of n8n',
		defaults: { name },
		inputs: ['main'],
		outputs: Array.from({ length: outputs }, () => 'main' as const),
		properties,
	},
	execute() {
		return Promise.resolve(execute.call(this));
	},
});

const set = stub(
	'set',
	1,
	[
		{
			displayName: 'Fields to Set',
			name: 'assignments',
			type: 'assignmentCollection',
			default: {},
		},
		{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
	],
	function () {
		const items = this.getInputData().map((_, item) => {
			const { assignments } = assignmentsOf.parse(this.getNodeParameter('assignments', item));
			return {
				json: Object.fromEntries(assignments.map(({ name, value }) => [name, value])),
				pairedItem: { item },
			};
		});
		return [items];
	},
);

const branch = stub(
	'if',
	2,
	[
		{ displayName: 'Conditions', name: 'conditions', type: 'filter', default: {} },
		{
			displayName: 'Convert Types Where Required',
			name: 'looseTypeValidation',
			type: 'boolean',
			default: false,
		},
		{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
	],
	function () {
		const items = this.getInputData();
		const holds = (item: number) =>
			this.getNodeParameter('conditions', item, false, { extractValue: true }) === true;
		return [items.filter((_, item) => holds(item)), items.filter((_, item) => !holds(item))];
	},
);

const field = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

/**
 * The part of Remove Duplicates that the examples use: it passes each value of a field once, also across
 * executions.
 *
 * @param seen the values that have passed
 */
export const removeDuplicates = (seen: Set<string>): INodeType =>
	stub(
		'removeDuplicates',
		1,
		[
			field('operation'),
			field('logic'),
			field('dedupeValue'),
			{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
		],
		function () {
			const isNew = (item: number) => {
				const value = JSON.stringify(this.getNodeParameter('dedupeValue', item));
				const { size } = seen;
				return seen.add(value).size > size;
			};
			return [this.getInputData().filter((_, item) => isNew(item))];
		},
	);

/**
 * The part of Wait that the examples use: it goes on when somebody submits its form, or when the time is over.
 *
 * @param submitted gives what was entered; undefined when nobody submitted the form in time
 */
export const wait = (submitted: () => IDataObject | undefined): INodeType =>
	stub(
		'wait',
		1,
		[
			field('resume'),
			field('formTitle'),
			field('formDescription'),
			{ displayName: 'Form Elements', name: 'formFields', type: 'json', default: {} },
			{ displayName: 'Limit Wait Time', name: 'limitWaitTime', type: 'boolean', default: false },
			field('limitType'),
			{ displayName: 'Amount', name: 'resumeAmount', type: 'number', default: 1 },
			field('resumeUnit'),
			{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
		],
		function () {
			const answer = submitted();
			return [answer === undefined ? this.getInputData() : [{ json: answer }]];
		},
	);

/**
 * Stubs of n8n's own nodes in the examples, which are not installed for the tests. n8n's engine evaluates
 * the stubs' parameters, expressions and conditions (`assignmentCollection`, `filter`) as for the real
 * nodes.
 */
export const STUBS: Record<string, INodeType> = {
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.if': branch,
};
