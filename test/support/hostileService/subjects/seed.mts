import { seedWith } from '../../n8n/testEnvironment.mts';
import type { JsonObject } from '../../sandbox/contract.mts';
import { newAssistant, twoUsers } from '../../sandbox/seed.mts';
import { FIRST_ASSISTANT_ID, HOOK_SUBJECTS } from './hooks.mts';

/** Alice's records, with an assistant for each trigger that changes one. */
export function seedForSubjects(): { users: JsonObject[] } {
	const [alice] = twoUsers().users;
	const more = HOOK_SUBJECTS.map((_subject, index) => ({
		...newAssistant,
		id: FIRST_ASSISTANT_ID + index,
		assistant_name: `Assistant ${FIRST_ASSISTANT_ID + index}`,
	}));
	return seedWith({
		tool_quota: 100,
		assistants: [...(alice?.assistants as JsonObject[]), ...more],
	});
}
