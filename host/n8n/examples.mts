import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

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

/** What examples are for, in the order of the gallery. */
export const USE_CASES = [
	'Call people',
	'Follow up',
	'During a call',
	'After a call',
	'Keep order',
] as const;

/** The front matter of the page of an example. */
const header = z.object({ title: z.string(), useCase: z.enum(USE_CASES) });

/** A workflow of examples/, and what its page says about it. */
export interface Example extends Partial<z.infer<typeof header>> {
	workflow: Workflow;
}

/** Reads all of examples/. */
export async function readGallery(): Promise<Example[]> {
	const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => ({
			workflow: await readWorkflow(join(FOLDER, file)),
			...(await readHeader(join(FOLDER, file.replace(/json$/, 'md')))),
		})),
	);
}

async function readHeader(page: string): Promise<Partial<z.infer<typeof header>>> {
	if (!existsSync(page)) return {};
	const text = /^---\n(.*?)\n---\n/s.exec(await readFile(page, 'utf8'))?.[1];
	return header.parse(parse(text ?? ''));
}

/** Reads all workflows of examples/. */
export async function readExamples(): Promise<Workflow[]> {
	return (await readGallery()).map(({ workflow }) => workflow);
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
