import { describe, expect, it } from '@jest/globals';
import { exitStatus, type Result, verifyAccount } from '../../src/verify/verify.mts';
import type { JsonObject } from '../support/contract.mts';
import { folderPerTest } from '../support/process.mts';
import { TOKEN } from './support/account.mts';
import {
	accountWithWebhooks,
	answering,
	assistantPath,
	assistants,
	undoFiles,
} from './support/changes.mts';
import { differences } from './support/measure.mts';
import { obligingUser, OWN_NUMBER, startCallable, verifyCall } from './support/ownCall.mts';
import { presets } from './support/providers.mts';
import { startProxy } from './support/proxy.mts';

const folder = folderPerTest();

type Provider = Awaited<ReturnType<typeof startCallable>>;

const reasons = ({ findings }: Result) =>
	findings.flatMap((each) => (each.outcome === 'not checked' ? [each.seen] : []));

const numbersCalled = async ({ control }: Provider) =>
	(await control.calls()).slice(120).map((call) => call['client_phone_number']);

/** What happened to the campaign, and when the call ended. */
const campaignEvents = async ({ control }: Provider) =>
	(await control.events({ limit: 1000 }))
		.map(({ kind }) => kind)
		.filter((kind) => kind.startsWith('campaign-') || kind === 'call-ended')
		.reverse();

/** In the sandbox, an assistant uses the first of its tools. */
function accountWithoutTools() {
	const [user = {}] = accountWithWebhooks().users;
	const assistants = (user['assistants'] as JsonObject[]).map((each) => ({
		...each,
		tool_ids: [],
	}));
	return { users: [{ ...user, assistants }] };
}

it('calls once, finds all as assumed, and leaves the assistant as it was', async () => {
	await using provider = await startCallable({}, accountWithoutTools());
	const before = await assistants(provider.client);
	const questions = obligingUser();
	const result = await verifyCall(provider, folder(), { questions });
	expect(result.findings.filter(({ outcome }) => outcome !== 'as assumed')).toEqual([]);
	expect(result.findings).toHaveLength(8);
	expect(exitStatus(result)).toBe(0);
	expect(await numbersCalled(provider)).toEqual([OWN_NUMBER]);
	expect(await campaignEvents(provider)).toEqual([
		'campaign-stopped',
		'campaign-started',
		'campaign-stopped',
		'call-ended',
	]);
	expect(await assistants(provider.client)).toEqual(before);
	expect(await undoFiles(folder())).toEqual([]);
	expect(questions.lines.some((line) => line.startsWith('Webhook: POST'))).toBe(true);
	expect(JSON.stringify(result)).not.toContain(OWN_NUMBER);

	// Nobody is called later.
	await provider.client.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
	await provider.control.advance('PT2H');
	expect(await numbersCalled(provider)).toEqual([OWN_NUMBER]);
});

/** The keys that this level measures, in presets. */
const MEASURED = ['webhook-payload', 'webhook-events', 'webhook-delay', 'webhook-retries'];
/** The same times, in the unit that verify measures in. */
const inSeconds = (value: unknown): unknown =>
	Array.isArray(value)
		? value.map((each) => (each === 'PT2M' ? 'PT120S' : (each as unknown)))
		: value;

it.each(presets)('finds the differences of %s, and restores', async (_, values) => {
	await using provider = await startCallable(values);
	const path = assistantPath(values);
	const before = await assistants(provider.client, path);
	const result = await verifyCall(provider, folder());
	// Whether fields are missing or not described, it says without a value.
	expect(JSON.parse(JSON.stringify(differences(result)))).toEqual(
		Object.fromEntries(
			MEASURED.flatMap((key) => (key in values ? [[key, inSeconds(values[key])]] : [])),
		),
	);
	expect(result.stopped).toBeUndefined();
	if (values['tool-ids-update'] !== 'added') {
		expect(await assistants(provider.client, path)).toEqual(before);
	}
});

it.each([
	[{ 'tool-placeholders': ['customer_phone', 'current_date'] }],
	[
		{
			'tool-parameters-delivery': {
				GET: 'query',
				POST: 'query',
				PUT: 'body',
				PATCH: 'body',
				DELETE: 'query',
			},
		},
	],
])('finds the difference of a tool: %j', async (values) => {
	await using provider = await startCallable(values, accountWithoutTools());
	expect(differences(await verifyCall(provider, folder()))).toEqual(values);
});

it('names the header of a signature', async () => {
	const signature = { header: 'X-Signature-256', secret: 'never-shown' };
	await using provider = await startCallable({ 'webhook-signature': signature });
	const { findings } = await verifyCall(provider, folder());
	expect(findings.find(({ key }) => key === 'webhook-signature')).toMatchObject({
		outcome: 'differs',
		seen: 'headers x-signature-256',
	});
});

it('is not misled by webhooks of other calls', async () => {
	const [user = {}] = accountWithWebhooks().users;
	const leads = [{ campaign_id: 1, phone_number: '+4915112399901' }];
	await using provider = await startCallable({}, { users: [{ ...user, leads }] });
	const questions = obligingUser();
	const result = await verifyCall(provider, folder(), { questions });
	expect(differences(result)).toEqual({});
	expect(questions.lines).toContain('A webhook about another call came.');
	expect(questions.lines.join('\n')).not.toContain('+4915112399901');
});

it('takes a webhook that does not say who was called for its own', async () => {
	const assume = { 'missing-fields': { notification: ['customer_phone', 'lead'] } };
	await using provider = await startCallable(assume);
	const { findings } = await verifyCall(provider, folder());
	expect(findings.find(({ key }) => key === 'webhook-payload')).toMatchObject({
		outcome: 'differs',
		seen: 'missing: customer_phone, lead',
	});
});

it('finds the call behind many others to the same number, the oldest first', async () => {
	const [user = {}] = accountWithWebhooks().users;
	const calls = (user['calls'] as JsonObject[]).map((call) => ({
		...call,
		...('campaign_id' in call && { client_phone_number: OWN_NUMBER }),
	}));
	await using provider = await startCallable(
		{ 'call-order': 'oldest-first' },
		{ users: [{ ...user, calls }] },
	);
	const { findings } = await verifyCall(provider, folder());
	expect(findings.find(({ key }) => key === 'call-timeline')?.outcome).toBe('as assumed');
});

describe('nobody is called, and nothing is changed', () => {
	const unchanged = async (provider: Provider) => {
		const changes = (await provider.control.requests()).filter(({ method }) => method !== 'GET');
		expect(changes.map(({ path }) => path)).toEqual([]);
	};

	it('without the first yes', async () => {
		await using provider = await startCallable();
		const result = await verifyCall(provider, folder(), { questions: answering(false) });
		expect(new Set(reasons(result))).toEqual(new Set(['Nobody said yes, so nobody was called.']));
		await unchanged(provider);
	});

	it('without the digits of the number', async () => {
		await using provider = await startCallable({ 'list-campaigns-path': '/user/campaigns/get' });
		const user = obligingUser();
		const asked: Array<string | undefined> = [];
		const questions = {
			...user,
			confirm: (_question: string, answer?: string) => {
				asked.push(answer);
				return Promise.resolve(answer === undefined);
			},
		};
		const result = await verifyCall(provider, folder(), { questions });
		expect(asked).toEqual([undefined, '9907']);
		expect(new Set(reasons(result))).toEqual(new Set(['Nobody said yes, so nobody was called.']));
		await unchanged(provider);
	});

	it('when the receiver is not reached', async () => {
		await using provider = await startCallable({ 'list-campaigns-path': '/user/campaigns/get' });
		const result = await verifyCall(provider, folder(), { questions: answering() });
		expect(reasons(result)[0]).toContain('The receiver was not reached.');
		await unchanged(provider);
	});

	it('without all options', async () => {
		await using provider = await startCallable();
		const { findings } = await verifyAccount({
			target: { baseUrl: provider.url, phoneNumber: OWN_NUMBER },
			token: TOKEN,
			levels: ['call'],
			pause: 0,
			signal: new AbortController().signal,
			questions: answering(),
			folder: folder(),
		});
		expect(findings[0]?.seen).toBe(
			'A call needs --assistant ID, --campaign ID, --receiver-url URL.',
		);
		await unchanged(provider);
	});
});

it('restores when no call begins', async () => {
	await using provider = await startCallable();
	const before = await assistants(provider.client);
	// The service takes the start for done, and does nothing.
	await using proxy = await startProxy(provider.url, {
		before: ({ text }) => (text.includes('"start"') ? 200 : undefined),
	});
	const result = await verifyCall({ ...provider, url: proxy.url }, folder());
	expect(new Set(reasons(result))).toEqual(new Set(['No call began within two minutes.']));
	expect(await assistants(provider.client)).toEqual(before);
	expect(await campaignEvents(provider)).toEqual(['campaign-stopped', 'campaign-stopped']);
	expect(await undoFiles(folder())).toEqual([]);
});

it('stops the campaign and restores when Ctrl-C ends it during the call', async () => {
	await using provider = await startCallable();
	const before = await assistants(provider.client);
	const controller = new AbortController();
	await using proxy = await startProxy(provider.url, {
		after: ({ text }) => {
			if (text.includes('"start"')) controller.abort();
			return undefined;
		},
	});
	const { signal } = controller;
	const result = await verifyCall({ ...provider, url: proxy.url }, folder(), { signal });
	expect(result.stopped).toContain('The verification was interrupted');
	expect(await campaignEvents(provider)).toEqual([
		'campaign-stopped',
		'campaign-started',
		'campaign-stopped',
	]);
	expect(await assistants(provider.client)).toEqual(before);
});
