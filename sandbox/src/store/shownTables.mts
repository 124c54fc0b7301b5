import { LateTable, type Lag } from './lateTable.mts';
import type { State } from './store.mts';

/** The tables as the lists of the service show them, which can be older than the state. */
export type ShownTables = ReturnType<typeof shownTables>;

/** @param nextLag gives the lag of a change that is made now; undefined when it has none */
export const shownTables = (state: State, nextLag: () => Lag | undefined) => ({
	assistants: new LateTable(state.assistants, nextLag),
	tools: new LateTable(state.tools, nextLag),
	calls: new LateTable(state.calls, nextLag),
	campaigns: new LateTable(state.campaigns, nextLag),
});
