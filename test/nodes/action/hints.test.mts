import { afterEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION } from '../../../host/n8n/names.mts';
import { NODE_NAME } from '../../support/n8n/n8n.mts';
import { MANUAL_TRIGGER } from '../../support/n8n/package.mts';
import { leadPerItem, operationNamed, OPERATIONS, people } from '../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../support/n8n/testEnvironment.mts';
import { skipWaits, useRealTime } from '../../support/n8n/time.mts';

const { n8n, service, fault, sent } = await startTestEnvironment();

const { hints = [] } = n8n.nodeType(ACTION).description;

/** The hints that n8n's editor shows for a node, evaluated as the editor does (n8n 2.0, 2.41). */
function shownBefore(parameters: INodeParameters, items: IDataObject[]): string[] {
	const workflow = n8n.workflow({
		nodes: [{ name: NODE_NAME, type: ACTION, parameters }],
		connections: {},
	});
	const context = [null, 0, 0, NODE_NAME, items.map((json) => ({ json })), 'manual', {}] as const;
	return hints
		.filter(
			({ displayCondition = '' }) =>
				workflow.expression.getParameterValue(displayCondition, ...context) === true,
		)
		.map(({ message }) => message);
}

const TWO_ITEMS = [{}, {}];
const DUPLICATES = expect.stringMatching(/^Each item becomes a lead/);
const STARTS = expect.stringMatching(/If several items start the same campaign, switch on/);
const WEBHOOK = expect.stringMatching(/takes .* from a published trigger/);

describe('before a run, a hint warns', () => {
	const createLead = operationNamed('lead: create').parameters;
	const startCampaign = operationNamed('campaign: start').parameters;
	const withDuplicates = { ...createLead, additionalFields: { onDuplicate: 'createAnyway' } };
	const updateAssistant = operationNamed('assistant: update').parameters;

	const withUrl = { afterTheCall: { webhookUrl: 'https://example.com' } };
	const enable = operationNamed('assistant: enableWebhook').parameters;
	const enableInbound = operationNamed('assistant: enableInboundWebhook').parameters;

	it.each<[string, INodeParameters, IDataObject[], unknown[]]>([
		['of duplicates on a list', withDuplicates, TWO_ITEMS, [DUPLICATES]],
		['of several starts', startCampaign, TWO_ITEMS, [STARTS]],
		['of duplicates while the items are unknown', withDuplicates, [], [DUPLICATES]],
		['of several starts while the items are unknown', startCampaign, [], [STARTS]],
		['of no duplicates when one item comes', withDuplicates, [{}], []],
		[
			'of no duplicates with Only Once Per',
			{ ...withDuplicates, options: { onlyOnce: '={{ $json.id }}' } },
			TWO_ITEMS,
			[],
		],
		['of nothing when one item starts a campaign', startCampaign, [{}], []],
		['of a webhook set by hand', { ...updateAssistant, ...withUrl }, TWO_ITEMS, [WEBHOOK]],
		['of a webhook', enable, TWO_ITEMS, [WEBHOOK]],
		['of a webhook of inbound calls', enableInbound, TWO_ITEMS, [WEBHOOK]],
	])('%s', (_, parameters, items, messages) => {
		expect(shownBefore(parameters, items)).toEqual(messages);
	});

	it('of nothing in all other operations', () => {
		const warned = OPERATIONS.filter(
			({ parameters }) => shownBefore(parameters, TWO_ITEMS).length > 0,
		);
		expect(warned.map(({ name }) => name)).toEqual([
			'campaign: start',
			'assistant: enableInboundWebhook',
			'assistant: enableWebhook',
		]);
	});
});

describe('after a run, a hint warns', () => {
	afterEach(useRealTime);

	/** The hints of each run of the node. */
	async function shownAfter(parameters: INodeParameters, items: IDataObject[]) {
		const { run } = await n8n.runNode({ parameters, items });
		return run.data.resultData.runData[NODE_NAME]?.map(({ hints: shown = [] }) => shown);
	}

	const startEach: INodeParameters = {
		resource: 'campaign',
		operation: 'start',
		campaignId: '={{ $json.campaign }}',
	};
	const startedAgain = {
		message: expect.stringMatching(/^This node has started campaigns several times/),
		type: 'warning',
		location: 'outputPane',
	};

	it.each<[string, INodeParameters, IDataObject[], unknown[]]>([
		[
			'of a campaign that was started by several items',
			startEach,
			[{ campaign: 2 }, { campaign: 2 }],
			[startedAgain],
		],
		[
			'of nothing when each item starts another campaign',
			startEach,
			[{ campaign: 1 }, { campaign: 2 }],
			[],
		],
		['of nothing when all is well', leadPerItem, people(3), []],
	])('%s', async (_what, parameters, items, shown) => {
		expect(await shownAfter(parameters, items)).toEqual([shown]);
	});

	it('of calls that nobody receives', async () => {
		const { parameters } = operationNamed('assistant: getWebhookStatus');
		const message = expect.stringMatching(/^Nobody receives the calls\. .*publish it again/);
		const nobody = { message, type: 'warning', location: 'outputPane' };
		expect(await shownAfter(parameters, [{}])).toEqual([[nobody]]);
		const webhook = { is_webhook_active: true, webhook_url: 'https://example.com/calls' };
		await service.alice.put('/user/assistant/1', webhook);
		expect(await shownAfter(parameters, [{}])).toEqual([[]]);
	});

	it('of a start in a loop', async () => {
		const toNode = { node: NODE_NAME, type: 'main' as const, index: 0 };
		const run = await n8n.runWorkflow({
			nodes: [
				{ name: 'Start', type: MANUAL_TRIGGER },
				{ name: NODE_NAME, type: ACTION, parameters: operationNamed('campaign: start').parameters },
			],
			connections: { Start: { main: [[toNode, toNode]] } },
			pinData: { Start: [{ json: {} }] },
		});
		expect(run.data.resultData.runData[NODE_NAME]?.map((task) => task.hints ?? [])).toEqual([
			[],
			[startedAgain],
		]);
		// The second run sends again.
		expect(await sent()).toHaveLength(2);
	});

	it('of the time for which the service asked to wait', async () => {
		skipWaits();
		await fault({ status: 429, headers: { 'Retry-After': '7' } });
		const message = expect.stringContaining('The run waited 7 s in total');
		expect(await shownAfter(leadPerItem, people(3))).toEqual([
			[{ message, type: 'info', location: 'outputPane' }],
		]);
	});
});
