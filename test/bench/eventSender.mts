import assert from 'node:assert/strict';

import * as z from 'zod';

import { itemsOf } from '../../host/api/execution.mts';
import { showProgress } from '../../host/process/progress.mts';
import { waitFor } from '../../host/process/wait.mts';
import { countExecutions, readExecutions } from './executionRows.mts';
import { withProbes } from './n8nProbes.mts';
import { post } from './post.mts';
import type { Receiver, Receivers } from './receivers.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';

const IN_FLIGHT = 10;
const WARM_UP = 50;
const READY_LIMIT_MS = 30_000;
const END_LIMIT_MS = 10 * 60_000;

const event = z.object({ id: z.number() });

function subjectOf(what: string, count: number, { by }: Receiver, settings: string): Subject {
	return { work: `${count.toLocaleString('en')} ${what}, ${settings}`, by };
}

const titleOf = ({ work, by }: Subject): string => `${work}, to ${by}`;

/** Sends events, and accounts for them. */
export class EventSender {
	readonly #round: Round;
	readonly #receivers: Receivers;
	/** the events that each workflow has taken, by their number */
	readonly #taken: Map<Receiver, number[]>;
	readonly #userFolder: string;
	#last = 1_000_000;

	constructor(round: Round, receivers: Receivers) {
		this.#round = round;
		this.#receivers = receivers;
		this.#userFolder = round.environment.userFolder;
		// The service's own event.
		this.#taken = new Map([[receivers.own, [event.parse(receivers.body).id]]]);
	}

	/** Waits until n8n takes events after its start, and has each trigger take some. */
	async warmUp(): Promise<void> {
		for (const receiver of [
			this.#receivers.own,
			this.#receivers.webhook,
			this.#receivers.minimal,
		]) {
			await waitFor('n8n to take events', READY_LIMIT_MS, async () => {
				const bodies = this.#bodies(1);
				const { statuses } = await post(receiver.url, bodies, 1);
				if (statuses[0] !== 200) return undefined;
				this.#take(receiver, bodies);
				return true;
			});
			const bodies = this.#bodies(this.#round.quick ? 1 : WARM_UP);
			this.#take(receiver, bodies);
			await post(receiver.url, bodies, IN_FLIGHT);
			await this.#settled(receiver);
		}
	}

	/** Delivers events, which are all to be accepted. */
	async deliver(count: number, receiver: Receiver, settings: string): Promise<Subject> {
		const subject = subjectOf('deliveries', count, receiver, settings);
		const { check } = this.#round;
		await check(`${titleOf(subject)}: each is accepted and has one execution`, async () => {
			const bodies = this.#bodies(count);
			this.#take(receiver, bodies);
			await this.#measure(subject, async () => {
				const { from, statuses } = await post(receiver.url, bodies, IN_FLIGHT);
				assert.deepEqual([...new Set(statuses)], [200]);
				// n8n answers before it has run the workflow.
				return { count, from, to: await this.#settled(receiver) };
			});
			this.#assertOneExecutionEach(receiver);
		});
		return subject;
	}

	/** Delivers events with a wrong token, which are all to be refused. */
	async forge(count: number, receiver: Receiver, settings: string): Promise<Subject> {
		const subject = subjectOf('deliveries with a forged token', count, receiver, settings);
		const { check } = this.#round;
		await check(`${titleOf(subject)}: none has an execution`, async () => {
			const url = new URL(receiver.url);
			const token = url.searchParams.get('token') ?? '';
			url.searchParams.set('token', 'f'.repeat(token.length));
			await this.#measure(subject, async () => {
				const { from, to, statuses } = await post(url.href, this.#bodies(count), IN_FLIGHT);
				assert.deepEqual([...new Set(statuses)], [401]);
				return { count, from, to };
			});
			this.#assertOneExecutionEach(receiver);
		});
		return subject;
	}

	/** @param work sends so many events, between two moments in milliseconds since 1970 */
	async #measure(
		subject: Subject,
		work: () => Promise<{ count: number; from: number; to: number }>,
	): Promise<void> {
		const { environment, results } = this.#round;
		await withProbes(environment.n8n(), async (between) => {
			const endProgress = showProgress(titleOf(subject), () => 'sending');
			const { count, from, to } = await work().finally(endProgress);
			const time = (to - from) / 1000;
			results.record(subject, {
				time,
				rate: count / time,
				requests: count,
				...between(from, to),
			});
		});
	}

	/** What the service sends, each with a number of its own. */
	#bodies(count: number): Array<{ id: number }> {
		return Array.from({ length: count }, () => ({
			...this.#receivers.body,
			id: (this.#last += 1),
		}));
	}

	#take(receiver: Receiver, bodies: Array<{ id: number }>): void {
		const ids = bodies.map(({ id }) => id);
		this.#taken.set(receiver, [...(this.#taken.get(receiver) ?? []), ...ids]);
	}

	/** Waits until the executions of all that was taken have ended. @returns when the last one did */
	async #settled(receiver: Receiver): Promise<number> {
		const wanted = this.#taken.get(receiver)?.length ?? 0;
		return await waitFor('all executions to end', END_LIMIT_MS, () => {
			const { ended, lastEnd } = countExecutions(this.#userFolder, receiver.workflowId);
			return Promise.resolve(ended >= wanted ? lastEnd : undefined);
		});
	}

	#assertOneExecutionEach(receiver: Receiver): void {
		const { workflowId, trigger } = receiver;
		const executions = readExecutions(this.#userFolder, workflowId);
		const ids = executions.map((execution) => {
			assert.equal(execution.status, 'success', execution.error);
			const [{ id, body } = {}] = itemsOf(execution, trigger);
			// The Webhook node gives the body as a field.
			return event.parse(id === undefined ? body : { id }).id;
		});
		assert.deepEqual(ids.toSorted(), this.#taken.get(receiver)?.toSorted());
	}
}
