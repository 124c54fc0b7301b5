import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { checkBaseUrl } from '../shared/client/credential';
import { ProcessMemory } from '../shared/processMemory';
import { asText } from '../shared/values/json';
import { toHash } from '../shared/values/hash';
import { isStarting, triggerKey } from '../shared/webhook/triggerContext';
import type { PollRun } from './listCalls';
import type { Reading } from './reading';
import type { StoredCursor } from './storedCursor';

/** The cursor of each query. */
export type Cursors = Record<string, StoredCursor | undefined>;

/** What a poll leaves for the next one, in the static data. */
export interface PollState {
	/** The trigger and its service: a workflow that is exported and imported has the cursors of another trigger. */
	owner: string;
	/** A hash of the API token. It tells accounts apart as far as a token can: an account can get a new one. */
	account: string;
	/** How often calls were handed out, or a query began. The higher of two is the newer one. */
	step: number;
	cursors: Cursors;
}

/** The calls that a poll handed out. Only n8n knows whether their execution starts. */
interface HandedOut {
	/** The state without them. */
	former: PollState;
	/** Whether n8n has read them. */
	isRead: boolean;
}

/** What the last poll left in this process. */
interface LeftState {
	/** A hash of the static data that it began with. */
	before: string;
	state: PollState;
	handedOut?: HandedOut;
}

const leftStates = new ProcessMemory<LeftState>('polls');

/** Calls a function when n8n first reads the data of an item. */
function onFirstRead(item: INodeExecutionData, onRead: () => void): void {
	const { json } = item;
	const set = (value: IDataObject) => {
		Object.defineProperty(item, 'json', { value, writable: true });
		onRead();
	};
	const get = () => {
		set(json);
		return json;
	};
	Object.defineProperty(item, 'json', { get, set });
}

/** By query, in the order in which a poll has read them. */
export type Readings = Map<string, Reading>;

const unfinished = new ProcessMemory<{ step: number; readings: Readings }>('polls');

/**
 * Opens what polls leave for the next one, in the static data and in this process.
 *
 * @param isActivation whether the poll is a part of an activation
 */
export function openPollMemory({ context, credential }: PollRun, isActivation: boolean) {
	// It stays the same when the node is renamed, which leaves its static data behind.
	const trigger = triggerKey(context);
	const owner = `${trigger} ${checkBaseUrl(credential.baseUrl)}`;
	const account = toHash(asText(credential.apiToken));
	const place = `${owner} ${account}`;
	const isStart = isActivation && isStarting(context);
	const getStaticData = () => context.getWorkflowStaticData('node');
	const hashStaticData = () => toHash(JSON.stringify(getStaticData()));
	// Another process may have polled since.
	if (isStart) leftStates.delete(trigger);
	const leftBefore = leftStates.get(trigger);
	// After a pause, the pages of a list have other calls.
	if (isActivation && context.getActivationMode() !== 'update') unfinished.delete(place);

	return {
		account,

		/**
		 * The newest state. What this process knows is newer than the static data
		 * - when n8n has stored nothing since that poll began. n8n 2.41 with its scheduler gives each poll what
		 *   is stored, and does not always store what a poll leaves that hands out nothing: never without
		 *   durable cursors, and with them not after a publish;
		 * - when somebody has written back an older export;
		 * - when another poll has ended while this one was reading.
		 * Calls that were handed out come again if their execution may not have started: for a scheduled poll, if n8n
		 * has stored nothing since. For a publish, stored data prove nothing, because an export can have been written
		 * back. So it goes by whether n8n has read the calls: it does not read those that it discards
		 * (n8n.md#discarded-polls).
		 */
		getState(): PollState {
			const data = { ...getStaticData() } as IDataObject & PollState;
			const stored = data.owner === owner ? data : { owner, account, step: 0, cursors: {} };
			const left = leftStates.get(trigger);
			if (left?.state.owner !== owner) return stored;
			const { state, handedOut } = left;
			const isUnchanged = left.before === hashStaticData();
			const isLost = left === leftBefore && (isActivation ? !handedOut?.isRead : isUnchanged);
			const known = handedOut && isLost ? handedOut.former : state;
			const isSame = isUnchanged && (!handedOut || isLost);
			return known.step > stored.step || isSame ? known : stored;
		},

		/**
		 * Keeps the state for the next poll.
		 *
		 * @param former the state without the calls that the poll hands out
		 * @param first of these calls; undefined when it hands out none
		 */
		keepState(state: PollState, former: PollState, first?: INodeExecutionData): void {
			const handedOut = first && { former, isRead: false };
			leftStates.set(trigger, { before: hashStaticData(), state, handedOut });
			Object.assign(getStaticData(), state);
			if (first && handedOut) onFirstRead(first, () => (handedOut.isRead = true));
		},

		/** Keeps the readings that have not ended. @param state that goes with them */
		keepReadings({ step }: PollState, readings: Readings): void {
			unfinished.set(place, { step, readings });
		},

		/** Gives what was kept with the state, once: polls that overlap must not share it. */
		takeReadings({ step }: PollState): Readings {
			const kept = unfinished.get(place);
			unfinished.delete(place);
			return kept?.step === step ? kept.readings : new Map<string, Reading>();
		},
	};
}
