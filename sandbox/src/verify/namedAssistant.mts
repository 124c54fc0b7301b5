import type { AssistantAddress } from './assistantRecord.mts';
import { assistantList } from './read/lists.mts';
import type { Run } from './run.mts';
import { CannotCheck } from './stop.mts';

/** The assistant that the user has named. @throws {CannotCheck} when there is none */
export async function namedAssistant(run: Run): Promise<AssistantAddress> {
	const { assistantId: id } = run.target;
	if (id === undefined) throw new CannotCheck('Name an assistant: --assistant ID.');
	const list = await assistantList(run);
	if (!list) throw new CannotCheck('The list of assistants was not found.');
	return { id, listPath: list.path };
}
