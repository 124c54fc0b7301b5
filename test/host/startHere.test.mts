import { describe, expect, it } from '@jest/globals';
import { startHere, withNewNotes } from '../../host/gallery/startHere.mts';
import { USE_CASES } from '../../host/n8n/examplePages.mts';
import { ADD_LEAD, readExample, readGallery, THANK_BY_SMS } from '../../host/n8n/examples.mts';
import { noteText, type Workflow } from '../../host/api/workflow.mts';

const INSPECTOR = 'http://127.0.0.1:4010/__sandbox/';
const examples = (await readGallery()).map((example, index) => ({
	...example,
	stored: { id: `id${index}`, name: example.workflow.name, active: false, isArchived: false },
	isNew: true,
}));
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

	it('says what to click, what happens by itself, and where to see it', () => {
		expect(overview).toMatch(/^# Start here\n\n1\. Click \*\*Execute workflow\*\*\./);
		expect(overview).toMatch(
			new RegExp(`\n2\\. .* starts another workflow by itself: \\*${THANK_BY_SMS}\\*\\.\n`),
		);
		expect(overview).toContain(`The newest one is of *${THANK_BY_SMS}*: the call has started it.`);
		expect(linksIn(overview)).toEqual([
			// Of n8n, wherever it listens.
			{ title: 'all executions', to: expect.stringMatching(/^\/[a-z]+\/executions$/) },
			{ title: 'The call and its SMS', to: INSPECTOR },
		]);
	});

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

	it('runs the nodes of the example that calls one person', () => {
		const steps = (workflow: Workflow) =>
			workflow.nodes
				.filter((node) => noteText(node) === undefined)
				.map(({ name, parameters }) => ({ name, parameters }));
		expect(steps(page)).toEqual(steps(addLead));
		expect(page.connections).toEqual(addLead.connections);
	});

	it('gets the address of another inspector, and keeps what the user has changed', () => {
		const changed = { ...page, nodes: page.nodes.slice(0, -1) };
		const elsewhere = startHere(addLead, examples, 'http://127.0.0.1:4011/__sandbox/');
		const renewed = withNewNotes(changed, elsewhere);
		expect(renewed && getNoteText(renewed, 'Overview')).toContain(
			'(http://127.0.0.1:4011/__sandbox/)',
		);
		expect(renewed?.nodes).toHaveLength(changed.nodes.length);
		expect(withNewNotes(changed, page)).toBeUndefined();
	});
});
