import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import { SECRET_HEADER } from '../support/midCallTools.mts';
import { percentile } from '../support/percentile.mts';
import { post } from '../support/post.mts';
import { countEndedExecutions } from './executionRows.mts';
import { withProbes } from './n8nProbes.mts';
import { ANSWER, type PublishedTool } from './publishedTools.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';

const READY_LIMIT_MS = 30_000;
const WARM_UP = 30;

/** Calls published tools, and measures the time until the answer. */
export class ToolCaller {
	readonly #round: Round;

	constructor(round: Round) {
		this.#round = round;
	}

	/** Waits until n8n answers after its start, and calls each tool some times. */
	async warmUp(tools: PublishedTool[]): Promise<void> {
		for (const { url, headers } of tools) {
			await waitFor('n8n to answer', READY_LIMIT_MS, async () => {
				const { statuses } = await post(url, [{}], 1, headers);
				return statuses[0] === 200 || undefined;
			});
			const bodies = Array.from({ length: this.#round.quick ? 1 : WARM_UP }, () => ({}));
			await post(url, bodies, 1, headers);
		}
	}

	/** Calls a tool `count` times, which must answer each time. */
	async call(
		count: number,
		{ by, url, headers }: PublishedTool,
		settings: string,
		inFlight: number,
	): Promise<Subject> {
		const { environment, results, check } = this.#round;
		const pace = inFlight === 1 ? 'one at a time' : `${inFlight} at a time`;
		const subject = { work: `${count} answers, ${pace}, ${settings}`, by };
		await check(`${subject.work}, by ${by}: each request gets the answer`, async () => {
			const bodies = Array.from({ length: count }, () => ({}));
			await withProbes(environment.n8n(), async (between) => {
				const { from, to, statuses, texts, latencies } = await post(url, bodies, inFlight, headers);
				assert.deepEqual([...new Set(statuses)], [200]);
				assert.deepEqual([...new Set(texts)], [ANSWER]);
				results.record(subject, {
					p50: percentile(latencies, 0.5),
					p95: percentile(latencies, 0.95),
					requests: count,
					...between(from, to),
				});
			});
		});
		return subject;
	}

	/** Calls a tool with a wrong secret, which must start nothing. */
	async forge(count: number, tool: PublishedTool, settings: string): Promise<void> {
		const { environment, results, check } = this.#round;
		const work = `${count.toLocaleString('en')} calls with a forged secret, ${settings}`;
		await check(`${work}: none has an execution`, async () => {
			const started = countEndedExecutions(environment.userFolder, tool.workflowId);
			const headers = { ...tool.headers, [SECRET_HEADER]: 'f'.repeat(64) };
			const bodies = Array.from({ length: count }, () => ({}));
			const { from, to, statuses } = await post(tool.url, bodies, 10, headers);
			assert.deepEqual([...new Set(statuses)], [401]);
			const { ended } = countEndedExecutions(environment.userFolder, tool.workflowId);
			assert.equal(ended, started.ended);
			const time = (to - from) / 1000;
			results.record({ work, by: tool.by }, { time, rate: count / time, requests: count });
		});
	}
}
