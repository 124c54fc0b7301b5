import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION, MID_CALL_TOOL_TRIGGER, POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import type { listSearch } from '../../nodes/VoiceAssistantCalling/methods/listSearch.ts';
import { getOperation } from '../../nodes/VoiceAssistantCalling/resources/index.ts';
import { A_CALL, LEAD_PHONE_NUMBER } from '../../sandbox/test/support/calls.mts';
import { startService, type Service } from '../../sandbox/test/support/service.mts';
import { ALICE } from '../../sandbox/test/support/seed.mts';
import { n8nWith, type N8n } from '../support/n8n/n8n.mts';
import { OPERATIONS } from '../support/n8n/operations.mts';
import { packageNodeTypes } from '../support/n8n/package.mts';
import { seedWith } from '../support/n8n/testEnvironment.mts';
import { watchWarnings } from '../support/n8n/watchWarnings.mts';
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

/** What cannot be the same: what becomes of the usual values, and what is not compared of the seen ones. */
interface Difference {
	change?: Change;
	isIgnored?: (name: string, value: unknown) => boolean;
}

const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A record without some of its fields. */
const without = (record: IDataObject, ...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** The provider's own statuses. The outcome is the same, because the calls have a duration. */
const withOwnStatuses =
	(names: Record<string, string>): Change =>
	(name, value) => {
		// An entry of a picker ends with the status.
		const [entry, status] =
			name === 'name' ? (/^(.* · )(.*)$/.exec(String(value)) ?? []).slice(1) : [];
		if (entry !== undefined) return entry + (names[String(status)] ?? String(status));
		if (!isRecord(value) || !('outcome' in value || 'answered_by' in value)) return value;
		const own = names[value.status as string];
		if (own === undefined) return value;
		return { ...value, status: own };
	};

/** The turns of which a transcript is made. */
function withTurns(value: unknown): unknown {
	if (!isRecord(value) || typeof value.transcript !== 'string') return value;
	const lines = value.transcript.split('\n').filter((line) => line !== '');
	const turns = lines.map((line) => {
		const [, name = 'tool', content = line] = /^(Assistant|Customer): (.*)$/.exec(line) ?? [];
		return { role: name.toLowerCase(), content };
	});
	return { ...value, transcript_entries: turns };
}

const maskHeaders: Change = (name, value) =>
	name === 'headers' ? (value as object[]).map((each) => ({ ...each, value: '********' })) : value;

/** What an older version lacks is empty. A delivery is not completed, and neither is what is inside records. */
const LACKING: Record<string, unknown> = {
	...{ evaluation: {}, webhook_response: {}, answered_by: '' },
	...{ uuid: null, filler_config: {}, widget_settings: {}, headers: [] },
};

const asOlderVersion: Change = (name, value) => {
	if (name === 'tools') return (value as IDataObject[]).map((tool) => without(tool, 'headers'));
	if (!isRecord(value) || !('finished_at' in value)) return name in LACKING ? LACKING[name] : value;
	return without(value, 'assistant_phone_number', 'input_variables');
};

/** A picker names the first assistant that uses something. */
const withoutUsers: Change = (name, value) =>
	name === 'name' && typeof value === 'string' ? value.replace(/, used by .*/, '') : value;

/** A form has no null: an inbound call has no lead. */
const withoutNoRecord: Change = (name, value) =>
	value === null && ['campaign', 'lead'].includes(name) ? undefined : value;

/** A number has no plus. */
const withoutPlus: Change = (name, value) =>
	typeof value === 'string' && /phone_number$|^name$/.test(name) ? value.replace('+', '') : value;

/** A provider can have names of its own for its events. */
const isNameOfEvent = (name: string) => name === 'service_event';

const DIFFERENCES: Record<string, (preset: Preset) => Difference> = {
	columnsOfTables: () => ({ change: withoutNoRecord }),
	dataLinksMeta: () => ({ change: withoutUsers }),
	// Null says the same as a field that is not there.
	everythingIsText: () => ({
		isIgnored: (name, value) => value === null && ['campaign_name', 'recording_url'].includes(name),
	}),
	olderVersion: () => ({ change: asOlderVersion }),
	farAway: () => ({ isIgnored: isNameOfEvent }),
	jsonApi: () => ({ isIgnored: isNameOfEvent }),
	labelledWords: () => ({ change: withoutPlus, isIgnored: isNameOfEvent }),
	queuedWork: () => ({ isIgnored: isNameOfEvent }),
	strictGateway: () => ({ change: maskHeaders }),
	telephonyWords: ({ values }) => ({
		change: (name, value) => withTurns(withOwnStatuses(values['call-status-names'])(name, value)),
		isIgnored: (name) => Object.values(values['extra-fields']).flatMap(Object.keys).includes(name),
	}),
};

/** A time in the days that the examples of the contract ask for. */
const START = new Date('2026-02-11T12:00:00Z');

/** Calls of the past, by the time that has passed since. A day and time would be in the zone of the provider. */
const calls = Array.from({ length: 120 }, (_, index) => ({
	id: index + 1,
	assistant_id: 1,
	campaign_id: 1,
	type: 'outbound',
	status: 'completed',
	duration: 60,
	client_phone_number: LEAD_PHONE_NUMBER,
	recording_url: '/recordings/call-1.wav',
	ago: `PT${index + 180}M`,
}));

/** A sandbox, and an n8n with a credential for it. */
interface Provider {
	service: Service;
	n8n: N8n;
}

async function startProvider(preset?: Preset): Promise<Provider> {
	const service = await startService({
		...(preset && { assumeFile: preset.file }),
		seed: seedWith({ calls }),
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
	const { change = (_name: string, value: unknown) => value, isIgnored = () => false } =
		DIFFERENCES[preset.name]?.(preset) ?? {};
	const asShown = (json: string, isExpected: boolean): unknown =>
		JSON.parse(json, (field, value: unknown) => {
			if (!isExpected && isIgnored(field, value)) return undefined;
			return isExpected || change === withoutUsers ? change(field, value) : value;
		});
	const seen = asShown(await actAt(provider, act), false);
	const wanted = asShown(expected, true);
	expect(seen).toEqual(wanted);
}

/** In an order that does not depend on that of the service. */
const inOrder = <Row extends object>(rows: Row[], key: keyof Row): Row[] =>
	rows.toSorted((a, b) => Number(a[key]) - Number(b[key]));

/** The items of an operation. */
const runOperation =
	(parameters: INodeParameters): Act =>
	async ({ n8n }) => {
		const { output, error } = await n8n.runNode({ parameters });
		expect([error, output[0].length > 0]).toEqual([undefined, true]);
		return inOrder(
			output[0].map(({ json }) => json),
			'id',
		);
	};

/** All entries of a picker, as a user scrolls through them. */
const scrollThrough =
	(picker: keyof typeof listSearch): Act =>
	async ({ n8n }) => {
		let page = await n8n.listSearch(picker);
		const entries = [...page.results];
		while (page.paginationToken !== undefined) {
			page = await n8n.listSearch(picker, { paginationToken: page.paginationToken });
			entries.push(...page.results);
		}
		return inOrder(entries, 'value');
	};

/** All of them, lists whole, and with Simplify off those that have it. */
const operations = OPERATIONS.flatMap(({ name, parameters, fields }) => {
	const whole = 'limit' in parameters ? { ...parameters, limit: 500 } : parameters;
	const hasSwitch = fields.some((field) => field.name === 'simplify');
	return [
		{ name, parameters: whole },
		...(hasSwitch
			? [{ name: `${name}, not simplified`, parameters: { ...whole, simplify: false } }]
			: []),
	];
});

/** The filter takes the statuses of the contract only. */
function withoutOwnStatus(parameters: INodeParameters, { values }: Preset): INodeParameters {
	const { status, ...filters } = (parameters.filters ?? {}) as IDataObject;
	return (status as string) in values['call-status-names']
		? { ...parameters, filters: filters as INodeParameters }
		: parameters;
}

/** The fields of an operation's records that a provider leaves out. */
function missingIn({ resource, operation }: INodeParameters, { values }: Preset): string[] {
	const shape = Object.keys(getOperation(resource, operation).record ?? {});
	const headers = values['tool-headers-form'] === 'absent' ? ['headers'] : [];
	const missing = [...headers, ...Object.values(values['missing-fields']).flat()];
	return shape.filter((name) => missing.includes(name));
}

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

/** Lets a call begin. */
type Call = (provider: Provider) => Promise<unknown>;

/**
 * Publishes a trigger, lets calls happen, and unpublishes it. Calls after that start nothing.
 *
 * @returns the items
 */
const receive =
	(type: string, parameters: INodeParameters, call: Call, laterCall = call) =>
	async (provider: Provider) => {
		const node = new TriggerNode(instanceAt(provider), { type, parameters });
		const lifecycle = webhookServer.serve(new EmulatedLifecycle(node));
		webhookServer.executions = [];
		const { control } = provider.service;
		await lifecycle.publish();
		await call(provider);
		await control.advance(A_CALL);
		const { items } = webhookServer;
		await lifecycle.unpublish();
		await laterCall(provider);
		await control.advance(A_CALL);
		expect(webhookServer.items).toEqual(items);
		return items;
	};

const outbound: Call = ({ service: { control } }) =>
	control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER, lead_id: 1 });
const inbound: Call = ({ service: { control } }) =>
	control.inbound({ assistant_id: 1, from: LEAD_PHONE_NUMBER });
const toolCall: Call = ({ service: { control } }) =>
	control.inbound({
		assistant_id: 1,
		from: LEAD_PHONE_NUMBER,
		tool: { name: 'get_free_slots', arguments: { day: 'Monday' } },
	});

/** The items of a tool call. Body and query are as the provider sends them, so they are not compared. */
const receiveToolCall =
	(method: string): Act =>
	async (provider) => {
		const parameters = triggerParameters([1], { method });
		const act = receive(MID_CALL_TOOL_TRIGGER, parameters, toolCall, inbound);
		return (await act(provider)).map((item) => without(item, 'body', 'query', 'answer_until'));
	};

/** The items of the calls that a poll finds, and the warnings. A call that is not over starts nothing. */
const poll: Act = async (provider) => {
	const { control } = provider.service;
	// The clock of the service stands still.
	jest.spyOn(Date, 'now').mockReturnValue(START.getTime());
	const node = new EmulatedPollNode(provider.n8n, onAssistants(1));
	await node.publish();
	await outbound(provider);
	await control.advance('PT20S');
	await node.poll();
	expect(node.executions).toEqual([]);
	await control.advance('PT3M');
	await node.poll();
	await node.poll();
	expect(node.executions).toHaveLength(1);
	return node.executions;
};

/** What each trigger of the package starts a workflow with. */
const triggers: Record<string, Array<[what: string, act: Act]>> = {
	[TRIGGER]: [
		['callCompleted', receive(TRIGGER, onAssistant(1), outbound)],
		[
			'callCompleted with filters',
			receive(
				TRIGGER,
				onAssistant(1, 'callCompleted', {
					filters: { outcomes: ['answered'], minimumDuration: 10, directions: ['outbound'] },
				}),
				outbound,
			),
		],
		['inboundCallCompleted', receive(TRIGGER, onAssistant(1, 'inboundCallCompleted'), inbound)],
	],
	[POLL_TRIGGER]: [['finished calls', poll]],
	[MID_CALL_TOOL_TRIGGER]: [
		['a tool call with a body', receiveToolCall('POST')],
		['a tool call with a query', receiveToolCall('GET')],
	],
};

it('all triggers of the package are here', () => {
	const types = [...packageNodeTypes.keys()].filter((type) => type !== ACTION);
	expect(types.sort()).toEqual(Object.keys(triggers).sort());
});

describe.each(PRESETS)('at the provider $name', (preset) => {
	let provider = usual;
	beforeAll(async () => {
		provider = await startProvider(preset);
	});
	afterAll(() => provider.service.close());

	it.each(operations)('$name gives the same items', async ({ name, parameters }) => {
		const warnings = watchWarnings();
		await expectUsual(name, provider, preset, (at) =>
			runOperation(at === usual ? parameters : withoutOwnStatus(parameters, preset))(at),
		);
		const missing = missingIn(parameters, preset).join(', ');
		expect(warnings).toEqual(
			missing === '' ? [] : [expect.stringContaining(`empty in the items: ${missing}.`)],
		);
	});

	it('customApiCall: sendRequest reads all pages that have numbers', async () => {
		const parameters: INodeParameters = {
			resource: 'customApiCall',
			operation: 'sendRequest',
			path: '/user/calls',
			returnAll: true,
		};
		if (['bare', 'has-more'].includes(preset.values['page-envelope'])) {
			const { error } = await provider.n8n.runNode({ parameters });
			expect(error?.message).toBe('The response is no list with pages');
			return;
		}
		await expectUsual('customApiCall', provider, preset, async ({ n8n }) => {
			const { output } = await n8n.runNode({ parameters });
			// It gives everything as it comes.
			const ids = output[0].map(({ json }) => Number(json.id ?? (json.call as IDataObject).id));
			return ids.toSorted((a, b) => a - b);
		});
	});

	it('a refused lead shows what the service says, and a known one is skipped', async () => {
		await provider.service.reset();
		const create = async (campaignId: number) =>
			await provider.n8n.runNode({
				parameters: {
					...{ resource: 'lead', operation: 'create', campaignId, phoneNumber: LEAD_PHONE_NUMBER },
					additionalFields: { onDuplicate: 'skip' },
				},
			});
		expect((await create(999)).error?.message).toMatch(/The selected campaign does not exist$/);
		expect((await create(1)).output[0]).toMatchObject([{ json: { result: 'duplicate' } }]);
	});

	it.each(pickers)('the picker %s shows the same list', async (picker) => {
		// Only some providers have a list of campaigns.
		if (picker === 'searchCampaigns' && preset.values['list-campaigns-path']) return;
		await expectUsual(picker, provider, preset, scrollThrough(picker));
	});

	it.each(Object.values(triggers).flat())('%s starts the same execution', async (what, act) => {
		await expectUsual(what, provider, preset, act);
	});
});
