import { expect, it } from '@jest/globals';
import { withInspectorLinks } from '../../host/gallery/inspectorLinks.mts';
import { noteText, STICKY_NOTE, type Workflow } from '../../host/api/workflow.mts';
import { readExamples } from '../../host/n8n/examples.mts';

const FIRST = 'http://127.0.0.1:4010/__sandbox/';
const LATER = 'http://127.0.0.1:4011/__sandbox/';

const notesOf = ({ nodes }: Workflow): string =>
	nodes.map((node) => noteText(node) ?? '').join('\n');
const withoutNotes = ({ nodes, ...rest }: Workflow) => ({
	...rest,
	nodes: nodes.filter((node) => noteText(node) === undefined),
});
const examples = await readExamples();
const naming = examples.filter((example) => notesOf(example).includes('inspector'));

it('the notes of the examples that name the inspector link to it, and nothing else changes', () => {
	expect(naming.length).toBeGreaterThan(5);
	for (const example of examples) {
		const linked = withInspectorLinks(example, FIRST);
		expect(linked !== undefined).toBe(naming.includes(example));
		if (linked === undefined) continue;
		expect(notesOf(linked)).toContain(`[inspector](${FIRST})`);
		expect(notesOf(linked)).not.toContain('`/__sandbox/`');
		expect(withoutNotes(linked)).toEqual(withoutNotes(example));
	}
});

it('a later start on another port renews the link, and one on the same port changes nothing', () => {
	for (const example of naming) {
		const linked = withInspectorLinks(example, FIRST);
		if (linked === undefined) throw new Error(`${example.name} has no link.`);
		expect(withInspectorLinks(linked, FIRST)).toBeUndefined();
		expect(withInspectorLinks(linked, LATER)).toEqual(withInspectorLinks(example, LATER));
	}
});

it('a text that the user wrote beside the link stays', () => {
	const content = `Mine: see the [inspector](${FIRST}), and [the page](${FIRST}) too`;
	const parameters = { content, width: 100 };
	const mine = { name: 'Note', type: STICKY_NOTE, parameters };
	const renewed = withInspectorLinks(
		{ name: '', nodes: [mine], connections: {}, settings: {} },
		LATER,
	);
	expect(renewed?.nodes[0]?.parameters).toEqual({
		content: `Mine: see the [inspector](${LATER}), and [the page](${FIRST}) too`,
		width: 100,
	});
});
