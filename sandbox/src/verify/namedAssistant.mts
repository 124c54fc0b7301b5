import { AssistantReader, type AssistantAddress } from './assistantRecord.mts';
import { assistantList } from './read/lists.mts';
import { observation, type Run } from './run.mts';
import { title } from './title.mts';
import { CannotCheck, NotRequested } from './stop.mts';

/**
 * The reader of the assistant that the user has named, and what it first reads.
 *
 * @throws {NotRequested} when none is named
 * @throws {CannotCheck} when the list does not have it
 */
const firstRead = observation(async (run) => {
	const { assistantId: id } = run.target;
	if (id === undefined) throw new NotRequested('Name an assistant: --assistant ID.');
	const list = await assistantList(run);
	if (!list) throw new CannotCheck('The list of assistants was not found.');
	const { path: listPath, size: perPage } = list;
	const reader = new AssistantReader(run.client, { id, listPath, perPage, page: 1 });
	return { record: await reader.read(), address: reader.address };
});

/** The assistant that the user has named, with its page in the list. @throws as `firstRead` */
export const namedAssistant = async (run: Run): Promise<AssistantAddress> =>
	(await firstRead(run)).address;

/** Its ID and name, for the user. @throws as `firstRead` */
export const assistantTitle = async (run: Run): Promise<string> =>
	title('assistant', (await firstRead(run)).record);
