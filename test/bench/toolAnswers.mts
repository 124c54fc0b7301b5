import type { Workflow } from '../../host/api/workflow.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { getObjects } from '../../sandbox/test/support/contract.mts';
import { getHeaders, midCallToolTrigger, respond } from '../support/midCallTools.mts';
import { fields, node } from '../support/workflows.mts';
import { measureRequests, openPublisher, warmUp } from './publishedWebhooks.mts';
import type { PublishedWebhook } from './publishedWebhooks.mts';
import { atMostTimes, type Subject } from './results.mts';
import type { BenchEnvironment, Round } from './round.mts';

/** One of Alice's. */
const ASSISTANT = 2;
const TEXT = 'At ten.';
/** The body of each answer. */
const ANSWER = JSON.stringify({ answer: TEXT });
const WARM_UP = 30;

/** Settings of n8n, and what they are called in the results. */
const SETTINGS: Array<[name: string, env: NodeJS.ProcessEnv]> = [
	['lazy isolates', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
	['N8N_EXPRESSION_ENGINE=legacy', { N8N_EXPRESSION_ENGINE: 'legacy' }],
	['successful executions not saved', { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' }],
];

/** The time from a tool call to its answer: this package beside n8n's own nodes, and other settings. */
export async function toolAnswers(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	await environment.restart();
	const { own, webhook, others, waiting, unpublishAll } = await publishTools(environment);
	const calls = (count: number): object[] => Array.from({ length: count }, () => ({}));
	const measure = async (
		settings: string,
		tool: PublishedWebhook,
		inFlight = 1,
		count = quick ? 20 : 200,
	): Promise<Subject> =>
		await measureRequests(round, tool, {
			work: `${count} answers, ${inFlight} at a time, ${settings}`,
			claim: 'each request gets the answer',
			bodies: calls(count),
			inFlight,
			status: 200,
			text: ANSWER,
		});
	const compare = async (settings: string, ...more: PublishedWebhook[]): Promise<void> => {
		await warmUp(environment, [own, webhook, ...more], calls(quick ? 2 : WARM_UP));
		for (const inFlight of [1, 10]) {
			const ours = await measure(settings, own, inFlight);
			const theirs = await measure(settings, webhook, inFlight);
			if (settings === byDefault) results.expect('p50', ours, atMostTimes(1.5), theirs);
		}
		for (const tool of more) await measure(settings, tool);
	};

	const byDefault = "n8n's default settings";
	await compare(byDefault, ...others);
	// Each waits for a second.
	await measure(byDefault, waiting, 1, quick ? 3 : 20);
	for (const [settings, env] of SETTINGS) {
		await environment.restart(env);
		await compare(settings);
	}
	await unpublishAll();
}

/** Publishes this package's trigger with different nodes before the answer, and n8n's own nodes. */
async function publishTools(environment: BenchEnvironment) {
	const publisher = await openPublisher(environment);
	const { sandbox, credential, publish, publishWebhookNode } = publisher;
	const publishTool = async (
		name: string,
		...between: Workflow['nodes']
	): Promise<PublishedWebhook> => {
		const trigger = midCallToolTrigger([ASSISTANT], credential, { name, timeout: 30 });
		const nodes = [trigger, ...between, respond('Respond', TEXT, credential)];
		const by = ['this trigger', ...nodes.slice(1).map((one) => one.name)].join(' → ');
		return await publish(by, nodes, async () => {
			const { tools } = await assistantRecord(sandbox.alice, ASSISTANT);
			const tool = getObjects(tools).find((record) => record.name === name);
			return { url: String(tool?.endpoint), headers: getHeaders(tool) };
		});
	};
	const expression = fields('Edit Fields', { day: '={{ $json.tool }}' });
	const code = node('Code', 'n8n-nodes-base.code', 2, { jsCode: 'return $input.all();' });
	const wait = node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1, unit: 'seconds' });
	const respondToWebhook = node('Respond', 'n8n-nodes-base.respondToWebhook', 1.1, {
		respondWith: 'json',
		responseBody: ANSWER,
		options: {},
	});
	return {
		...publisher,
		own: await publishTool('only'),
		others: [await publishTool('with_fields', expression), await publishTool('with_code', code)],
		waiting: await publishTool('with_wait', wait),
		webhook: await publishWebhookNode(
			'Webhook → Respond to Webhook',
			{ responseMode: 'responseNode', options: {} },
			respondToWebhook,
		),
	};
}
