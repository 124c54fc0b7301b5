import { expect, it } from '@jest/globals';
import { withInspectorLinks } from '../../host/gallery/inspectorLinks.mts';
import { noteText, STICKY_NOTE, type Workflow } from '../../host/api/workflow.mts';
import { readExamples } from '../../host/n8n/examples.mts';

const FIRST = 'http://127.0.0.1:4010/__sandbox/';
const LATER = 'http://127.0.0.1:4011/__sandbox/';

const notesIn = ({ nodes }: Workflow): string =>
	nodes.map((node) => noteText(node) ?? '').join('\n');
const withoutNotes = ({ nodes, ...rest }: Workflow) => ({
	...rest,
	nodes: nodes.filter((node) => noteText(node) === undefined),
});

it('the notes of the examples that name the inspector link to it, on each start, and nothing else changes', async () => {
	let linkedExamples = 0;
	for (const example of await readExamples()) {
		const linked = withInspectorLinks(example, FIRST);
		expect(linked !== undefined).toBe(notesIn(example).includes('inspector'));
		if (linked === undefined) continue;
		linkedExamples += 1;
		expect(notesIn(linked)).toContain(`[inspector](${FIRST})`);
		expect(notesIn(linked)).not.toContain('`/__sandbox/`');
		expect(withoutNotes(linked)).toEqual(withoutNotes(example));
		expect(withInspectorLinks(linked, FIRST)).toBeUndefined();
		expect(withInspectorLinks(linked, LATER)).toEqual(withInspectorLinks(example, LATER));
	}
	expect(linkedExamples).toBeGreaterThan(5);
});

it('a text that the user wrote beside the link stays', () => {
	const note = (inspector: string) => ({
		content: `Mine: see the [inspector](${inspector}), and [the page](${FIRST}) too`,
		width: 100,
	});
	const nodes = [{ name: 'Note', type: STICKY_NOTE, parameters: note(FIRST) }];
	const renewed = withInspectorLinks({ name: '', nodes, connections: {}, settings: {} }, LATER);
	expect(renewed?.nodes[0]?.parameters).toEqual(note(LATER));
});
