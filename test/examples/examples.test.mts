import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { parse } from 'yaml';
import { z } from 'zod';
import { noteText } from '../../host/api/workflow.mts';
import { readExamplePages } from '../../host/n8n/examplePages.mts';
import {
	ACTION,
	CREDENTIAL_TYPE,
	MID_CALL_TOOL_TRIGGER,
	PACKAGE,
	POLL_TRIGGER,
	TRIGGER,
} from '../../host/n8n/names.mts';
import { toAnchor } from '../../scripts/generate/markdown.mts';
import { n8nWith } from '../support/n8n/n8n.mts';
import { filesMatching, root } from '../support/package.mts';
import { reachesSomebody, reachesWhoWantsNoCalls } from './doNotCallNodes.mts';
import { exampleFiles, readExample, type Example, type ExampleNode } from './example.mts';
import { strayParameters } from './strayParameters.mts';

/** Rules for every file of examples/. `npm run test:gallery` runs each of them in a real n8n. */
const n8n = n8nWith({ baseUrl: '', apiToken: '' });

/** The packages of nodes that n8n brings along. */
const OF_N8N = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./;

const isOurs = ({ type }: { type: string }) => type.startsWith(`${PACKAGE}.`);

/** Every display name of a field. */
const displayNames = (field: INodeProperties): string[] => [
	field.displayName,
	...(field.options ?? []).flatMap((option) => ('type' in option ? displayNames(option) : [])),
];

const exampleNames = exampleFiles.map((file) => readExample(file).name);

/** The editor moves what is beside its grid (n8n 2.41). */
const GRID = 16;
/** Between notes, and between them and the nodes. */
const NOTE_GAP = 32;
/** Where the editor places the next node, and its size with its name and what it does below it. */
const NODE_DISTANCE = 224;
const NODE_WIDTH = 100;
const NODE_HEIGHT = 150;
/** The line and the plus that n8n 2.41 draws behind an output that leads nowhere, once it has items. */
const STUB = 80 + 24;
const noteSize = z.object({ width: z.number(), height: z.number() });
/** What n8n opens at 0.75 of its size in a window of 1360 × 850: notes can be read without zooming. */
const SCREEN = { width: 1456, height: 886 };

interface Box {
	name: string;
	x: number;
	y: number;
	right: number;
	bottom: number;
}

/** Where a node or a note is on the canvas. */
function boxOf(node: ExampleNode): Box {
	const { name, position, parameters } = node;
	const [x, y] = position;
	const isNote = noteText(node) !== undefined;
	const size = isNote ? noteSize.parse(parameters) : { width: NODE_WIDTH, height: NODE_HEIGHT };
	return { name, x, y, right: x + size.width, bottom: y + size.height };
}

const overlap = (a: Box, b: Box): boolean =>
	a.x < b.right && a.right > b.x && a.y < b.bottom && a.bottom > b.y;

const switchRules = z.object({ rules: z.object({ values: z.array(z.unknown()) }) });

/** How many outputs a node has on the canvas. A model or a tool has none of this kind. */
function countOutputs({ connections }: Example, { name, type, ...node }: ExampleNode): number {
	const [, kind = ''] = type.split('.');
	const isPartOfAgent = Object.keys(connections[name] ?? {}).some((to) => to.startsWith('ai_'));
	if (isPartOfAgent || ['stickyNote', 'stopAndError', 'mcpTrigger'].includes(kind)) return 0;
	const ofErrors = node.onError === 'continueErrorOutput' ? 1 : 0;
	if (kind === 'if') return 2 + ofErrors;
	if (kind === 'switch') return switchRules.parse(node.parameters).rules.values.length + ofErrors;
	return 1 + ofErrors;
}

/** The colours of n8n 2.41 for notes: replace this, set up, and everything else (examples/README.md). */
const NOTE_COLOURS = { green: 4, blue: 5, grey: 7 };
/** As many as can be read where n8n opens a workflow. */
const NOTE_WORDS = 65;
const countWords = (text: string): number =>
	text.replaceAll(/\]\([^)]*\)/g, ']').split(/\s+/).length;

/** The texts of all notes on the canvas. */
const getNotes = ({ nodes }: Example): string =>
	nodes.map((node) => noteText(node) ?? '').join('\n');

const gallerySeed = z
	.object({
		users: z
			.tuple([
				z.object({
					assistants: z.array(z.object({ id: z.number(), assistant_name: z.string() })),
					campaigns: z.array(z.object({ id: z.number(), name: z.string() })),
				}),
			])
			.rest(z.unknown()),
	})
	.parse(parse(readFileSync(join(root, 'sandbox/seeds/gallery.yaml'), 'utf8'), { merge: true }))
	.users[0];

/** What the sandbox of `npm start` calls its assistants and campaigns, as notes write it. */
const namesInSandbox = [
	...gallerySeed.assistants.map(({ id, assistant_name: name }) => `${name} (assistant ${id})`),
	...gallerySeed.campaigns.map(({ id, name }) => `${name} (campaign ${id})`),
];

const GALLERY = z
	.object({ homepage: z.string() })
	.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
	.homepage.replace('#readme', '/blob/main/docs/gallery.md');

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
		for (const { type, typeVersion, credentials, parameters } of nodes.filter(isOurs)) {
			const { version } = n8n.nodeType(type).description;
			expect([version].flat()).toContain(typeVersion);
			const needed = parameters.operation === 'respond' ? [] : [CREDENTIAL_TYPE];
			expect(Object.keys(credentials ?? {})).toEqual(needed);
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
		const named = [...getNotes(example).matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(
			([, name]) => name,
		);
		const fields = [ACTION, TRIGGER, POLL_TRIGGER, MID_CALL_TOOL_TRIGGER].flatMap((type) =>
			n8n.nodeType(type).description.properties.flatMap(displayNames),
		);
		expect(named).not.toEqual([]);
		expect([...names, ...fields, ...exampleNames]).toEqual(expect.arrayContaining(named));
	});

	it('has no note where n8n places the node that a user adds after a last one', () => {
		const isLast = ({ name }: ExampleNode) =>
			!Object.values(example.connections[name] ?? {}).some((outputs) => outputs.flat().length > 0);
		const added = nodes
			.filter((node) => noteText(node) === undefined && isLast(node))
			.map(({ position: [x, y], ...node }) => boxOf({ ...node, position: [x + NODE_DISTANCE, y] }));
		const notes = nodes.filter((node) => noteText(node) !== undefined).map(boxOf);
		const covering = added.filter((box) => notes.some((note) => overlap(box, note)));
		expect(covering.map(({ name }) => name)).toEqual([]);
	});

	it('says in one sentence how to try it in the sandbox, and leads to its part of the gallery', () => {
		const [, sentence] = /^\*\*Try it in the sandbox:\*\* (.+)$/m.exec(getNotes(example)) ?? [];
		expect(sentence).toMatch(/^[a-z].{20,250}\.\)?$/);
		const page = readExamplePages().find(({ slug }) => `${slug}.json` === file);
		expect(getNotes(example)).toContain(`(${GALLERY}#${toAnchor(page?.title ?? '')})`);
	});

	it('calls assistants and campaigns by what they are for, and by those that it uses', () => {
		const page = readFileSync(join(root, 'examples', file.replace('.json', '.md')), 'utf8');
		const text = `${getNotes(example)}\n${page}`;
		const numbers = text.match(/\b(?:assistant|campaign) \d+/gi) ?? [];
		const named = namesInSandbox.filter((name) => text.includes(name));
		const ids = numbers.filter((number) => !named.some((name) => name.includes(`(${number})`)));
		expect(ids).toEqual([]);
		expect(numbers.length).toBe(
			named.reduce((count, name) => count + text.split(name).length - 1, 0),
		);
		const parameters = JSON.stringify(nodes.map((node) => node.parameters));
		for (const [kind, pattern] of [
			['assistant', /"assistantId":\{"__rl":true,"mode":"id","value":"(\d+)"/g],
			['campaign', /"campaignId":\{"__rl":true,"mode":"id","value":"(\d+)"/g],
		] as const) {
			for (const [, id] of parameters.matchAll(pattern)) {
				expect(named.join()).toContain(`(${kind} ${id})`);
			}
		}
	});

	it('says which tables to look at, as n8n shows their names', () => {
		const tables = nodes.map(({ parameters }) => parameters.tableName);
		const namesTable = (text: string) =>
			tables.some((name) => typeof name === 'string' && text.startsWith(name));
		const mentions = [...getNotes(example).matchAll(/\blook at the tables? (.*)/g)];
		expect(mentions.filter(([, rest]) => !namesTable(rest ?? ''))).toEqual([]);
	});

	it('has short notes, whose colour says what to do with them', () => {
		const notes = nodes.flatMap((node) => noteText(node) ?? []);
		const { green, blue, grey } = NOTE_COLOURS;
		const colours = nodes
			.filter((node) => noteText(node) !== undefined)
			.map(({ parameters }) => parameters.color);
		expect(colours).toEqual(
			notes.map((text) =>
				text.startsWith('### Replace this\n')
					? green
					: text.startsWith('### Set up\n')
						? blue
						: grey,
			),
		);
		const tooLong = notes.filter((text) => countWords(text) > NOTE_WORDS);
		expect(tooLong).toEqual([]);
	});

	it('adds and texts nobody who is in Do not call', () => {
		expect(reachesWhoWantsNoCalls(example)).toEqual([]);
	});

	it('has its part of the gallery, and is run', () => {
		const slug = basename(file, '.json');
		const camelCase = slug.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
		expect(filesMatching(`test/gallery/${camelCase}.mts`)).toHaveLength(1);
		expect(filesMatching(`examples/${slug}.md`)).toHaveLength(1);
	});
});

describe.each(exampleFiles)('the canvas of %s', (file) => {
	const example = readExample(file);
	const { nodes, connections } = example;

	it('has nothing where n8n draws that an output leads nowhere', () => {
		const main = (node: ExampleNode) => connections[node.name]?.main ?? [];
		const isEnd = (node: ExampleNode) =>
			Array.from(
				{ length: countOutputs(example, node) },
				(_, index) => main(node)[index] ?? [],
			).some((output) => output.length === 0);
		const boxes = nodes.map(boxOf);
		const touched = nodes
			.filter(isEnd)
			.map(boxOf)
			.flatMap(({ name, right, y, bottom }) => {
				const stub = { name, x: right, y, right: right + STUB, bottom };
				return boxes
					.filter((box) => box.name !== name && overlap(stub, box))
					.map((box) => `${name} seems to lead to ${box.name}`);
			});
		expect(touched).toEqual([]);
	});

	it('has notes in one row above the nodes, which begin on one line, with the same gap', () => {
		const isNote = (node: ExampleNode) => noteText(node) !== undefined;
		const notes = nodes.filter(isNote).map(boxOf);
		const top = Math.min(
			...nodes.filter((node) => !isNote(node)).map(({ position }) => position[1]),
		);
		expect(new Set(notes.map(({ y }) => y)).size).toBe(1);
		expect(top - Math.max(...notes.map(({ bottom }) => bottom))).toBe(NOTE_GAP);
		const row = notes.sort((a, b) => a.x - b.x);
		const gaps = row.slice(1).map(({ x }, index) => x - (row[index]?.right ?? 0));
		expect(gaps).toEqual(gaps.map(() => NOTE_GAP));
	});

	it('fits on one screen, on the grid, and nothing covers anything else', () => {
		const boxes = nodes.map(boxOf);
		expect(boxes.filter(({ x, y }) => x % GRID !== 0 || y % GRID !== 0)).toEqual([]);
		const width =
			Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ x }) => x));
		const height =
			Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ y }) => y));
		expect(width).toBeLessThanOrEqual(SCREEN.width);
		expect(height).toBeLessThanOrEqual(SCREEN.height);
		const covered = boxes.flatMap((box, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => overlap(box, other))
				.map((other) => [box.name, other.name]),
		);
		expect(covered).toEqual([]);
	});
});

/** The Data Tables that the examples create. */
const tableNames = new Set(
	exampleFiles
		.flatMap((file) => readExample(file).nodes)
		.map(({ parameters }) => parameters.tableName)
		.filter((name) => typeof name === 'string'),
);

it('who wants no more calls is listed by the same nodes in every example that hears it', () => {
	const hearing = exampleFiles
		.map(readExample)
		.filter(
			({ nodes }) => nodes.some(({ type }) => type === TRIGGER) && nodes.some(reachesSomebody),
		);
	expect(hearing).not.toEqual([]);
	const listing = hearing.map(({ nodes }) =>
		['Wants no more calls?', 'List the number']
			.map((name) => {
				const node = nodes.find((each) => each.name === name);
				return `${node?.type} ${JSON.stringify(node?.parameters)}`;
			})
			.join(),
	);
	expect(new Set(listing).size).toBe(1);
	expect(listing.join()).toContain('wants_no_calls');
});

it('the table "Do not call" is made by the same node in every example', () => {
	const makers = exampleFiles
		.flatMap((file) => readExample(file).nodes)
		.filter(({ parameters }) => parameters.tableName === 'Do not call')
		.map(({ name, parameters }) => `${name} ${JSON.stringify(parameters)}`);
	expect(new Set(makers).size).toBe(1);
});

it.each([...tableNames])('the table "%s" is not found under a part of its name', (name) => {
	// By Name finds a part of a name, in either case (n8n 2.41).
	const parts = [...tableNames].filter(
		(other) => other !== name && name.toLowerCase().includes(other.toLowerCase()),
	);
	expect(parts).toEqual([]);
});
