import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import { publishTools, type PublishedTool } from './publishedTools.mts';
import { ToolCaller } from './toolCaller.mts';

/** Settings of n8n, and what they are called in the results. */
const SETTINGS: Array<[name: string, env: NodeJS.ProcessEnv]> = [
	['lazy isolates', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
	['N8N_EXPRESSION_ENGINE=legacy', { N8N_EXPRESSION_ENGINE: 'legacy' }],
	['successful executions not saved', { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' }],
];

/** The time from a tool call to its answer: this package beside n8n's own nodes, and other settings. */
export async function toolAnswers(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	const count = quick ? 20 : 200;
	await environment.restart();
	const tools = await publishTools(environment);
	const { own, webhook } = tools;
	const caller = new ToolCaller(round);
	const measure = async (
		tool: PublishedTool,
		settings: string,
		inFlight: number,
	): Promise<Subject> => await caller.call(count, tool, settings, inFlight);
	const byDefault = "n8n's default settings";

	await caller.warmUp([own, webhook, ...tools.others]);
	for (const inFlight of [1, 10]) {
		const ours = await measure(own, byDefault, inFlight);
		const theirs = await measure(webhook, byDefault, inFlight);
		results.expect('p50', ours, theirs, { atMost: 1.5 });
	}
	for (const other of tools.others) await measure(other, byDefault, 1);
	// Each waits for a second.
	await caller.call(quick ? 3 : 20, tools.waiting, byDefault, 1);
	await caller.forge(quick ? 50 : 5_000, own, byDefault);
	for (const [name, env] of SETTINGS) {
		await environment.restart(env);
		await caller.warmUp([own, webhook]);
		for (const inFlight of [1, 10]) {
			await measure(own, name, inFlight);
			await measure(webhook, name, inFlight);
		}
	}
	await tools.unpublish();
}
