import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../sandbox/test/support/contract.mts';
import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../../../host/n8n/names.mts';
import { byId, operationNamed } from '../../support/n8n/operations.mts';
import { existingTool, triggerParameters } from '../../support/trigger/toolTrigger.mts';
import { onAssistant } from '../../support/trigger/triggerNode.mts';
import {
	ASSISTANT_IDS,
	CRM_URL,
	startTriggersInWeather,
} from '../../support/weather/triggersInWeather.mts';

const TWO_DAYS_MS = 172_800_000;

const { environment, present, workflow, under } = await startTriggersInWeather();
const [FIRST_ID = 0] = ASSISTANT_IDS;

type Show = (assistant: JsonObject) => JsonObject;

/** Shows the webhook URLs in another way. */
const urls =
	(show: (url: string) => unknown): Show =>
	(assistant) => {
		const { webhook_url, inbound_webhook_url, ...others } = assistant;
		const shown = [webhook_url, inbound_webhook_url].map((url) =>
			typeof url === 'string' ? show(url) : url,
		);
		return { ...others, webhook_url: shown[0], inbound_webhook_url: shown[1] };
	};

const without =
	(...names: string[]): Show =>
	(assistant) =>
		Object.fromEntries(Object.entries(assistant).filter(([name]) => !names.includes(name)));

const hidesUrls = without('webhook_url', 'inbound_webhook_url');

const EVENTS = ['callCompleted', 'inboundCallCompleted'] as const;

const REPLACE = { options: { replaceExisting: true } };

describe.each(EVENTS)('the trigger for %s', (event) => {
	const trigger = (others = {}, assistantId = FIRST_ID) => ({
		type: TRIGGER,
		parameters: onAssistant(assistantId, event, others),
	});

	it('does not disconnect another system where the service does not show the webhook URL', async () => {
		await environment.register(event, CRM_URL, FIRST_ID);
		const before = await present();
		await under({ show: hidesUrls }, async (server, takes) => {
			const lifecycle = workflow(trigger(), server);
			const { failure } = await takes(() => lifecycle.publish());
			expect(failure).toMatch(/Replace Existing Webhook|already go to the host crm.example.org/);
			expect(await present()).toEqual(before);
			await takes(() => lifecycle.unpublish());
		});
		expect(await present()).toEqual(before);
	});

	it('says with Replace Existing Webhook that it cannot put back what is not shown', async () => {
		await environment.register(event, CRM_URL, FIRST_ID);
		await under({ show: hidesUrls }, async (server, takes) => {
			const lifecycle = workflow(trigger(REPLACE), server, '2.41');
			const { warnings } = lifecycle.node.instance;
			expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
			expect(JSON.stringify(await present())).toContain('token=');
			expect(warnings.join()).toContain('so unpublishing cannot put it back');
			await takes(() => lifecycle.unpublish());
			expect(warnings.join()).toContain('it could not be put back');
		});
		expect(JSON.stringify(await present())).not.toContain('n8n.example.com');
	});

	it('leaves what it cannot see where the service refuses the change', async () => {
		await environment.register(event, CRM_URL, FIRST_ID);
		const before = await present();
		await environment.fault('updateAssistant', { status: 422 });
		await environment.fault('enableInboundWebhook', { status: 422 });
		await under({ show: hidesUrls }, async (server, takes) => {
			const { failure } = await takes(() => workflow(trigger(REPLACE), server).publish());
			expect(failure).toContain('a fault is in force');
		});
		await environment.service.control.clearFaults();
		expect(await present()).toEqual(before);
	});

	it('does not listen for a test event where it cannot see who gets the calls', async () => {
		await environment.register(event, CRM_URL, FIRST_ID);
		const before = await present();
		await under({ show: hidesUrls }, async (server, takes) => {
			const lifecycle = workflow(trigger(REPLACE), server);
			const { failure } = await takes(() => lifecycle.listen());
			expect(failure).toContain('does not show whether');
		});
		expect(await present()).toEqual(before);
	});
});

it('a webhook that is on is left alone where its URL is shown as null', async () => {
	await environment.register('callCompleted', CRM_URL, FIRST_ID);
	const before = await present();
	await under({ show: urls(() => null) }, async (server, takes) => {
		const lifecycle = workflow({ type: TRIGGER, parameters: onAssistant(FIRST_ID) }, server);
		const { failure } = await takes(() => lifecycle.publish());
		expect(failure).toContain('does not show whether');
		await takes(() => lifecycle.unpublish());
	});
	expect(await present()).toEqual(before);
});

describe.each([
	['does not show it', without('send_webhook_only_on_completed')],
	['shows null', (assistant) => ({ ...assistant, send_webhook_only_on_completed: null })],
] satisfies Array<[string, Show]>)(
	'which calls an assistant sends, where the service %s',
	(_, show) => {
		const id = FIRST_ID;
		const HIDDEN = `The service does not show send_webhook_only_on_completed of the assistant 'Caller' (ID ${id}). Publishing sets it as this trigger has it, and unpublishing leaves it.`;
		const isOnlyCompleted = async () =>
			(await environment.assistant(id)).send_webhook_only_on_completed;

		it('is set as the user chose, and unpublishing leaves it, as n8n’s log says', async () => {
			await environment.updateAssistant(
				{ assistant_name: 'Caller', send_webhook_only_on_completed: true },
				id,
			);
			await under({ show }, async (server, takes) => {
				const lifecycle = workflow({ type: TRIGGER, parameters: onAssistant(id) }, server, '2.41');
				const { warnings } = lifecycle.node.instance;
				expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
				expect(await isOnlyCompleted()).toBe(false);
				await takes(() => lifecycle.restart());
				await takes(() => lifecycle.unpublish());
				expect(warnings).toEqual([HIDDEN, HIDDEN]);
			});
			expect(await isOnlyCompleted()).toBe(false);
			expect(JSON.stringify(await present())).not.toContain('n8n.example.com');
		});
	},
);

it('n8n’s log says where a service accepts which calls to send, and shows another value', async () => {
	const show: Show = (assistant) => ({ ...assistant, send_webhook_only_on_completed: true });
	await under({ show }, async (server, takes) => {
		const trigger = { type: TRIGGER, parameters: onAssistant(FIRST_ID) };
		const lifecycle = workflow(trigger, server);
		await takes(() => lifecycle.publish());
		expect(lifecycle.node.instance.warnings).toEqual([
			expect.stringMatching(
				/^The service accepted send_webhook_only_on_completed of .*, and shows another value/,
			),
		]);
	});
});

it('a publish fails where the service takes the URL, and delivery stays off', async () => {
	const show: Show = (assistant) => ({ ...assistant, is_webhook_active: false });
	await under({ show }, async (server, takes) => {
		const trigger = { type: TRIGGER, parameters: onAssistant(FIRST_ID) };
		const { failure } = await takes(() => workflow(trigger, server).publish());
		expect(failure).toContain('delivery is switched off');
	});
});

it('a webhook that is off needs no URL in the record', async () => {
	const before = await present();
	const parameters = onAssistant(FIRST_ID);
	await under({ show: without('webhook_url') }, async (server, takes) => {
		const lifecycle = workflow({ type: TRIGGER, parameters }, server);
		expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
		expect(JSON.stringify(await present())).toContain('n8n.example.com');
		await takes(() => lifecycle.unpublish());
	});
	expect(await present()).toEqual(before);
});

it('a webhook whose response was lost is taken away again where the service does not show it', async () => {
	const before = await present();
	const parameters = onAssistant(FIRST_ID);
	await under({ show: hidesUrls, gateway: 408 }, async (server, takes) => {
		const lifecycle = workflow({ type: TRIGGER, parameters }, server, '2.41');
		await takes(() => lifecycle.publish());
		await takes(() => lifecycle.unpublish());
	});
	expect(await present()).toEqual(before);
});

it('an inbound URL that is left out is none where other assistants show theirs', async () => {
	const show: Show = (assistant) =>
		assistant.id === FIRST_ID ? without('inbound_webhook_url')(assistant) : assistant;
	const parameters = onAssistant(FIRST_ID, 'inboundCallCompleted');
	await under({ show }, async (server, takes) => {
		const lifecycle = workflow({ type: TRIGGER, parameters }, server);
		expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
		await takes(() => lifecycle.unpublish());
	});
});

describe('a mid call tool', () => {
	const tool = (others = {}) => ({
		type: MID_CALL_TOOL_TRIGGER,
		parameters: triggerParameters(ASSISTANT_IDS, others),
	});

	it.each<[string, Show]>([
		['leaves out the tools', without('tools')],
		['shows tools without IDs', (assistant) => ({ ...assistant, tools: [{ name: 'a' }] })],
	])('is not attached where the service %s', async (_what, show) => {
		await environment.updateAssistant({ tool_ids: [1] }, FIRST_ID);
		const before = await present();
		await under({ show }, async (server, takes) => {
			const lifecycle = workflow(tool(existingTool(1, { replaceTool: true })), server);
			const { failure } = await takes(() => lifecycle.publish());
			expect(failure).toContain('does not show which other tools');
			await takes(() => lifecycle.unpublish());
			// Nothing was changed, so nothing can be left.
			expect(lifecycle.node.instance.warnings).toEqual([]);
		});
		expect(await present()).toEqual(before);
	});

	it('is left where it is as long as the service shows null for the tools that it had', async () => {
		let isNull = false;
		const show: Show = (assistant) => (isNull ? { ...assistant, tools: null } : assistant);
		const before = await present();
		await under({ show }, async (server, takes) => {
			const lifecycle = workflow(tool(), server);
			await takes(() => lifecycle.publish());
			const published = await present();
			isNull = true;
			await takes(() => lifecycle.unpublish());
			expect(lifecycle.node.instance.warnings.join()).toContain('may still be a tool of');
			expect(await present()).toEqual(published);
			// It is still as it was published.
			expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
			expect(await present()).toEqual(published);
			isNull = false;
			await takes(() => lifecycle.publish());
			await takes(() => lifecycle.unpublish());
		});
		expect(await present()).toEqual(before);
	});

	it('is published where the service accepts it and does not show it', async () => {
		const show: Show = (assistant) => ({ ...assistant, tools: [] });
		await under({ show }, async (server, takes) => {
			const lifecycle = workflow(tool({ otherTools: 'none' }), server);
			expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
		});
		expect(JSON.stringify(await present())).toMatch(/"tools":\[\d+\]/);
	});

	it('is attached beside built-in tools, which are not in the list of its IDs', async () => {
		await environment.updateAssistant({ tool_ids: [1] }, FIRST_ID);
		const before = await present();
		const builtIn = { type: 'end_call', data: { description: 'At the end' } };
		const show: Show = (assistant) => ({
			...assistant,
			tools: [builtIn, ...(assistant.tools as JsonObject[])],
		});
		await under({ show }, async (server, takes) => {
			const lifecycle = workflow(tool(), server);
			expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
			const [first] = await present();
			expect(first?.tools).toEqual([1, expect.any(Number)]);
			await takes(() => lifecycle.unpublish());
		});
		expect(await present()).toEqual(before);
	});

	it('is taken from its assistants where the service does not show its endpoint', async () => {
		await environment.fault('getTool', { status: 404 });
		const before = await present();
		const show: Show = (assistant) => ({
			...assistant,
			tools: (assistant.tools as JsonObject[]).map(({ id, name }) => ({ id, name })),
		});
		await under({ show }, async (server, takes) => {
			const lifecycle = workflow(tool(), server);
			expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
			expect(await present()).not.toEqual(before);
			await takes(() => lifecycle.unpublish());
		});
		expect(await present()).toEqual(before);
	});

	it.each(['2.0', '2.41'] as const)(
		'gives nobody a tool of others where the service shows the tools of the account (n8n %s)',
		async (version) => {
			await environment.updateAssistant({ tool_ids: [1] }, FIRST_ID);
			const before = await present();
			let tools: unknown[] = [];
			const show: Show = (assistant) => {
				const known = [...tools, ...(assistant.tools as JsonObject[])];
				const ids = known.map((each) => (each as JsonObject).id);
				tools = known.filter((each, index) => ids.indexOf((each as JsonObject).id) === index);
				return { ...assistant, tools: [...tools, ...created] };
			};
			const created: JsonObject[] = [];
			await under({ show, created }, async (server, takes, clock) => {
				const lifecycle = workflow(tool(), server, version);
				for (let count = 0; count < 2; count++) {
					const { failure } = await takes(() => lifecycle.publish());
					expect(failure).toContain('seems to show the tools of the whole account');
					expect(created).toHaveLength(1);
					// The process has forgotten it by then. n8n 2.0 stores nothing of a publish that failed.
					if (version === '2.41') clock.turnTo(clock.now + TWO_DAYS_MS);
				}
			});
			expect((await present()).map((each) => each.tools)).toEqual(before.map((each) => each.tools));
		},
	);
});

describe('Get Webhook Status', () => {
	it.each<[string, unknown[], unknown]>([
		['IDs', [1], null],
		['no tools', [], null],
		['built-in tools', [{ type: 'end_call', data: { description: 'At the end' } }], null],
		['a built-in tool whose empty data is a list', [{ type: 'end_call', data: [] }], null],
		[
			'built-in and custom tools',
			[
				{ type: 'end_call', data: {} },
				{ id: 1, name: 'a', type: 'http' },
			],
			[{ id: 1, receiver: 'unknown' }],
		],
		['tools without endpoints', [{ id: 1, name: 'a' }], [{ id: 1, receiver: 'unknown' }]],
	])('says of %s in place of tools what is not known', async (_what, tools, expected) => {
		const { parameters } = operationNamed('assistant: getWebhookStatus');
		const show: Show = (assistant) => ({ ...assistant, tools });
		await under({ show }, async (server) => {
			const { node } = workflow({ type: TRIGGER, parameters: onAssistant(FIRST_ID) }, server);
			const { output } = await node.instance.n8n.runNode({
				parameters: { ...parameters, assistantId: byId(FIRST_ID) },
			});
			expect(output[0][0]?.json).toMatchObject({ mid_call_tools: expected });
		});
	});

	it('says unknown of what the service does not show, and advises nothing', async () => {
		const { parameters } = operationNamed('assistant: getWebhookStatus');
		await environment.register('callCompleted', CRM_URL, FIRST_ID);
		await under(
			{ show: without('webhook_url', 'inbound_webhook_url', 'tools') },
			async (server) => {
				const { node } = workflow({ type: TRIGGER, parameters: onAssistant(FIRST_ID) }, server);
				const { output, run } = await node.instance.n8n.runNode({
					parameters: { ...parameters, assistantId: byId(FIRST_ID) },
				});
				const unknown = { receiver: 'unknown', host: null, url: null };
				expect(output[0][0]?.json).toMatchObject({
					call_completed: { is_active: true, ...unknown },
					inbound_call_completed: { is_active: null, ...unknown },
					mid_call_tools: null,
				});
				const tasks = Object.values(run.data.resultData.runData).flat();
				expect(tasks.flatMap(({ hints = [] }) => hints)).toEqual([]);
			},
		);
	});
});
