import { AssistantReader, type AssistantAddress } from './assistantRecord.mts';
import { assistantList } from './read/lists.mts';
import { observation } from './run.mts';
import { CannotCheck, NotRequested } from './stop.mts';

/**
 * The assistant that the user has named, with its page in the list.
 *
 * @throws {NotRequested} when none is named
 * @throws {CannotCheck} when the list does not have it
 */
export const namedAssistant = observation(async (run): Promise<AssistantAddress> => {
	const { assistantId: id } = run.target;
	if (id === undefined) throw new NotRequested('Name an assistant: --assistant ID.');
	const list = await assistantList(run);
	if (!list) throw new CannotCheck('The list of assistants was not found.');
	const { path: listPath, size: perPage } = list;
	const reader = new AssistantReader(run.client, { id, listPath, perPage, page: 1 });
	await reader.read();
	return reader.address;
});
