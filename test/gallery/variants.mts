import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { readExamplePages } from '../../host/n8n/examplePages.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { isObject } from '../../sandbox/test/support/contract.mts';
import { withNode, type Change } from './example.mts';

type Node = Workflow['nodes'][number];
type Connections = Record<string, { main?: Array<Array<{ node: string }> | null> }>;

/**
 * What the page of an example says to enter so that it does another task.
 *
 * @param title of the task
 * @returns the texts with an expression, in their order
 */
export function textsToEnter(slug: string, title: string): string[] {
	const page = readExamplePages().find((each) => each.slug === slug);
	const [section = ''] = page?.body.split(`**${title}**\n`)[1]?.split(/\n\*\*[^*\n]+\*\*\n/) ?? [];
	const texts = [...section.matchAll(/`([^`]*\{\{[^`]*)`/g)].map(([, text]) => `=${text}`);
	assert.notDeepEqual(texts, [], `The page of ${slug} has no expressions for "${title}".`);
	return texts;
}

const node = (name: string, type: string, typeVersion: number, others: object): Node => ({
	id: randomUUID(),
	name,
	type,
	typeVersion,
	position: [0, 0],
	...others,
});

/** A Data Table node that writes the row whose `key` has this value. */
export const rowNode = (
	name: string,
	operation: 'update' | 'upsert',
	table: string,
	[keyName, keyValue]: [name: string, value?: string],
	columns: Record<string, string | undefined>,
): Node =>
	node(name, 'n8n-nodes-base.dataTable', 1.1, {
		parameters: {
			resource: 'row',
			operation,
			dataTableId: { __rl: true, mode: 'name', value: table },
			matchType: 'allConditions',
			filters: { conditions: [{ keyName, condition: 'eq', keyValue }] },
			...toColumns(columns),
		},
	});

/** The columns that a Data Table node writes. */
export const toColumns = (value: Record<string, string | undefined>) => ({
	columns: {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: Object.keys(value).map((id) => ({ id, displayName: id, display: true })),
	},
});

/** Makes an expression a condition that is true. */
export const isTrue = (leftValue?: string) => ({
	id: randomUUID(),
	leftValue,
	rightValue: '',
	operator: { type: 'boolean', operation: 'true', singleValue: true },
});

/** Gives *If* or *Filter* other conditions. */
export const withConditions = (
	name: string,
	change: (conditions: unknown[]) => unknown[],
): Change =>
	withNode(name, ({ parameters = {} }) => {
		const { conditions } = parameters;
		assert.ok(isObject(conditions) && Array.isArray(conditions.conditions));
		const changed = { ...conditions, conditions: change(conditions.conditions) };
		return { parameters: { ...parameters, conditions: changed } };
	});

const mapConnections = (workflow: Workflow, map: (to: string) => string[]): Connections =>
	Object.fromEntries(
		Object.entries(workflow.connections as Connections).map(([from, { main = [] }]) => [
			from,
			{ main: main.map((output) => (output ?? []).flatMap(({ node: to }) => map(to).map(link))) },
		]),
	);

const link = (to: string) => ({ node: to, type: 'main', index: 0 });

/** Deletes nodes. What led to them leads to another node, if one is given. */
export const withoutNodes =
	(names: string[], next?: string): Change =>
	(workflow) => {
		const kept = mapConnections(workflow, (to) =>
			names.includes(to) ? [next ?? []].flat() : [to],
		);
		const connections = Object.fromEntries(
			Object.entries(kept).filter(([from]) => !names.includes(from)),
		);
		const nodes = workflow.nodes.filter(({ name }) => !names.includes(name));
		return { ...workflow, nodes, connections };
	};

/** Adds a node behind the first output of another one. */
export const withBehind =
	(added: Node, after: string): Change =>
	(workflow) => {
		const connections = mapConnections(workflow, (to) => [to]);
		const [first = [], ...others] = connections[after]?.main ?? [];
		return {
			...workflow,
			nodes: [...workflow.nodes, added],
			connections: {
				...connections,
				[after]: { main: [[...(first ?? []), link(added.name)], ...others] },
			},
		};
	};
