import type { IDataObject } from 'n8n-workflow';

import { assistantPages, isDeleted } from '../shared/assistants/find';
import { AssistantNames, notCompared } from '../shared/calls/assistantNames';
import { DescribedError } from '../shared/client/errors';
import { pages } from '../shared/client/pages';
import { ProcessMemory } from '../shared/processMemory';
import { getCursorOwner } from './cursorOwner';
import type { PollRun } from './listCalls';

/** The names that polls have read, by the owner of the cursors. */
const known = new ProcessMemory<AssistantNames>('assistantNames');

/** A call that an assistant was asked for. */
export interface NamedCall {
	/** of its assistant, in the record */
	name: string;
	assistantId: number;
}

async function readNames({ context, deadline }: PollRun): Promise<AssistantNames> {
	const assistants: IDataObject[] = [];
	const readPage = await assistantPages(context, deadline);
	for await (const rows of pages(readPage)) assistants.push(...rows);
	return new AssistantNames(assistants.filter((assistant) => !isDeleted(assistant)));
}

/**
 * Reads the names of the account's assistants, or recalls them when all calls are of the assistants that they were
 * asked for.
 *
 * @param wanted the calls; without them, the list is read
 * @returns undefined when the list of assistants cannot be read. The calls are then what the service says
 */
export async function readAssistantNames(
	run: PollRun,
	wanted?: NamedCall[],
): Promise<AssistantNames | undefined> {
	const { context } = run;
	const owner = getCursorOwner(run);
	const recalled = known.get(owner);
	const isExpected = ({ name, assistantId }: NamedCall) =>
		recalled?.idsOf(name).join() === String(assistantId);
	if (wanted?.every(isExpected)) return recalled;
	return await readNames(run).then(
		(names) => {
			known.set(owner, names);
			return names;
		},
		(error: unknown) => {
			if (!(error instanceof DescribedError)) throw error;
			context.logger.warn(notCompared(error.text));
			return undefined;
		},
	);
}
