import * as z from 'zod';
import { noteText, STICKY_NOTE, type Workflow } from '../api/workflow.mts';
import { USE_CASES } from '../n8n/examplePages.mts';
import { THANK_BY_SMS } from '../n8n/examples.mts';
import type { ImportedExample } from '../n8n/provision.mts';
import { withInspectorLinks } from './inspectorLinks.mts';

export const START_HERE = 'Start here';

const positionOf = z.tuple([z.number(), z.number()]);

/** All executions of n8n, where nothing covers the list. */
const EXECUTIONS = 'home/executions';

const NOTE_WIDTH = 348;
const NOTE_GAP = 16;
/** Where the notes end at the right. */
const WIDTH = USE_CASES.length * (NOTE_WIDTH + NOTE_GAP) - NOTE_GAP;
/** From the top: where the nodes begin, and the notes below them. */
const NODES_TOP = 224;
const COLUMNS_TOP = 560;

/**
 * Makes the workflow that users open first: one run of it calls one person, and its notes lead to all
 * examples. Its links to n8n name no host, so they are valid wherever n8n listens.
 *
 * @param addLead the workflow that calls the person
 * @param inspector URL of the sandbox's page
 */
export function startHere(
	addLead: Workflow,
	examples: ImportedExample[],
	inspector: string,
): Workflow {
	const steps = addLead.nodes
		.filter((node) => noteText(node) === undefined)
		.map((node) => {
			const [x, y] = positionOf.parse(node.position);
			return { ...node, position: [x, y + NODES_TOP] };
		});
	return { ...addLead, name: START_HERE, nodes: [...notes(examples, inspector), ...steps] };
}

/**
 * Gives a stored workflow that links to the inspector, and to the examples that are new. What the user
 * has changed in it stays. Undefined when there is nothing to renew.
 */
export function withNewLinks(
	stored: Workflow,
	examples: ImportedExample[],
	inspector: string,
): Workflow | undefined {
	const added = examples.filter(({ isNew }) => isNew);
	if (added.length === 0) return withInspectorLinks(stored, inspector);
	const nodes = stored.nodes.map((node) => {
		const links = linksTo(added.filter(({ useCase }) => useCase === node.name));
		const text = noteText(node);
		if (text === undefined || links === '') return node;
		return { ...node, parameters: { ...node.parameters, content: `${text}\n${links}` } };
	});
	const extended = { ...stored, nodes };
	return withInspectorLinks(extended, inspector) ?? extended;
}

function linksTo(examples: ImportedExample[]): string {
	return examples.map(({ title, stored }) => `- [${title}](/workflow/${stored.id})`).join('\n');
}

function notes(examples: ImportedExample[], inspector: string): Workflow['nodes'] {
	const first = note('Overview', [0, 0], [WIDTH, 208], 4, [
		'# Start here',
		[
			'1. Click **Execute workflow**. The assistant calls one person. (In the sandbox: nobody is really called, and nothing costs money.)',
			`2. After some seconds the call is over. That starts another workflow by itself: *${THANK_BY_SMS}*.`,
			`3. Open [all executions](/${EXECUTIONS}). The newest one is of *${THANK_BY_SMS}*: the call has started it. The call and its SMS are in the sandbox's [inspector](${inspector}).`,
		].join('\n'),
		`*${THANK_BY_SMS}* stays on, and sends an SMS after each call of the same assistant. Unpublish it if you do not want that.`,
		'Below are all examples. Each one says what it does, how to try it, and what to fill in. Their tables are there already, under *Overview*, *Data tables*: the older executions have made them. The older calls in the sandbox are samples.',
	]);
	const columns = USE_CASES.map((useCase, column) =>
		note(useCase, [column * (NOTE_WIDTH + NOTE_GAP), COLUMNS_TOP], [NOTE_WIDTH, 224], 7, [
			`### ${useCase}`,
			linksTo(examples.filter((example) => example.useCase === useCase)),
		]),
	);
	return [first, ...columns];
}

function note(
	name: string,
	position: [x: number, y: number],
	[width, height]: [width: number, height: number],
	color: number,
	paragraphs: string[],
): Workflow['nodes'][number] {
	const parameters = { content: paragraphs.join('\n\n'), width, height, color };
	return { id: `note-${name}`, name, type: STICKY_NOTE, typeVersion: 1, position, parameters };
}
