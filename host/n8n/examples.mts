import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { readWorkflow, type Workflow } from '../api/workflow.mts';

const FOLDER = join(import.meta.dirname, '../../examples');

/** Names of the workflows of the main story, in examples/ and in n8n. */
export const ADD_LEAD = 'Add a lead and start its campaign';
export const ANSWER_FREE_SLOTS = 'Answer free slots during a call';
export const THANK_BY_SMS = 'When a call completes, thank by SMS';

/** Name of the workflow that joins both triggers. */
export const NEVER_MISS = 'Never miss a call';

/** Name of the workflow that waits for a person. */
export const ASK_BEFORE_START = 'Ask a person before a campaign starts';

/** Reads all workflows of examples/. */
export async function readExamples(): Promise<Workflow[]> {
	const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(files.map(async (file) => await readWorkflow(join(FOLDER, file))));
}

/**
 * Reads one workflow of examples/.
 *
 * @throws Error when there is none with this name
 */
export async function readExample(name: string): Promise<Workflow> {
	const example = (await readExamples()).find((one) => one.name === name);
	if (example === undefined) throw new Error(`No example is named "${name}".`);
	return example;
}
