import { describe, expect, it } from '@jest/globals';
import { exitStatus, type Result, verifyAccount } from '../../src/verify/verify.mts';
import { folderPerTest } from '../support/process.mts';
import { account, TOKEN } from './support/account.mts';
import {
	answering,
	assistantPath,
	assistants,
	startChangeable,
	undoFiles,
	verifyReversible,
} from './support/changes.mts';
import { differences } from './support/measure.mts';
import { presets } from './support/providers.mts';
import { startProxy, type ForwardedRequest } from './support/proxy.mts';

const folder = folderPerTest();

const notChecked = ({ findings }: Result) =>
	Object.fromEntries(
		findings.flatMap((each) => (each.outcome === 'not checked' ? [[each.key, each.seen]] : [])),
	);

type Provider = Awaited<ReturnType<typeof startChangeable>>;

const writes = async ({ control }: Provider) =>
	(await control.requests()).filter(({ method }) => method !== 'GET');

it.each([1, 2, 3])(
	'finds all as assumed, and leaves assistant %i as it was',
	async (assistantId) => {
		await using provider = await startChangeable();
		const before = await assistants(provider.client);
		const questions = answering();
		const target = { baseUrl: '', assistantId, campaignId: 1 };
		const result = await verifyReversible({
			baseUrl: provider.url,
			folder: folder(),
			target,
			questions,
		});
		expect(result.findings.filter(({ outcome }) => outcome !== 'as assumed')).toEqual([]);
		expect(result.findings).toHaveLength(12);
		expect(exitStatus(result)).toBe(0);
		expect(await assistants(provider.client)).toEqual(before);
		expect(await undoFiles(folder())).toEqual([]);
		const title = `assistant ${assistantId} ("${String(before[0]?.['name'])}")`;
		expect(questions.lines[0]).toContain(title);
		expect(questions.lines.at(-1)).toMatch(
			/^These remain in the account, because no request deletes them: tool \d+ \(verify\w+\), lead \d+\.$/,
		);
		expect(await provider.control.deliveries()).toEqual([]);
	},
);

it('leaves a lead that nobody is called for, even when the campaign is started', async () => {
	await using provider = await startChangeable();
	const before = await provider.control.calls();
	await verifyReversible({ baseUrl: provider.url, folder: folder() });
	await provider.client.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
	await provider.control.advance('PT1H');
	expect(await provider.control.calls()).toHaveLength(before.length);
});

/** The keys that this level measures, in presets. */
const MEASURED = [
	'success-status',
	'lead-duplicates',
	'tool-ids-update',
	'webhook-inactive-keeps-url',
	'webhook-url-form',
	'tool-headers-form',
];

it.each(presets)('finds the differences of %s, and restores', async (_, values) => {
	await using provider = await startChangeable({ assume: values });
	const path = assistantPath(values);
	const before = await assistants(provider.client, path);
	const questions = answering();
	const result = await verifyReversible({ baseUrl: provider.url, folder: folder(), questions });
	expect(differences(result)).toEqual(
		Object.fromEntries(MEASURED.flatMap((key) => (key in values ? [[key, values[key]]] : []))),
	);
	expect(result.stopped).toBeUndefined();
	expect(await undoFiles(folder())).toEqual([]);
	const after = await assistants(provider.client, path);
	if (values['tool-ids-update'] === 'added') {
		expect(questions.lines.join('\n')).toContain('changed nothing. Restore it at');
	} else {
		expect(after).toEqual(before);
	}
});

it('restores an active webhook where the service removes the URL of an inactive one', async () => {
	const assume = { 'webhook-inactive-keeps-url': 'cleared' };
	await using provider = await startChangeable({ assume });
	const before = await assistants(provider.client);
	const result = await verifyReversible({ baseUrl: provider.url, folder: folder() });
	expect(differences(result)).toEqual(assume);
	expect(await assistants(provider.client)).toEqual(before);
});

describe('it changes nothing', () => {
	it('without a yes', async () => {
		await using provider = await startChangeable();
		const questions = answering(false);
		const result = await verifyReversible({ baseUrl: provider.url, folder: folder(), questions });
		expect(questions.questions).toHaveLength(1);
		expect(await writes(provider)).toEqual([]);
		expect(new Set(Object.values(notChecked(result)))).toEqual(
			new Set(['Nobody said yes, so nothing was changed.', 'No such write was accepted.']),
		);
		expect(exitStatus(result)).toBe(2);
	});

	it.each([
		[{ assistantId: 99 }, 'Assistant 99 is not in the list /user/assistants/get. Check the ID.'],
		[{ campaignId: 99 }, 'Campaign 99 is not in the list /user/campaigns/get. Check the ID.'],
	])('and asks nothing, with %j, which the account does not have', async (unknown, reason) => {
		const assume = { 'list-campaigns-path': '/user/campaigns/get' };
		await using provider = await startChangeable({ assume });
		const questions = answering();
		const target = { baseUrl: '', ...unknown };
		const options = { baseUrl: provider.url, folder: folder(), questions, target };
		expect(notChecked(await verifyReversible(options))).toMatchObject({
			'webhook-url-form': reason,
			'lead-duplicates': reason,
		});
		expect(questions).toMatchObject({ lines: [], questions: [] });
		expect(await writes(provider)).toEqual([]);
	});

	it.each([
		{ webhook_url: 'https://verify.invalid/verify-0123456789abcdef' },
		{ webhook_url: 'https://tunnel.example/a/verify-0123456789abcdef/webhook/' },
	])('of a webhook that another run has changed: %j', async (webhook) => {
		await using provider = await startChangeable();
		await provider.client.put('/user/assistant/1', webhook);
		await provider.client.post('/user/assistants/enable-inbound-webhook', {
			assistant_id: 1,
			...webhook,
		});
		const before = await assistants(provider.client);
		const result = await verifyReversible({ baseUrl: provider.url, folder: folder() });
		expect(notChecked(result)).toMatchObject({
			'webhook-url-form': expect.stringContaining('of another run'),
			'inbound-webhook-any-assistant': expect.stringContaining('of another run'),
		});
		expect(await assistants(provider.client)).toEqual(before);
	});

	it('in a campaign that is started', async () => {
		await using provider = await startChangeable({
			assume: { 'list-campaigns-path': '/user/campaigns/get' },
		});
		await provider.client.post('/user/campaigns/update-status', {
			campaign_id: 1,
			action: 'start',
		});
		const result = await verifyReversible({ baseUrl: provider.url, folder: folder() });
		expect(notChecked(result)['lead-duplicates']).toContain('is not shown as stopped');
		const paths = (await writes(provider)).map(({ path }) => path);
		expect(paths.filter((path) => /lead|campaign/.test(path))).toHaveLength(1);
	});

	it('that the record does not show, because it could not be restored', async () => {
		const hidden = ['webhook_url', 'inbound_webhook_url', 'tools'];
		await using provider = await startChangeable({
			assume: { 'missing-fields': { assistant: hidden } },
		});
		const result = await verifyReversible({ baseUrl: provider.url, folder: folder() });
		expect(notChecked(result)).toMatchObject({
			'webhook-url-form': expect.stringContaining('does not show the webhook'),
			'inbound-webhook-any-assistant': expect.stringContaining('does not show the inbound webhook'),
			'tool-ids-update': expect.stringContaining('does not show the tools'),
		});
		const paths = (await writes(provider)).map(({ path }) => path);
		expect(paths.filter((path) => path.includes('assistant'))).toEqual([]);
	});

	it('of tool_ids where the record shows tools that the assistant does not have', async () => {
		await using provider = await startChangeable();
		let created: unknown;
		await using proxy = await startProxy(provider.url, {
			after({ path, method }, response) {
				const { data } = JSON.parse(response) as { data: object[] };
				if (path.endsWith('/user/tools') && method === 'POST') created = data;
				if (method !== 'GET' || created === undefined) return undefined;
				return JSON.stringify({ data: data.map((row) => ({ ...row, tools: [created] })) });
			},
		});
		const result = await verifyReversible({ baseUrl: proxy.url, folder: folder() });
		expect(notChecked(result)['tool-ids-update']).toBe(
			'The record shows tools that the assistant does not have.',
		);
		const texts = (await provider.control.events({ limit: 1000 })).map(({ text }) => text);
		expect(texts.filter((text) => text.includes('tool_ids'))).toEqual([]);
	});
});

it.each(['oldest-first', 'newest-first'])(
	'finds one assistant among 1000 with few requests, %s',
	async (order) => {
		await using provider = await startChangeable({
			seed: account({ assistants: 1000, calls: 0 }),
			assume: { 'assistant-order': order },
		});
		const target = { baseUrl: '', assistantId: 617 };
		const result = await verifyReversible({ baseUrl: provider.url, folder: folder(), target });
		expect(notChecked(result)).toEqual({});
		// The search takes some requests, once.
		expect(result.requests).toBeLessThan(60);
		const unknown = { baseUrl: '', assistantId: 1001 };
		const other = await verifyReversible({
			baseUrl: provider.url,
			folder: folder(),
			target: unknown,
		});
		expect(notChecked(other)['webhook-url-form']).toContain('Assistant 1001 is not in the list');
	},
);

it('with an assistant alone, what needs a campaign was not asked for', async () => {
	await using provider = await startChangeable();
	const result = await verifyAccount({
		target: { baseUrl: provider.url, assistantId: 1 },
		token: TOKEN,
		levels: ['reversible'],
		pause: 0,
		signal: new AbortController().signal,
		questions: answering(),
		folder: folder(),
	});
	expect(Object.values(notChecked(result))).toEqual(
		new Array<string>(4).fill('Name a stopped campaign: --campaign ID.'),
	);
	expect(exitStatus(result)).toBe(0);
});

it('ends at a list without envelope that is the same for each page', async () => {
	await using provider = await startChangeable();
	let first: object[] | undefined;
	await using proxy = await startProxy(provider.url, {
		after({ path, method }, response) {
			if (method !== 'GET' || !path.includes('/user/assistants/get')) return undefined;
			const { data } = JSON.parse(response) as { data: object[] };
			first ??= data;
			return JSON.stringify(first);
		},
	});
	const target = { baseUrl: '', assistantId: 1001 };
	const result = await verifyReversible({ baseUrl: proxy.url, folder: folder(), target });
	expect(notChecked(result)['webhook-url-form']).toContain('Assistant 1001 is not in the list');
});

it.each([1, '1', 'true'])(
	'reads and restores an active webhook that is shown as %j',
	async (yes) => {
		await using provider = await startChangeable();
		const before = await assistants(provider.client);
		await using proxy = await startProxy(provider.url, {
			after({ path, method }, response) {
				if (method !== 'GET' || !path.includes('/user/assistants/get')) return undefined;
				return response
					.replaceAll('"is_webhook_active":true', `"is_webhook_active":${JSON.stringify(yes)}`)
					.replaceAll('"is_webhook_active":false', '"is_webhook_active":0');
			},
		});
		const result = await verifyReversible({ baseUrl: proxy.url, folder: folder() });
		expect(notChecked(result)).toEqual({});
		expect(await assistants(provider.client)).toEqual(before);
	},
);

/** Another response of the service: its status, or its body. */
type Other = (request: ForwardedRequest) => number | object | undefined;

const differing: Array<[key: string, seen: string, other: Other]> = [
	[
		'webhook-without-url',
		'status 400 without this field',
		({ text }) => (text === '{"is_webhook_active":true}' ? 400 : undefined),
	],
	[
		'inbound-webhook-any-assistant',
		'status 422',
		({ path }) => (path.endsWith('/enable-inbound-webhook') ? 422 : undefined),
	],
	[
		'tool-defaults',
		'headers: null, schema: nothing',
		({ method, path }) =>
			method === 'POST' && path.endsWith('/user/tools')
				? { data: { id: 2, headers: null } }
				: undefined,
	],
	[
		'lead-variable-keys',
		'refused on create',
		({ path, text }) =>
			path.endsWith('/user/lead') && text.includes('"verify"') ? 422 : undefined,
	],
	[
		'lead-update-campaign',
		'422 (another text of 3 characters), 422',
		({ method, text }) => (method === 'PUT' && text.includes('"campaign_id":2') ? 422 : undefined),
	],
];

it.each(differing)('finds that %s differs: %s', async (key, seen, other) => {
	await using provider = await startChangeable();
	const before = await assistants(provider.client);
	await using proxy = await startProxy(provider.url, {
		before: (request) => {
			const response = other(request);
			return typeof response === 'number' ? response : undefined;
		},
		after: (request) => {
			const response = other(request);
			return typeof response === 'object' ? JSON.stringify(response) : undefined;
		},
	});
	const { findings } = await verifyReversible({ baseUrl: proxy.url, folder: folder() });
	expect(findings.filter(({ outcome }) => outcome === 'differs')).toMatchObject([{ key, seen }]);
	expect(await assistants(provider.client)).toEqual(before);
});
