import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import {
	ACTION,
	CREDENTIAL_TYPE,
	MID_CALL_TOOL_TRIGGER,
	PACKAGE,
	POLL_TRIGGER,
	TRIGGER,
} from '../../host/n8n/names.mts';
import { n8nWith } from '../support/n8n/n8n.mts';
import { filesMatching } from '../support/package.mts';
import { exampleFiles, nodeOf, parseExample, readExample } from './example.mts';
import { strayParameters } from './strayParameters.mts';

/**
 * Rules for every file of examples/. A test file of the same name runs each example, here (see
 * testEnvironment.mts) or in test/gallery.
 */
const n8n = n8nWith({ baseUrl: '', apiToken: '' });

/** The packages of nodes that n8n brings along. */
const OF_N8N = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./;

const isOurs = ({ type }: { type: string }) => type.startsWith(`${PACKAGE}.`);

/** Every display name of a field. */
const displayNames = (field: INodeProperties): string[] => [
	field.displayName,
	...(field.options ?? []).flatMap((option) => ('type' in option ? displayNames(option) : [])),
];

describe.each(exampleFiles)('%s', (file) => {
	const example = readExample(file);
	const { nodes, connections } = example;
	const names = nodes.map(({ name }) => name);

	it('connects nodes that it has', () => {
		const ends = Object.values(connections).flatMap((outputs) => Object.values(outputs).flat(2));
		const connected = [...Object.keys(connections), ...ends.map(({ node }) => node)];
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		expect(names).toEqual(expect.arrayContaining(connected));
	});

	it('has one Manual Trigger at most, because n8n drops the second one at an import', () => {
		const manual = nodes.filter(({ type }) => type === 'n8n-nodes-base.manualTrigger');
		expect(manual.length).toBeLessThanOrEqual(1);
	});

	it('uses nodes of this package and those that every n8n has', () => {
		expect(nodes.filter(isOurs)).not.toEqual([]);
		const others = nodes.filter((node) => !isOurs(node)).map(({ type }) => type);
		expect(others.filter((type) => !OF_N8N.test(type))).toEqual([]);
		for (const { type, typeVersion, credentials } of nodes.filter(isOurs)) {
			const { version } = n8n.nodeType(type).description;
			expect([version].flat()).toContain(typeVersion);
			expect(Object.keys(credentials ?? {})).toEqual([CREDENTIAL_TYPE]);
		}
	});

	it('sets parameters that the nodes have, and all that they require', () => {
		for (const node of nodes.filter(isOurs)) {
			const { description } = n8n.nodeType(node.type);
			expect([node.name, strayParameters(node, description)]).toEqual([node.name, []]);
			const missing = NodeHelpers.getNodeParametersIssues(
				description.properties,
				node,
				description,
			);
			expect([node.name, missing]).toEqual([node.name, null]);
		}
	});

	it('tells of nodes and fields that there are, where it names them', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const text = notes
			.map(({ parameters: { content } }) => (typeof content === 'string' ? content : ''))
			.join('\n');
		const named = [...text.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, name]) => name);
		const fields = [ACTION, TRIGGER, POLL_TRIGGER, MID_CALL_TOOL_TRIGGER].flatMap((type) =>
			n8n.nodeType(type).description.properties.flatMap(displayNames),
		);
		expect(named).not.toEqual([]);
		expect([...names, ...fields]).toEqual(expect.arrayContaining(named));
	});

	it('has its part of the gallery, and is run', () => {
		const slug = basename(file, '.json');
		const inRealN8n = slug.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
		const tests = [`test/examples/${slug}.test.mts`, `test/gallery/${inRealN8n}.mts`];
		expect(filesMatching(...tests)).toHaveLength(1);
		expect(filesMatching(`examples/${slug}.md`)).toHaveLength(1);
	});
});

/** The Data Tables that the examples create. */
const tableNames = new Set(
	exampleFiles
		.flatMap((file) => readExample(file).nodes)
		.map(({ parameters }) => parameters.tableName)
		.filter((name) => typeof name === 'string'),
);

it.each([...tableNames])('the table "%s" is not found under a part of its name', (name) => {
	// By Name finds a part of a name, in either case (n8n 2.41).
	const parts = [...tableNames].filter(
		(other) => other !== name && name.toLowerCase().includes(other.toLowerCase()),
	);
	expect(parts).toEqual([]);
});

describe('a parameter that a node does not have', () => {
	const example = readExample('add-lead-and-start-campaign.json');
	const { description } = n8n.nodeType(ACTION);
	const lead = nodeOf(example, ACTION);

	it.each([
		['at the top', { listId: '1' }, 'parameters.listId'],
		['of another operation', { leadId: '1' }, 'parameters.leadId'],
		[
			'in a collection',
			{ additionalFields: { fullName: 'A' } },
			'parameters.additionalFields.fullName',
		],
		[
			'in a list',
			{ variables: { variable: [{ key: 'a', value: 'b' }] } },
			'parameters.variables.variable[].key',
		],
	])('is named %s', (_, stray, path) => {
		const parameters = { ...lead.parameters, ...stray };
		expect(strayParameters({ ...lead, parameters }, description)).toContain(path);
	});
});

describe('what belongs to one installation', () => {
	const { nodes, ...rest } = readExample('thank-by-sms-when-call-completes.json');

	it.each([
		['webhookId', { webhookId: '9f2b6c10-0000-4000-8000-000000000001' }],
		['id', { credentials: { [CREDENTIAL_TYPE]: { id: '7', name: 'Mine' } } }],
	])('has no place in an example: %s', (key, own) => {
		const mine = nodes.map(({ credentials, ...node }) =>
			credentials ? { ...node, ...own } : node,
		);
		expect(() => parseExample(JSON.stringify({ ...rest, nodes: mine }))).toThrow(
			`Unrecognized key(s) in object: '${key}'`,
		);
	});
});
