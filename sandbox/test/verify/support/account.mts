import { newAssistant, newTool } from '../../support/seed.mts';

export const TOKEN = 'the-token-of-this-account';

/** A seed of an account that shows everything: calls that were answered and not, assistants with a tool. */
export function account({ calls = 30, assistants = 4 } = {}) {
	const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
	const user = {
		token: TOKEN,
		tools: [{ ...newTool, id: 1 }],
		assistants: ids(assistants).map((id) => ({
			...newAssistant,
			...{ id, tool_ids: [1], send_webhook_only_on_completed: false },
		})),
		campaigns: [{ id: 1, name: 'Spring', assistant_id: 1 }],
		calls: ids(calls).map((age) => ({
			...{ assistant_id: 1, ago: `PT${age}M` },
			...(age % 2 === 0
				? { status: 'completed', duration: 60, transcript: 'Assistant: Hello.' }
				: { status: 'no-answer' }),
		})),
	};
	return { users: [user] };
}
