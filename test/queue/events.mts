import assert from 'node:assert/strict';

import * as z from 'zod';

import { waitFor } from '../../host/process/wait.mts';
import type { Service } from '../../sandbox/test/support/service.mts';
import { readExecutionData } from '../support/storedExecutions.mts';
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

const row = z.object({ id: z.string(), status: z.string(), data: z.string() });

/** An execution in PostgreSQL. */
export interface ExecutionRow {
	id: string;
	status: string;
	/** the call that started it */
	callId: number | undefined;
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
				await control.outbound({ assistant_id: ASSISTANT, to: '+4915112345690' });
			}
			await control.advance(A_CALL);
		}
	}

	/**
	 * All executions, the oldest first. All processes share PostgreSQL, and n8n's REST API gives at most
	 * 100 at once.
	 */
	async executions(): Promise<ExecutionRow[]> {
		const lines = await this.#topology.postgres.query(
			`SELECT json_build_object('id', e.id::text, 'status', e.status, 'data', d.data)
			FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
			WHERE e."workflowId" = '${this.#workflowId}' ORDER BY e.id`,
		);
		return lines.map((line) => {
			const { id, status, data } = row.parse(JSON.parse(line));
			const { callId = this.#calls.get(id) } = readExecutionData(data);
			if (callId !== undefined) this.#calls.set(id, callId);
			return { id, status, callId };
		});
	}

	/** The executions that have not ended. */
	async unfinished(): Promise<string[]> {
		const executions = await this.executions();
		return executions
			.filter(({ status }) => status === 'new' || status === 'running')
			.map(({ id }) => id);
	}

	/** The number of SMS for each call. */
	async smsCounts(): Promise<Map<number, number>> {
		const messages = await this.#service.control.messages();
		const byCall = Map.groupBy(messages, ({ body }) => Number(body.replace('Call ', '')));
		return new Map([...byCall].map(([callId, all]) => [callId, all.length]));
	}

	/**
	 * Kills a worker while it runs executions.
	 *
	 * @param after how many it must have finished before
	 * @returns the executions that it was running
	 */
	async kill(worker: QueueProcess, after: number): Promise<string[]> {
		await waitFor('the worker to be busy', BUSY_LIMIT_MS, async () => {
			const hasFinished = (await worker.finished()).length >= after;
			return hasFinished && (await worker.running()).length >= RUNNING_AT_KILL ? true : undefined;
		});
		await worker.kill();
		const started = new Set(await worker.started());
		const running = (await this.unfinished()).filter((id) => started.has(id));
		assert.ok(running.length > 0, 'The killed worker ran no execution.');
		return running;
	}
}
