import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { checkBaseUrl } from '../shared/client/credential';
import { ProcessMemory } from '../shared/processMemory';
import { asText } from '../shared/values/json';
import { toHash } from '../shared/webhook/token';
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
	/** How often calls were handed out, or a query or a long reading began. The higher of two is the newer one. */
	step: number;
	cursors: Cursors;
}

/** What the last poll left in this process. */
interface LeftState {
	/** A hash of the static data that it began with. */
	before: string;
	state: PollState;
	/** Whether it handed out calls. Only n8n knows whether their execution starts. */
	hasHandedOut: boolean;
}

const leftStates = new ProcessMemory<LeftState>('polls');

/** By query, in the order in which the next poll reads them. Undefined when the reading has ended. */
export type Readings = Map<string, Reading | undefined>;

const unfinished = new ProcessMemory<{ step: number; readings: Readings }>('polls');

/** What polls leave for the next one, in the static data and in this process. */
export class PollMemory {
	readonly account: string;

	private readonly context: IPollFunctions;

	private readonly trigger: string;

	private readonly owner: string;

	private readonly isPublish: boolean;

	/** @param isActivation whether the poll is a part of an activation */
	constructor({ context, credential }: PollRun, isActivation: boolean) {
		const isStart = isActivation && isStarting(context);
		this.context = context;
		this.isPublish = isActivation && !isStart;
		// It stays the same when the node is renamed, which leaves its static data behind.
		this.trigger = triggerKey(context);
		this.owner = `${this.trigger} ${checkBaseUrl(credential.baseUrl)}`;
		this.account = toHash(asText(credential.apiToken));
		// Another process may have polled since.
		if (isStart) leftStates.delete(this.trigger);
		// After a pause, the pages of a list have other calls.
		const isEdit = context.getActivationMode() === 'update';
		if (isActivation && !isEdit) unfinished.delete(this.readingsKey);
	}

	/**
	 * The newest state. What this process knows is newer than the static data
	 * - when n8n has stored nothing since that poll began. n8n 2.41 with its scheduler gives each poll what is
	 *   stored, and does not always store what a poll leaves that hands out nothing: never without durable
	 *   cursors, and with them not after a publish;
	 * - when somebody has written back an older export.
	 * Calls that were handed out come again if n8n has stored nothing since, because then their execution may
	 * not have started. At a publish, an export that was written back is more likely.
	 */
	state(): PollState {
		const { owner, account, isPublish, staticData } = this;
		const isOwn = staticData.owner === owner;
		const stored = isOwn
			? ({ ...staticData } as unknown as PollState)
			: { owner, account, step: 0, cursors: {} };
		const left = leftStates.get(this.trigger);
		if (left?.state.owner !== owner) return stored;
		const isUnchanged = left.before === hashOf(staticData);
		const isOlder = left.state.step > stored.step;
		const isNewer = left.hasHandedOut
			? isOlder && (isPublish || !isUnchanged)
			: isOlder || isUnchanged;
		return isNewer ? left.state : stored;
	}

	/** Keeps the state for the next poll. */
	keep(state: PollState, hasHandedOut: boolean): void {
		const { staticData } = this;
		leftStates.set(this.trigger, { before: hashOf(staticData), state, hasHandedOut });
		Object.assign(staticData, state);
	}

	/** Keeps the readings that have not ended. @param state that goes with them */
	keepReadings({ step }: PollState, readings: Readings): void {
		unfinished.set(this.readingsKey, { step, readings });
	}

	/** Gives what was kept with the state, once: polls that overlap must not share it. */
	takeReadings({ step }: PollState): Readings {
		const kept = unfinished.get(this.readingsKey);
		unfinished.delete(this.readingsKey);
		return kept?.step === step ? kept.readings : new Map();
	}

	private get readingsKey(): string {
		return `${this.owner} ${this.account}`;
	}

	private get staticData(): IDataObject {
		return this.context.getWorkflowStaticData('node');
	}
}

const hashOf = (staticData: IDataObject) => toHash(JSON.stringify(staticData));
