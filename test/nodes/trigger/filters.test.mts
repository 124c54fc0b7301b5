import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { passesFilters } from '../../../nodes/shared/calls/passesFilters.ts';
import { sendRequest } from '../../support/sandbox/client.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { failureOf, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

function workflow(filters: INodeParameters): Lifecycle {
	const parameters = onAssistant(1, 'callCompleted', { filters });
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const lifecycle = new Lifecycle(new TriggerNode(instance, { parameters }));
	webhookServer.serve(lifecycle);
	return lifecycle;
}

/** Whether a delivered call starts an execution. It is answered with 200 in any case. */
async function starts(filters: INodeParameters, body: unknown): Promise<boolean> {
	const lifecycle = workflow(filters);
	await lifecycle.publish();
	const { url } = await environment.registration('callCompleted');
	const before = webhookServer.executions.length;
	const { status } = await sendRequest(String(url), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect(status).toBe(200);
	return webhookServer.executions.length > before;
}

const campaign = { id: 7, name: 'Spring', status: 'in-progress' };

describe('a filter', () => {
	it.each<[string, INodeParameters, unknown]>([
		['the campaign', { campaignId: '7' }, { campaign }],
		['the campaign as a number', { campaignId: 7 }, { campaign_id: '7' }],
		['the campaign by an expression', { campaignId: '={{ 3 + 4 }}' }, { campaign }],
		['one of the directions', { directions: ['inbound', 'web'] }, { type: 'web' }],
		['the direction by an expression', { directions: '={{ "web" }}' }, { type: 'web' }],
		['the exact duration', { minimumDuration: 30 }, { duration: 30 }],
		['the duration as texts', { minimumDuration: '={{ "30" }}' }, { duration: '31' }],
		['one of the outcomes', { outcomes: ['busy', 'answered'] }, { status: 'ended' }],
		['voicemail', { outcomes: ['voicemail'] }, { status: 'completed', answered_by: 'machine' }],
		['an unknown status', { outcomes: ['unknown'] }, { status: 'transferred' }],
		['an empty filter', { campaignId: '', directions: [], outcomes: [] }, { status: 'busy' }],
	])('lets a call pass that has %s', async (_, filters, body) => {
		expect(await starts(filters, body)).toBe(true);
	});

	it.each<[string, INodeParameters, unknown]>([
		['another campaign', { campaignId: '7' }, { campaign: { ...campaign, id: 71 } }],
		['no campaign', { campaignId: '7' }, { campaign: null }],
		['another direction', { directions: ['inbound'] }, { type: 'outbound' }],
		['a shorter duration', { minimumDuration: 30 }, { duration: 29 }],
		['another outcome', { outcomes: ['answered'] }, { status: 'no-answer' }],
		[
			'voicemail instead of a human',
			{ outcomes: ['answered'] },
			{ status: 'completed', answered_by: 'machine' },
		],
		['an unknown status', { outcomes: ['answered'] }, { status: 'transferred' }],
		[
			'one of two filters only',
			{ outcomes: ['answered'], minimumDuration: 30 },
			{ status: 'completed', duration: 10 },
		],
	])('answers 200 and starts nothing for a call with %s', async (_, filters, body) => {
		expect(await starts(filters, body)).toBe(false);
	});

	const every = {
		campaignId: '7',
		directions: ['inbound'],
		minimumDuration: 30,
		outcomes: ['voicemail'],
	};

	it.each<[unknown]>([
		[{}],
		[{ id: 1, type: null, status: null, duration: null }],
		[{ status: 'completed' }],
		[[{ status: 'busy' }]],
		['text'],
	])('lets a call pass that lacks its field: %j', async (body) => {
		expect(await starts(every, body)).toBe(true);
	});

	it('never fails, whatever is compared', () => {
		fc.assert(
			fc.property(fc.object(), fc.object(), (call, filters) => {
				expect(typeof passesFilters(call as never, filters)).toBe('boolean');
			}),
		);
	});

	it('that is empty lets every call pass', () => {
		fc.assert(
			fc.property(
				fc.object({ key: fc.constantFrom('status', 'type', 'campaign', 'duration') }),
				(call) => {
					expect(passesFilters(call as never, {})).toBe(true);
				},
			),
		);
	});
});

describe('a wrong filter', () => {
	it.each<[INodeParameters, string]>([
		[
			{ campaignId: 'Spring' },
			"The filter 'Campaign ID' must be an ID, a whole number from 1. The value is: Spring.",
		],
		[
			{ minimumDuration: '={{ "a minute" }}' },
			"The filter 'Minimum Duration (Seconds)' must be a number from 0. The value is: a minute.",
		],
		[
			{ minimumDuration: -1 },
			"The filter 'Minimum Duration (Seconds)' must be a number from 0. The value is: -1.",
		],
		[
			{ directions: '={{ ["inbound", "up"] }}' },
			"The filter 'Direction' must be one or more of: inbound, outbound, web. The value is: inbound, up.",
		],
		[
			{ outcomes: '={{ "Answered" }}' },
			"The filter 'Outcome' must be one or more of: answered, busy, failed, no-answer, unknown, voicemail. The value is: Answered.",
		],
		[
			{ campaignId: '={{ [7] }}' },
			"The filter 'Campaign ID' must be an ID, a whole number from 1. The value is: [7].",
		],
		[
			{ campaignId: '={{ ({ id: 7 }) }}' },
			`The filter 'Campaign ID' must be an ID, a whole number from 1. The value is: {"id":7}.`,
		],
		[
			{ minimumDuration: '={{ "Infinity" }}' },
			"The filter 'Minimum Duration (Seconds)' must be a number from 0. The value is: Infinity.",
		],
		[
			{ minimumDuration: '={{ true }}' },
			"The filter 'Minimum Duration (Seconds)' must be a number from 0. The value is: true.",
		],
		[
			{ minimumDuration: '={{ " " }}' },
			"The filter 'Minimum Duration (Seconds)' must be a number from 0. The value is:  .",
		],
		[
			{ directions: '={{ true }}' },
			"The filter 'Direction' must be one or more of: inbound, outbound, web. The value is: true.",
		],
		[
			{ outcomes: '={{ ({ outcome: "busy" }) }}' },
			`The filter 'Outcome' must be one or more of: answered, busy, failed, no-answer, unknown, voicemail. The value is: {"outcome":"busy"}.`,
		],
	])('is named when the workflow is published: %j', async (filters, expected) => {
		const asked = await environment.requestedOperations(async () => {
			const { message } = await failureOf(workflow(filters).node.hook('create', 'production', {}));
			expect(message).toBe(`${expected} Correct the filter, then publish again.`);
		});
		expect(asked).toEqual([]);
	});
});

describe('a wrong Leave Out', () => {
	it.each([
		['"transcripts"', 'transcripts'],
		['"transcript, recording"', 'transcript, recording'],
		['["transcript", "everything"]', 'transcript, everything'],
		['true', 'true'],
	])('is named when the workflow is published: {{ %s }}', async (value, shown) => {
		const parameters = onAssistant(1, 'callCompleted', { leaveOut: `={{ ${value} }}` });
		const node = new TriggerNode(environment.instance(), { parameters });
		const asked = await environment.requestedOperations(async () => {
			expect((await failureOf(node.hook('create', 'production', {}))).message).toBe(
				`'Leave Out' must be one or more of: rawBody, recording, transcript. The value is: ${shown}. Correct the field, then publish again.`,
			);
		});
		expect(asked).toEqual([]);
	});
});
