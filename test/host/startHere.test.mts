import { describe, expect, it } from '@jest/globals';
import { startHere } from '../../host/gallery/startHere.mts';
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
});
