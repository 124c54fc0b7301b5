import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { Delivery } from '../../sandbox/client.mts';
import type { Service } from '../support/sandbox/service.mts';
import { readExecutionRows, type ExecutionRow } from './executionRows.mts';
import { ASSISTANT } from './seed.mts';
import type { QueueProcess, Topology } from './topology.mts';

/** Calls that end at the same moment; the sandbox delivers twenty webhooks at once. */
const BATCH = 50;
/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT2M';
/** One worker alone runs a few executions in a second. */
const BUSY_LIMIT_MS = 5 * 60_000;
/** The number of executions that a worker must be running when it is killed. */
const RUNNING_AT_KILL = 3;

/** The executions at the moment when a worker was killed. */
export interface WorkerKill {
	/** those that the killed worker was running */
	running: string[];
	/** those that any worker had taken from the queue, running or not */
	active: string[];
	/** those that had not ended, anywhere */
	unfinished: string[];
}

/** Makes calls happen, and reads what became of their events. */
export class Events {
	readonly #topology: Topology;
	readonly #service: Service;
	readonly #workflowId: string;
	/** the call of each execution, because n8n removes it from executions that it declares failed */
	readonly #calls = new Map<string, number>();

	/** @param workflowId the published workflow that every event starts */
	constructor(topology: Topology, service: Service, workflowId: string) {
		this.#topology = topology;
		this.#service = service;
		this.#workflowId = workflowId;
	}

	/** Makes calls, and waits until the delivery of each event has ended. */
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

	/** The delivery of every event. */
	async deliveries(): Promise<Delivery[]> {
		return await this.#service.control.deliveries();
	}

	/** All executions, with their calls. */
	async executions(): Promise<ExecutionRow[]> {
		return await this.#read('all');
	}

	/** The executions that are waiting or running. */
	async unfinished(): Promise<ExecutionRow[]> {
		return await this.#read('unfinished');
	}

	/** The number of SMS for each call. */
	async smsCounts(): Promise<Map<number, number>> {
		const counts = new Map<number, number>();
		for (const message of await this.#service.control.messages()) {
			const callId = Number(message.body.replace('Call ', ''));
			counts.set(callId, (counts.get(callId) ?? 0) + 1);
		}
		return counts;
	}

	/** Kills a worker while it runs executions. @param after how many it must have finished before */
	async kill(worker: QueueProcess, after: number): Promise<WorkerKill> {
		await waitFor('the worker to be busy', BUSY_LIMIT_MS, async () => {
			const hasFinished = (await worker.finished()).length >= after;
			return hasFinished && (await worker.running()).length >= RUNNING_AT_KILL ? true : undefined;
		});
		await worker.kill();
		const active = await this.#topology.redis.active();
		const started = new Set(await worker.started());
		const unfinished = (await this.unfinished()).map(({ id }) => id);
		const running = unfinished.filter((id) => started.has(id));
		assert.ok(running.length > 0, 'The killed worker ran no execution.');
		return { running, active, unfinished };
	}

	async #read(which: 'all' | 'unfinished'): Promise<ExecutionRow[]> {
		const { postgres } = this.#topology;
		const rows = await readExecutionRows(postgres, this.#workflowId, which);
		for (const { id, callId } of rows) if (callId !== undefined) this.#calls.set(id, callId);
		return rows.map((row) => ({ ...row, callId: this.#calls.get(row.id) }));
	}
}
