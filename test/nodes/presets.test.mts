import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION, MID_CALL_TOOL_TRIGGER, POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import type { listSearch } from '../../nodes/VoiceAssistantCalling/methods/listSearch.ts';
import { A_CALL, LEAD_PHONE_NUMBER } from '../../sandbox/test/support/calls.mts';
import { startService, type Service } from '../../sandbox/test/support/service.mts';
import { ALICE } from '../../sandbox/test/support/seed.mts';
import { n8nWith, type N8n } from '../support/n8n/n8n.mts';
import { OPERATIONS } from '../support/n8n/operations.mts';
import { packageNodeTypes } from '../support/n8n/package.mts';
import { callsOfThePast, seedWith } from '../support/n8n/testEnvironment.mts';
import { PRESETS, type Preset } from '../support/presets.mts';
import { EmulatedLifecycle } from '../support/trigger/emulatedLifecycle.mts';
import { EmulatedPollNode, onAssistants } from '../support/trigger/emulatedPollNode.mts';
import { triggerParameters } from '../support/trigger/toolTrigger.mts';
import { onAssistant, TriggerNode } from '../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../support/trigger/webhookServer.mts';

/**
 * The nodes at providers that differ. Each file of sandbox/presets/ makes the sandbox such a provider. Items
 * and lists must be those of the usual sandbox, but for what {@link DIFFERENCES} names.
 */

/** Changes the value of a field. Undefined leaves the field out. */
type Change = (name: string, value: unknown) => unknown;

const withValues =
	(values: Record<string, unknown>): Change =>
	(name, value) =>
		name in values ? values[name] : value;

/** What cannot be the same: what becomes of the usual values, and which fields are added. */
interface Difference {
	change?: Change;
	added?: string[];
}

const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The provider's own statuses, whose outcome nobody knows. */
const withOwnStatuses =
	(names: Record<string, string>): Change =>
	(_name, value) => {
		if (!isRecord(value) || !('duration' in value || 'outcome' in value)) return value;
		const { status, ...call } = value;
		const own = names[String(status)];
		if (own === undefined) return value;
		return { ...call, status: own, ...('outcome' in call && { outcome: 'unknown' }) };
	};

const maskHeaders: Change = (name, value) =>
	name === 'headers' ? (value as object[]).map((each) => ({ ...each, value: '********' })) : value;

const withoutHeaders: Change = (name, value) => {
	if (name === 'tools') return (value as IDataObject[]).map(({ headers: _, ...tool }) => tool);
	return name === 'headers' ? [] : value;
};

/** What the records of an older version lack is empty. A delivery is not completed. */
const LACKING = {
	...{ evaluation: {}, webhook_response: {}, answered_by: '' },
	...{ uuid: null, filler_config: {}, widget_settings: {} },
	...{ input_variables: undefined },
};

const DIFFERENCES: Record<string, (preset: Preset) => Difference> = {
	// Null says the same as a field that is not there.
	everythingIsText: () => ({ added: ['campaign_name', 'recording_url'] }),
	strictGateway: () => ({ change: maskHeaders }),
	olderVersion: () => ({
		change: (name, value) => withoutHeaders(name, withValues(LACKING)(name, value)),
	}),
	telephonyWords: ({ values }) => ({
		change: withOwnStatuses(values['call-status-names']),
		added: ['transcript_entries', ...Object.values(values['extra-fields']).flatMap(Object.keys)],
	}),
};

const START = new Date();

/** A sandbox, and an n8n with a credential for it. */
interface Provider {
	service: Service;
	n8n: N8n;
}

async function startProvider(preset?: Preset): Promise<Provider> {
	const service = await startService({
		...(preset && { assumeFile: preset.file }),
		seed: seedWith({ calls: callsOfThePast(120) }),
		// The Poll Trigger compares it with n8n's clock.
		clock: { mode: 'manual', now: START.toISOString() },
	});
	const n8n = n8nWith({
		baseUrl: service.url,
		apiToken: ALICE,
		...(preset?.values['list-assistants-path'] && {
			assistantListPath: preset.values['list-assistants-path'],
		}),
		...(preset?.values['list-campaigns-path'] && {
			campaignListPath: preset.values['list-campaigns-path'],
		}),
	});
	return { service, n8n };
}

const usual = await startProvider();
afterAll(() => usual.service.close());
afterEach(() => {
	jest.restoreAllMocks();
});

/** The warnings of the action node in n8n's log. */
function watchWarnings(): string[] {
	const warnings: string[] = [];
	const logger = { warn: (line: string) => void warnings.push(line), info: () => undefined };
	jest
		.spyOn(ExecuteContext.prototype, 'logger', 'get')
		.mockReturnValue(logger as unknown as ExecuteContext['logger']);
	return warnings;
}

/** Something that a user does with the package. @returns what it shows */
type Act = (provider: Provider) => Promise<unknown>;

/** Does something at a provider that is as new. @returns what it shows, with the address of the service in short */
async function actAt(provider: Provider, act: Act): Promise<string> {
	await provider.service.reset();
	const { origin } = new URL(provider.service.url);
	return JSON.stringify(await act(provider)).replaceAll(origin, 'http://service');
}

/** What is usual, by what is done. It is found out once. */
const usualResults = new Map<string, Promise<string>>();

/** Expects that something shows what is usual, but for what cannot be the same. */
async function expectUsual(name: string, provider: Provider, preset: Preset, act: Act) {
	const known = usualResults.get(name) ?? actAt(usual, act);
	usualResults.set(name, known);
	const expected = await known;
	const { change = (_name: string, value: unknown) => value, added = [] } =
		DIFFERENCES[preset.name]?.(preset) ?? {};
	const seen: unknown = JSON.parse(await actAt(provider, act), (field, value: unknown) =>
		added.includes(field) ? undefined : value,
	);
	const wanted: unknown = JSON.parse(expected, (field, value: unknown) =>
		added.includes(field) ? undefined : change(field, value),
	);
	expect(seen).toEqual(wanted);
}

/** The items of an operation, and why it failed. */
const runOperation =
	(parameters: INodeParameters): Act =>
	async ({ n8n }) => {
		const { output, error } = await n8n.runNode({ parameters });
		return { items: output[0].map(({ json }) => json), error: error?.message };
	};

/** All of them, and with Simplify off those that have it. */
const operations = OPERATIONS.flatMap(({ name, parameters, fields }) => [
	{ name, parameters },
	...(fields.some((field) => field.name === 'simplify')
		? [{ name: `${name}, not simplified`, parameters: { ...parameters, simplify: false } }]
		: []),
	...(fields.some((field) => field.name === 'limit')
		? [
				{
					name: `${name}, all`,
					parameters: {
						resource: parameters.resource ?? '',
						operation: parameters.operation ?? '',
						returnAll: true,
					},
				},
			]
		: []),
]);

const pickers = Object.keys(packageNodeTypes.get(ACTION)?.methods?.listSearch ?? {}) as Array<
	keyof typeof listSearch
>;

const webhookServer = await startWebhookServer();

const instanceAt = ({ n8n }: Provider) => ({
	id: 'instance-1',
	webhookUrl: webhookServer.url,
	warnings: [],
	n8n,
});

/**
 * Publishes a trigger, lets calls happen, and unpublishes it. Calls after that start nothing.
 *
 * @returns the items
 */
const receive =
	(
		type: string,
		parameters: INodeParameters,
		call: (provider: Provider) => Promise<unknown>,
	): Act =>
	async (provider) => {
		const node = new TriggerNode(instanceAt(provider), { type, parameters });
		const lifecycle = webhookServer.serve(new EmulatedLifecycle(node));
		webhookServer.executions = [];
		const { control } = provider.service;
		await lifecycle.publish();
		await call(provider);
		await control.advance(A_CALL);
		const { items } = webhookServer;
		await lifecycle.unpublish();
		await call(provider);
		await control.advance(A_CALL);
		expect(webhookServer.items).toEqual(items);
		return items;
	};

const outbound = ({ service: { control } }: Provider) =>
	control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER, lead_id: 1 });
const inbound = ({ service: { control } }: Provider) =>
	control.inbound({ assistant_id: 1, from: LEAD_PHONE_NUMBER });
const toolCall = ({ service: { control } }: Provider) =>
	control.inbound({
		assistant_id: 1,
		from: LEAD_PHONE_NUMBER,
		tool: { name: 'get_free_slots', arguments: { day: 'Monday' } },
	});

/** The items of the calls that a poll finds, and the warnings. A call that is not over starts nothing. */
const poll: Act = async (provider) => {
	const node = new EmulatedPollNode(provider.n8n, onAssistants(1));
	await node.publish();
	await outbound(provider);
	await provider.service.control.advance('PT20S');
	await node.poll();
	expect(node.executions).toEqual([]);
	await provider.service.control.advance(A_CALL);
	await node.poll();
	await node.poll();
	expect(node.executions).toHaveLength(1);
	return node.executions;
};

/** What each trigger of the package starts a workflow with. */
const triggers: Record<string, Array<[what: string, act: Act]>> = {
	[TRIGGER]: [
		['callCompleted', receive(TRIGGER, onAssistant(1), outbound)],
		['inboundCallCompleted', receive(TRIGGER, onAssistant(1, 'inboundCallCompleted'), inbound)],
	],
	[POLL_TRIGGER]: [['finished calls', poll]],
	[MID_CALL_TOOL_TRIGGER]: [
		['a tool call', receive(MID_CALL_TOOL_TRIGGER, triggerParameters([1]), toolCall)],
	],
};

it('all triggers of the package are here', () => {
	const types = [...packageNodeTypes.keys()].filter((type) => type !== ACTION);
	expect(types.sort()).toEqual(Object.keys(triggers).sort());
});

describe.each(PRESETS)('at the provider $name', (preset) => {
	let provider: Provider;
	beforeEach(async () => {
		provider ??= await startProvider(preset);
	});
	afterAll(() => provider.service.close());

	it.each(operations)('$name gives the same items', async ({ name, parameters }) => {
		const warnings = watchWarnings();
		await expectUsual(name, provider, preset, runOperation(parameters));
		const kind = { call: 'call', assistant: 'assistant' }[String(parameters.resource)] ?? '';
		const isList = OPERATIONS.some((each) => each.readsList && name.startsWith(each.name));
		const missing = isList ? (preset.values['missing-fields'][kind] ?? []) : [];
		expect(warnings).toEqual(
			missing.length === 0
				? []
				: [expect.stringContaining(`empty in the items: ${missing.join(', ')}.`)],
		);
	});

	it('customApiCall: sendRequest reads all pages', async () => {
		const parameters: INodeParameters = {
			resource: 'customApiCall',
			operation: 'sendRequest',
			path: '/user/calls',
			returnAll: true,
		};
		await expectUsual('customApiCall', provider, preset, async ({ n8n }) => {
			const { output } = await n8n.runNode({ parameters });
			return output[0].map(({ json }) => Number(json.id));
		});
	});

	it.each(pickers)('the picker %s shows the same list', async (picker) => {
		// Only some providers have a list of campaigns.
		if (picker === 'searchCampaigns' && preset.values['list-campaigns-path']) return;
		await expectUsual(picker, provider, preset, ({ n8n }) => n8n.listSearch(picker));
	});

	it.each(Object.values(triggers).flat())('%s starts the same execution', async (what, act) => {
		await expectUsual(what, provider, preset, act);
	});
});
