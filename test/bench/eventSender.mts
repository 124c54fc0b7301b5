import assert from 'node:assert/strict';

import * as z from 'zod';

import { itemsOf } from '../../host/api/execution.mts';
import { withProgress } from '../../host/process/progress.mts';
import { waitFor } from '../../host/process/wait.mts';
import { countEndedExecutions, readExecutions } from './executionRows.mts';
import { withProbes } from './n8nProbes.mts';
import { post } from '../support/post.mts';
import type { PublishedTrigger, PublishedTriggers } from './publishedTriggers.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';

const IN_FLIGHT = 10;
const WARM_UP = 50;
const READY_LIMIT_MS = 30_000;
const END_LIMIT_MS = 10 * 60_000;

const event = z.object({ id: z.number() });

function subjectOf(
	what: string,
	count: number,
	{ by }: PublishedTrigger,
	settings: string,
): Subject {
	return { work: `${count.toLocaleString('en')} ${what}, ${settings}`, by };
}

const titleOf = ({ work, by }: Subject): string => `${work}, to ${by}`;

/** Sends events to triggers, and compares the executions with the events. */
export class EventSender {
	readonly #round: Round;
	readonly #triggers: PublishedTriggers;
	/** the ids of the events that each trigger has accepted */
	readonly #accepted: Map<PublishedTrigger, number[]>;
	readonly #userFolder: string;
	#last = 1_000_000;

	constructor(round: Round, triggers: PublishedTriggers) {
		this.#round = round;
		this.#triggers = triggers;
		this.#userFolder = round.environment.userFolder;
		// With the event of the sandbox.
		this.#accepted = new Map([[triggers.own, [event.parse(triggers.body).id]]]);
	}

	/** Waits until n8n accepts events after its start, and sends some to each trigger. */
	async warmUp(): Promise<void> {
		const { own, webhook, minimal } = this.#triggers;
		for (const trigger of [own, webhook, minimal]) {
			await waitFor('n8n to accept events', READY_LIMIT_MS, async () => {
				const bodies = this.#bodies(1);
				const { statuses } = await post(trigger.url, bodies, 1);
				if (statuses[0] !== 200) return undefined;
				this.#expect(trigger, bodies);
				return true;
			});
			const bodies = this.#bodies(this.#round.quick ? 1 : WARM_UP);
			this.#expect(trigger, bodies);
			await post(trigger.url, bodies, IN_FLIGHT);
			await this.#untilSettled(trigger);
		}
	}

	/**
	 * Sends events to each trigger in turn, so that each is first, second and last once: n8n's speed
	 * changes while it runs.
	 *
	 * @param count events for one trigger in one turn
	 * @returns gives the subject of a trigger
	 */
	async deliverInTurns(
		count: number,
		settings: string,
	): Promise<(trigger: PublishedTrigger) => Subject> {
		const { own, minimal, webhook } = this.#triggers;
		const turns = [
			[own, minimal, webhook],
			[minimal, webhook, own],
			[webhook, own, minimal],
		];
		const subjectFor = (trigger: PublishedTrigger): Subject =>
			subjectOf('deliveries', count, trigger, settings);
		for (const [index, turn] of turns.entries()) {
			for (const trigger of turn) {
				await this.#deliver(count, trigger, subjectFor(trigger), `turn ${index + 1}`);
			}
		}
		return subjectFor;
	}

	/** Sends events, which the trigger must accept. */
	async #deliver(
		count: number,
		trigger: PublishedTrigger,
		subject: Subject,
		turn: string,
	): Promise<void> {
		const { check } = this.#round;
		const name = `${titleOf(subject)}, ${turn}: each is accepted and has one execution`;
		await check(name, async () => {
			const bodies = this.#bodies(count);
			this.#expect(trigger, bodies);
			await this.#measure(subject, async () => {
				const { from, statuses } = await post(trigger.url, bodies, IN_FLIGHT);
				assert.deepEqual([...new Set(statuses)], [200]);
				// n8n responds before it runs the workflow.
				return { count, from, to: await this.#untilSettled(trigger) };
			});
			this.#assertOneExecutionEach(trigger);
		});
	}

	/** Sends events with a wrong token, which the trigger must refuse. */
	async forge(count: number, trigger: PublishedTrigger, settings: string): Promise<Subject> {
		const subject = subjectOf('deliveries with a forged token', count, trigger, settings);
		const { check } = this.#round;
		await check(`${titleOf(subject)}: none has an execution`, async () => {
			const url = new URL(trigger.url);
			const token = url.searchParams.get('token') ?? '';
			url.searchParams.set('token', 'f'.repeat(token.length));
			await this.#measure(subject, async () => {
				const { from, to, statuses } = await post(url.href, this.#bodies(count), IN_FLIGHT);
				assert.deepEqual([...new Set(statuses)], [401]);
				return { count, from, to };
			});
			this.#assertOneExecutionEach(trigger);
		});
		return subject;
	}

	/** @param work sends `count` events between two moments in milliseconds since 1970 */
	async #measure(
		subject: Subject,
		work: () => Promise<{ count: number; from: number; to: number }>,
	): Promise<void> {
		const { environment, results } = this.#round;
		await withProbes(environment.n8n(), async (between) => {
			const { count, from, to } = await withProgress(titleOf(subject), () => 'sending', work);
			const time = (to - from) / 1000;
			results.record(subject, {
				time,
				rate: count / time,
				requests: count,
				...between(from, to),
			});
		});
	}

	/** Events with different ids. */
	#bodies(count: number): Array<{ id: number }> {
		return Array.from({ length: count }, () => ({
			...this.#triggers.body,
			id: (this.#last += 1),
		}));
	}

	#expect(trigger: PublishedTrigger, bodies: Array<{ id: number }>): void {
		const ids = bodies.map(({ id }) => id);
		this.#accepted.set(trigger, [...(this.#accepted.get(trigger) ?? []), ...ids]);
	}

	/** Waits until the executions of all accepted events have ended. @returns the end of the last one */
	async #untilSettled(trigger: PublishedTrigger): Promise<number> {
		const wanted = this.#accepted.get(trigger)?.length ?? 0;
		return await waitFor('all executions to end', END_LIMIT_MS, () => {
			const { ended, lastEnd } = countEndedExecutions(this.#userFolder, trigger.workflowId);
			return Promise.resolve(ended >= wanted ? lastEnd : undefined);
		});
	}

	#assertOneExecutionEach(trigger: PublishedTrigger): void {
		const { workflowId, node } = trigger;
		const executions = readExecutions(this.#userFolder, workflowId);
		const ids = executions.map((execution) => {
			assert.equal(execution.status, 'success', execution.error);
			const [{ id, body } = {}] = itemsOf(execution, node);
			// The Webhook node outputs the body as a field.
			return event.parse(id === undefined ? body : { id }).id;
		});
		assert.deepEqual(ids.toSorted(), this.#accepted.get(trigger)?.toSorted());
	}
}
