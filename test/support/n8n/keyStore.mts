import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';
import { nextImmediate } from '../nextImmediate.mts';

/**
 * Gives n8n-core a store of keys in memory, with the weak sides of the one that n8n's server has in its database
 * (n8n 2.0, 2.41): the list of a node is read, and written a moment later; what is twice in one call is new twice;
 * two first calls at the same moment collide.
 */
export function useKeyStore() {
	const lists = new Map<string, string[]>();
	const calls: DeduplicationItemTypes[][] = [];
	const toHash = (key: DeduplicationItemTypes) =>
		createHash('md5').update(String(key)).digest('base64');
	const state = {
		/** The keys of each call. */
		calls,
		/** What the database says instead of storing. */
		failure: undefined as Error | undefined,
		/** What it says instead of forgetting a key. */
		removalFailure: undefined as Error | undefined,
		/** Called while keys are being stored. */
		beforeStored: undefined as (() => void) | undefined,
		/** The keys that each node has at first, from the oldest to the newest. */
		before: [] as string[],
		/** After so many calls another process overwrites the list with an empty one. */
		overwrittenAfter: undefined as number | undefined,
		clear: () => {
			lists.clear();
			calls.length = 0;
			state.failure = undefined;
			state.removalFailure = undefined;
			state.beforeStored = undefined;
			state.overwrittenAfter = undefined;
			state.before = [];
		},
	};
	const listOf = (name: string) =>
		lists.get(name) ?? (state.before.length > 0 ? state.before.map(toHash) : undefined);

	const deduplicator: Partial<IDataDeduplicator> = {
		checkProcessedAndRecord: async (keys, _scope, { workflow, node }, { maxEntries }) => {
			calls.push(keys);
			const name = `${workflow.id} ${node?.id}`;
			const stored = listOf(name);
			const before = new Set(stored);
			state.beforeStored?.();
			await nextImmediate();
			if (state.failure) throw state.failure;
			if (!stored && lists.has(name)) throw new Error('UNIQUE constraint failed');
			const isProcessed = (key: DeduplicationItemTypes) => before.has(toHash(key));
			const added = keys.filter((key) => !isProcessed(key));
			const list = [...(stored ?? []), ...added.map(toHash)];
			lists.set(name, maxEntries === undefined ? list : list.slice(-maxEntries));
			if (calls.length === state.overwrittenAfter) lists.set(name, []);
			return { new: added, processed: keys.filter(isProcessed) };
		},
		getProcessedDataCount: async (_scope, { workflow, node }) => {
			await nextImmediate();
			return listOf(`${workflow.id} ${node?.id}`)?.length ?? 0;
		},
		removeProcessed: async (keys, _scope, { workflow, node }) => {
			if (state.removalFailure) throw state.removalFailure;
			const name = `${workflow.id} ${node?.id}`;
			const hashes = keys.map(toHash);
			const kept = (lists.get(name) ?? []).filter((hash) => !hashes.includes(hash));
			await nextImmediate();
			lists.set(name, kept);
		},
	};
	return Object.assign(state, {
		/** Until jest restores the mocks of the file. n8n-core itself takes one for the life of a process. */
		install: (): void => {
			jest
				.spyOn(DataDeduplicationService, 'getInstance')
				.mockReturnValue(deduplicator as DataDeduplicationService);
		},
	});
}
