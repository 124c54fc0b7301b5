import { afterEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION } from '../../../host/n8n/names.mts';
import { NODE_NAME } from '../../support/n8n/n8n.mts';
import { MANUAL_TRIGGER } from '../../support/n8n/package.mts';
import { leadPerItem, operationNamed, OPERATIONS, people } from '../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../support/n8n/testEnvironment.mts';
import { skipWaits, useRealTime } from '../../support/n8n/time.mts';

const { n8n, fault } = await startTestEnvironment();

const { hints = [] } = n8n.nodeType(ACTION).description;

/** The hints that n8n's editor shows for a node, evaluated as the editor does (n8n 2.0, 2.41). */
function shownBefore(parameters: INodeParameters, items: IDataObject[]): string[] {
	const workflow = n8n.workflow({
		nodes: [{ name: NODE_NAME, type: ACTION, parameters }],
		connections: {},
	});
	const input = items.map((json) => ({ json }));
	return hints
		.filter(({ displayCondition = '' }) => {
			const { expression } = workflow;
			return (
				expression.getParameterValue(
					displayCondition,
					null,
					0,
					0,
					NODE_NAME,
					input,
					'manual',
					{},
				) === true
			);
		})
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

	it.each([
		['of duplicates on a list', withDuplicates, DUPLICATES],
		['of several starts', startCampaign, STARTS],
		[
			'of a webhook set by hand',
			{ ...updateAssistant, afterTheCall: { webhookUrl: 'https://example.com' } },
			WEBHOOK,
		],
		...['assistant: enableWebhook', 'assistant: enableInboundWebhook'].map(
			(name): [string, INodeParameters, unknown] => [
				`of ${name}`,
				operationNamed(name).parameters,
				WEBHOOK,
			],
		),
	])('%s', (_, parameters, message) => {
		expect(shownBefore(parameters, TWO_ITEMS)).toEqual([message]);
	});

	it('of duplicates and several starts while the items are unknown', () => {
		expect(shownBefore(withDuplicates, [])).toEqual([DUPLICATES]);
		expect(shownBefore(startCampaign, [])).toEqual([STARTS]);
	});

	it('of nothing when one item comes', () => {
		expect(shownBefore(withDuplicates, [{}])).toEqual([]);
		expect(shownBefore(startCampaign, [{}])).toEqual([]);
	});

	it('of nothing in all other operations', () => {
		const warned = OPERATIONS.filter(
			({ parameters }) => shownBefore(parameters, TWO_ITEMS).length > 0,
		);
		expect(warned.map(({ name }) => name)).toEqual([
			'assistant: enableWebhook',
			'assistant: enableInboundWebhook',
			'campaign: start',
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

	it('of a campaign that was started by several items', async () => {
		expect(await shownAfter(startEach, [{ campaign: 2 }, { campaign: 2 }])).toEqual([
			[startedAgain],
		]);
	});

	it('of nothing when each item starts another campaign', async () => {
		expect(await shownAfter(startEach, [{ campaign: 1 }, { campaign: 2 }])).toEqual([[]]);
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
	});

	it('of the time for which the service asked to wait', async () => {
		skipWaits();
		await fault({ status: 429, headers: { 'Retry-After': '7' } });
		expect(await shownAfter(leadPerItem, people(3))).toEqual([
			[
				{
					message: expect.stringContaining('asked for a pause, 7 s in total'),
					type: 'info',
					location: 'outputPane',
				},
			],
		]);
	});

	it('of nothing when all is well', async () => {
		expect(await shownAfter(leadPerItem, people(3))).toEqual([[]]);
	});
});
