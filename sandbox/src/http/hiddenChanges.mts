import type { ShownTables } from '../store/shownTables.mts';

/** How many records are named. */
const NAMED = 3;

/** The tables behind each list, and what a record of them is called. */
const BEHIND: { [operationId: string]: { [table in keyof ShownTables]?: string } } = {
	listAssistants: { assistants: 'assistant', tools: 'tool' },
	listCalls: { calls: 'call' },
};

/**
 * The last changes that a list does not show yet, in words: "the last change of call 5 (1.2 s ago)".
 *
 * @returns undefined when there is none
 */
export function hiddenChanges(
	operationId: string,
	shown: ShownTables,
	userId: number | undefined,
): string | undefined {
	const changes = Object.entries(BEHIND[operationId] ?? {}).flatMap(([table, name]) =>
		shown[table as keyof ShownTables]
			.hidden()
			.filter(({ record }) => record.user_id === userId)
			.map(({ record, age }) => `${name} ${record.id} (${age / 1000} s ago)`),
	);
	if (changes.length === 0) return undefined;
	const more = changes.length > NAMED ? [`${changes.length - NAMED} more`] : [];
	return `the last change of ${[...changes.slice(0, NAMED), ...more].join(', ')}`;
}
