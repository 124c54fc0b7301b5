import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { Delivery } from '../../sandbox/client.mts';
import type { Service } from '../support/sandbox/service.mts';
import { executionsOf, type Entry } from './executionRows.mts';
import { ASSISTANT } from './seed.mts';
import type { Process, Topology } from './topology.mts';

/** As many calls end at the same moment; the sandbox delivers twenty of their webhooks at once. */
const BATCH = 50;
/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT2M';
/** A lone worker does a few executions in a second. */
const BUSY_LIMIT_MS = 5 * 60_000;
/** A worker that is to be killed shall be running as many, so that there is something to cut. */
const RUNNING_AT_KILL = 3;

/** What a killed worker left behind. */
export interface Cut {
	worker: Process;
	/** the executions that it was running */
	running: string[];
	/** these, those that it had just taken from the queue, and those that other workers had taken */
	held: string[];
	/** the executions that were not over, whoever has them */
	unfinished: string[];
}

/** The calls that happen, and what n8n made of them. */
export class Events {
	readonly #topology: Topology;
	readonly #service: Service;
	readonly #workflowId: string;
	/** n8n forgets the call of an execution that it later declares failed */
	readonly #calls = new Map<string, number>();

	/** @param workflowId the published workflow that every event starts */
	constructor(topology: Topology, service: Service, workflowId: string) {
		this.#topology = topology;
		this.#service = service;
		this.#workflowId = workflowId;
	}

	/** Has as many calls made, and waits until the webhook of each one has been answered, or refused. */
	async deliver(count: number): Promise<void> {
		const { control } = this.#service;
		for (let left = count; left > 0; left -= BATCH) {
			for (let i = 0; i < Math.min(BATCH, left); i += 1) {
				const call = { assistant_id: ASSISTANT, to: '+4915112345690' };
				await control.outbound(call);
			}
			await control.advance(A_CALL);
		}
	}

	/** What came of every webhook. */
	async deliveries(): Promise<Delivery[]> {
		return await this.#service.control.deliveries();
	}

	/** Every execution, with its call. */
	async executions(): Promise<Entry[]> {
		return await this.#read('all');
	}

	/** The executions that are to be run, or running. */
	async unfinished(): Promise<Entry[]> {
		return await this.#read('unfinished');
	}

	/** How many SMS went out for each call. */
	async sent(): Promise<Map<number, number>> {
		const sent = new Map<number, number>();
		for (const message of await this.#service.control.messages()) {
			const callId = Number(message.body.replace('Call ', ''));
			sent.set(callId, (sent.get(callId) ?? 0) + 1);
		}
		return sent;
	}

	/** Kills a worker while it runs executions. @param after how many executions it must have ended */
	async kill(worker: Process, after: number): Promise<Cut> {
		await waitFor('the worker to be busy', BUSY_LIMIT_MS, async () => {
			const enough = (await worker.ended()).length >= after;
			return enough && (await worker.running()).length >= RUNNING_AT_KILL ? true : undefined;
		});
		await worker.kill();
		const held = await this.#topology.redis.held();
		const began = new Set(await worker.began());
		const unfinished = (await this.unfinished()).map(({ id }) => id);
		const running = unfinished.filter((id) => began.has(id));
		assert.ok(running.length > 0, 'The killed worker was running nothing.');
		return { worker, running, held, unfinished };
	}

	async #read(which: 'all' | 'unfinished'): Promise<Entry[]> {
		const { postgres } = this.#topology;
		const entries = await executionsOf(postgres, this.#workflowId, which);
		for (const { id, callId } of entries) if (callId !== undefined) this.#calls.set(id, callId);
		return entries.map((entry) => ({ ...entry, callId: this.#calls.get(entry.id) }));
	}
}
