import { sleep } from 'n8n-workflow';

import type { Deadline } from '../client/deadline';
import { hasUnknownOutcome } from '../client/errors';
import { ProcessMemory } from '../processMemory';

/** What a hook has written at an assistant, and what the service had before. */
interface Written<State> {
	state: State;
	/** The states that a late read can still show, as text. */
	earlier: string[];
	/** Whether the service has accepted the state. If not, the response of the write was lost. */
	isAccepted: boolean;
	/** The trigger that wrote it, see `triggerKey`. */
	writer: string;
}

/** The waits before a read that was late is repeated, in milliseconds. */
const WAITS_MS = [300, 1_000, 3_000];

/** A state at the service. */
interface ReadState<State> {
	state: State;
	/** Whether the service still shows an earlier state, so that the accepted one counts. */
	isLate: boolean;
	/** Whether the service may still get a state that the same trigger wrote, and whose response was lost. */
	mayChange: boolean;
}

/**
 * Remembers what hooks have written at the service. A list can come from a cache or a copy of the
 * database that is some seconds behind (assumed: list-lag). Without this, a hook would take its own
 * change for undone, and what was there before for the work of somebody else.
 */
export class WrittenStates<State> {
	private readonly memory = new ProcessMemory<Written<State>>('written');

	private readonly toText: (state: State) => string;

	/** @param toText makes the text by which two states are compared */
	constructor(toText: (state: State) => string) {
		this.toText = toText;
	}

	/**
	 * Remembers a write, before it is sent, because its response can be lost. A write that the service has
	 * refused is forgotten.
	 *
	 * @param key names what is written, see `assistantKey`
	 * @param before what was read
	 * @param writer the trigger, see `triggerKey`
	 * @param send sends the write
	 * @throws what `send` throws
	 */
	async write(
		key: string,
		{ before, state, writer }: { before: State; state: State; writer: string },
		send: () => Promise<unknown>,
	): Promise<void> {
		const last = this.memory.get(key);
		const states = last ? [last.state, before] : [before];
		const texts = new Set([...(last?.earlier ?? []), ...states.map(this.toText)]);
		texts.delete(this.toText(state));
		const written = { state, earlier: [...texts], isAccepted: false, writer };
		this.memory.set(key, written);
		await send().catch((error: unknown) => {
			if (!hasUnknownOutcome(error)) {
				if (last) this.memory.set(key, last);
				else this.memory.delete(key);
			}
			throw error;
		});
		this.memory.set(key, { ...written, isAccepted: true });
	}

	/** Whether a write is remembered, also one whose response was lost. */
	has(key: string): boolean {
		return this.memory.get(key) !== undefined;
	}

	/** What the service has accepted last; undefined when nothing is remembered, or the response was lost. */
	accepted(key: string): State | undefined {
		const written = this.memory.get(key);
		return written?.isAccepted ? written.state : undefined;
	}

	/** Whether the response of the last write was lost, and the trigger sent it. */
	isLost(key: string, writer: string): boolean {
		const written = this.memory.get(key);
		return written?.isAccepted === false && written.writer === writer;
	}

	/** Whether a read shows what was there before a hook has written. */
	isOld(key: string, shown: State): boolean {
		return this.memory.get(key)?.earlier.includes(this.toText(shown)) ?? false;
	}

	/**
	 * The state that counts: the one that a read shows, or the one that the service has accepted.
	 *
	 * @param reader the trigger, see `triggerKey`. Only its own lost write is its business
	 */
	compare(key: string, shown: State, reader: string): ReadState<State> {
		if (!this.isOld(key, shown)) return { state: shown, isLate: false, mayChange: false };
		const accepted = this.accepted(key);
		return accepted === undefined
			? { state: shown, isLate: false, mayChange: this.isLost(key, reader) }
			: { state: accepted, isLate: true, mayChange: false };
	}
}

/**
 * Reads until the service shows what was written, for some seconds.
 *
 * @param read reads once
 * @param isOld whether a read shows what was there before
 * @returns the last read, old or not
 * @throws what `read` throws
 */
export async function readUntilCurrent<Read>(
	read: () => Promise<Read>,
	isOld: (shown: Read) => boolean,
	deadline: Deadline,
): Promise<Read> {
	for (const ms of WAITS_MS) {
		const shown = await read();
		if (!isOld(shown) || deadline.leftMs <= ms) return shown;
		await sleep(ms);
	}
	return await read();
}
