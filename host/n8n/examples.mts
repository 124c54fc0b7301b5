import { join } from 'node:path';

import { readWorkflow, type Workflow } from '../api/workflow.mts';
import { EXAMPLES_FOLDER, readExamplePages, type ExamplePage } from './examplePages.mts';

/** Names of the workflows of the main story, in examples/ and in n8n. */
export const ADD_LEAD = 'Add a lead and start its campaign';
export const BOOK_APPOINTMENT = 'Book an appointment during a call';
export const THANK_BY_SMS = 'When a call completes, thank by SMS';

/** Names of the workflow that joins both triggers, and of the one that waits for a person. */
export const NEVER_MISS = 'Never miss a call';
export const ASK_BEFORE_START = 'Ask a person before a campaign starts';

/** The manual trigger of an example that makes its tables. Running it again changes nothing. */
export const SET_UP = 'Set up once';

/** A workflow of examples/, and its page. */
export interface Example extends ExamplePage {
	workflow: Workflow;
}

/** Reads all of examples/. */
export async function readGallery(): Promise<Example[]> {
	return await Promise.all(
		readExamplePages().map(async (page) => ({
			...page,
			workflow: await readWorkflow(join(EXAMPLES_FOLDER, `${page.slug}.json`)),
		})),
	);
}

/** Reads all workflows of examples/. */
export const readExamples = async (): Promise<Workflow[]> =>
	(await readGallery()).map(({ workflow }) => workflow);

/** Reads one workflow of examples/. @throws Error when there is none with this name */
export async function readExample(name: string): Promise<Workflow> {
	const example = (await readExamples()).find((one) => one.name === name);
	if (example === undefined) throw new Error(`No example is named "${name}".`);
	return example;
}
