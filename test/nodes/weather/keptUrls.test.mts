import { describe, expect, it } from '@jest/globals';
import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../../../host/n8n/names.mts';
import { asObject, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import { existingTool, getTools, triggerParameters } from '../../support/trigger/toolTrigger.mts';
import { onAssistant } from '../../support/trigger/triggerNode.mts';
import {
	ASSISTANT_IDS,
	CRM_URL,
	startTriggersInWeather,
} from '../../support/weather/triggersInWeather.mts';

const { environment, present, workflow, under } = await startTriggersInWeather();
const { control } = environment.service;
const [FIRST_ID = 0] = ASSISTANT_IDS;

type Change = (url: string) => string;

const FORMS: Array<[string, Change]> = [
	['cuts one character off', (url) => url.slice(0, -1)],
	['writes the host in upper case', (url) => url.replace('n8n.example', 'N8N.EXAMPLE')],
];

/** Shows the URLs of a trigger in another way, and those of other systems as they are. */
const showing =
	(change: (url: string) => unknown) =>
	(record: JsonObject): JsonObject =>
		Object.fromEntries(
			Object.entries(record).map(([name, value]) => {
				const isOwn = typeof value === 'string' && value.includes('/webhook/');
				return [name, isOwn ? change(value) : value];
			}),
		);

/** The last value of a field that triggers have sent. */
async function lastSent(field: string): Promise<string> {
	const bodies = (await control.requests()).map(({ body }) => (body ?? {}) as JsonObject);
	return String(bodies.findLast((body) => String(body[field]).includes('/webhook/'))?.[field]);
}

const lengths = (written: string, shown: string): string =>
	`${written.length} characters were written, and it shows ${shown.length}.`;

describe.each(['callCompleted', 'inboundCallCompleted'] as const)('the trigger for %s', (event) => {
	const options = { replaceExisting: true, recording: 'include' };
	const trigger = {
		type: TRIGGER,
		parameters: onAssistant(FIRST_ID, event, { options }),
	};

	it.each<[string, Change]>([...FORMS, ['shows no URL', () => '']])(
		'is not published, and puts back what was there, where the service %s',
		async (_what, change) => {
			await environment.register(event, CRM_URL, FIRST_ID);
			const before = await present();
			await under({ show: showing(change) }, async (server, takes) => {
				const lifecycle = workflow(trigger, server, '2.41');
				const { failure } = await takes(() => lifecycle.publish());
				const url = await lastSent('webhook_url');
				expect(url).toMatch(/\?token=[0-9a-f]{64}$/);
				expect(failure).toContain(lengths(url, change(url)));
				expect(failure).toContain('It has its former webhook again.');
				expect(await present()).toEqual(before);
				await takes(() => lifecycle.unpublish());
				expect(lifecycle.node.instance.warnings).toEqual([]);
				expect(lifecycle.staticData).toEqual({ global: {}, 'node:Call Completed': {} });
			});
			expect(await present()).toEqual(before);
		},
	);

	it('is published where the service keeps 255 characters', async () => {
		await environment.register(event, CRM_URL, FIRST_ID);
		const before = await present();
		await under({ show: showing((url) => url.slice(0, 255)) }, async (server, takes) => {
			const lifecycle = workflow(trigger, server);
			expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
			expect(await lastSent('webhook_url')).toMatch(/\?token=[0-9a-f]{64}$/);
			await takes(() => lifecycle.unpublish());
		});
		expect(await present()).toEqual(before);
	});

	it('is taken back where the response was lost and the service shows a cut URL', async () => {
		await environment.register(event, CRM_URL, FIRST_ID);
		const before = await present();
		const conditions = { show: showing((url) => url.slice(0, -1)), gateway: 408 };
		await under(conditions, async (server, takes) => {
			const { failure } = await takes(() => workflow(trigger, server).publish());
			expect(failure).toContain('may have been carried out');
		});
		expect(await present()).toEqual(before);
	});
});

it('a URL that can neither be kept nor be taken back is told', async () => {
	await environment.fault('disableWebhook', { status: 422 });
	const show = showing((url) => url.slice(0, -1));
	await under({ show }, async (server, takes) => {
		const calls = { calls: 'asAssistant' };
		const trigger = { type: TRIGGER, parameters: onAssistant(FIRST_ID, 'callCompleted', calls) };
		const { failure } = await takes(() => workflow(trigger, server).publish());
		expect(failure).toContain(
			"could not be put back: set it with 'Voice Assistant → Enable Webhook'",
		);
	});
	await control.clearFaults();
});

describe('a mid call tool', () => {
	const tool = (parameters = {}) => ({
		type: MID_CALL_TOOL_TRIGGER,
		parameters: triggerParameters([FIRST_ID], parameters),
	});

	it.each(FORMS)('that is new is not attached where the service %s', async (_what, change) => {
		const before = await present();
		await under({ showTool: showing(change) }, async (server, takes) => {
			const { failure } = await takes(() => workflow(tool(), server).publish());
			const endpoint = await lastSent('endpoint');
			expect(failure).toContain(lengths(endpoint, change(endpoint)));
		});
		expect(await present()).toEqual(before);
	});

	it('that was taken over is as it was before where the service cuts its endpoint', async () => {
		await environment.updateAssistant({ tool_ids: [1] }, FIRST_ID);
		const read = async () => asObject((await getTools(environment, FIRST_ID))[0], 'tool');
		const before = await read();
		const showTool = showing((url) => url.slice(0, -1));
		await under({ showTool }, async (server, takes) => {
			const replacing = existingTool(1, { replaceTool: true });
			const { failure } = await takes(() => workflow(tool(replacing), server).publish());
			expect(failure).toContain('The tool is as it was before.');
		});
		expect(await lastSent('endpoint')).toContain('n8n.example.com');
		expect(await read()).toEqual({ ...before, updated_at: expect.any(String) });
	});

	it('is published where the service answers without its endpoint', async () => {
		const showTool = ({ id }: JsonObject) => ({ id });
		await under({ showTool }, async (server, takes) => {
			const lifecycle = workflow(tool(), server);
			expect(await takes(() => lifecycle.publish())).toEqual({ ms: expect.any(Number) });
			expect(await getTools(environment, FIRST_ID)).toHaveLength(1);
			await takes(() => lifecycle.unpublish());
		});
	});
});
