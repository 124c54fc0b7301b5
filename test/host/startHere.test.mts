import { describe, expect, it } from '@jest/globals';
import { startHere, withNewLinks } from '../../host/gallery/startHere.mts';
import { USE_CASES } from '../../host/n8n/examplePages.mts';
import { ADD_LEAD, readExample, readGallery, THANK_BY_SMS } from '../../host/n8n/examples.mts';
import { noteText, STICKY_NOTE, type Workflow } from '../../host/api/workflow.mts';

const INSPECTOR = 'http://127.0.0.1:4010/__sandbox/';
const examples = (await readGallery()).map((example, index) => ({
	...example,
	stored: { id: `id${index}`, name: example.workflow.name, active: false, isArchived: false },
	isNew: true,
}));
const known = examples.map((example) => ({ ...example, isNew: false }));
const addLead = await readExample(ADD_LEAD);
const page = startHere(addLead, examples, INSPECTOR);

const getNoteText = ({ nodes }: Workflow, name: string): string =>
	nodes
		.filter((node) => node.name === name)
		.map(noteText)
		.join();
/** The links of a text: what they are called, and where they lead. */
const linksIn = (text: string) =>
	[...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title, to]) => ({ title, to }));

describe('the page that npm start opens', () => {
	const overview = getNoteText(page, 'Overview');

	it('names only workflows and pages that there are', () => {
		const names = [...examples.map(({ stored }) => stored.name), 'Overview', 'Data tables'];
		const named = [...overview.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, name]) => name);
		expect(named).toContain(THANK_BY_SMS);
		expect(names).toEqual(expect.arrayContaining(named));
	});

	it('leads to each example once, under what it is for', () => {
		for (const useCase of USE_CASES) {
			const wanted = examples
				.filter((example) => example.useCase === useCase)
				.map(({ title, stored }) => ({ title, to: `/workflow/${stored.id}` }));
			expect(linksIn(getNoteText(page, useCase))).toEqual(wanted);
			expect(wanted).not.toEqual([]);
		}
	});

	it('keeps at the next start what the user has changed, and gets the new address of the inspector', () => {
		const mine = { name: 'Mine', type: STICKY_NOTE, parameters: { content: 'My own note' } };
		const changed = page.nodes
			.filter(({ name }) => name !== USE_CASES[0])
			.map((node) => ({ ...node, position: [7, 7], notes: 'mine' }));
		const stored = { ...page, nodes: [...changed, mine] };
		expect(withNewLinks(stored, known, INSPECTOR)).toBeUndefined();

		const later = INSPECTOR.replace('4010', '4011');
		const renewed = JSON.stringify(withNewLinks(stored, known, later));
		expect(renewed).toContain(later);
		expect(renewed.replaceAll(later, INSPECTOR)).toBe(JSON.stringify(stored));
	});

	it('links to an example that is new, below what the user has written', () => {
		const [added] = examples;
		if (added === undefined) throw new Error('examples/ is empty.');
		const others = examples.filter((example) => example !== added);
		const earlier = others.map((example) => ({ ...example, isNew: false }));
		const stored = startHere(addLead, earlier, INSPECTOR);
		const renewed = withNewLinks(stored, [...earlier, added], INSPECTOR) ?? stored;
		const text = getNoteText(stored, added.useCase);
		expect(getNoteText(renewed, added.useCase)).toBe(
			`${text}\n- [${added.title}](/workflow/${added.stored.id})`,
		);
		const rest = (workflow: Workflow) =>
			workflow.nodes.filter(({ name }) => name !== added.useCase);
		expect(rest(renewed)).toEqual(rest(stored));
	});
});
