import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toHash } from '../../../../nodes/shared/values/hash.ts';
import { getOwner } from '../../../../nodes/shared/webhook/ownership.ts';
import {
	deriveToken,
	hasHash,
	getToken,
	withToken,
} from '../../../../nodes/shared/webhook/token.ts';
import { forAny } from '../../../support/forAny.mts';

const trigger = fc.record({
	apiToken: fc.string({ minLength: 1 }),
	instanceId: fc.string(),
	workflowId: fc.string(),
	nodeId: fc.string(),
	event: fc.constantFrom('callCompleted', 'inboundCallCompleted'),
	assistantId: fc.nat().map(String),
	origin: fc.webUrl({ withQueryParameters: false }).map((url) => new URL(url).origin),
});
type Trigger = typeof trigger extends fc.Arbitrary<infer Value> ? Value : never;

const derive = ({ apiToken, origin, event, assistantId, ...place }: Trigger) =>
	deriveToken(apiToken, { ...place, purpose: [event, assistantId] }, origin);

const token = fc.stringMatching(/^[0-9a-f]{64}$/);
const host = fc.webAuthority().map((authority) => `https://${authority}`);
const path = fc.tuple(fc.uuid(), fc.uuid(), fc.uuid()).map((ids) => ids.join('/'));
const mode = fc.constantFrom('webhook', 'webhook-test');

describe('the token of a registration', () => {
	it('changes with any property of the trigger', async () => {
		const place = ['instanceId', 'workflowId', 'nodeId'] as const;
		const all = ['apiToken', 'event', 'assistantId', 'origin', ...place] as const;
		const changed = fc.subarray([...all], { minLength: 1 });
		await forAny(fc.tuple(trigger, trigger, changed), ([one, other, names]) => {
			fc.pre(names.some((name) => one[name] !== other[name]));
			const changes = Object.fromEntries(names.map((name) => [name, other[name]]));
			expect(derive({ ...one, ...changes })).not.toBe(derive(one));
		});
	});

	it('does not depend on where one part ends and the next begins', () => {
		const rest = { apiToken: 'key', nodeId: 'n', origin: 'https://n8n.example.com' };
		const tokens = [
			{ instanceId: 'ab', workflowId: 'c', event: 'callCompleted', assistantId: '12' },
			{ instanceId: 'a', workflowId: 'bc', event: 'callCompleted', assistantId: '12' },
			{ instanceId: 'ab', workflowId: 'c', event: 'callCompleted1', assistantId: '2' },
		].map((place) => derive({ ...rest, ...place } as Trigger));
		expect(new Set(tokens).size).toBe(tokens.length);
	});

	it('is read back from the URL that it was added to', async () => {
		await forAny(
			fc.tuple(fc.webUrl({ withQueryParameters: true }), fc.string()),
			([url, added]) => {
				expect(getToken(withToken(url, added))).toBe(added);
			},
		);
		expect(getToken('https://n8n.example.com/webhook/1')).toBe('');
		expect(getToken('no URL')).toBe('');
	});
});

describe('the hash of a token', () => {
	it('is found again for this token only', () =>
		forAny(fc.tuple(token, fc.oneof(token, fc.string())), ([one, other]) => {
			expect(hasHash(one, toHash(one))).toBe(true);
			expect(hasHash(other, toHash(one))).toBe(other === one);
			expect(hasHash(toHash(one), toHash(one))).toBe(false);
		}));

	it('is none for an empty token, and an empty hash belongs to none', async () => {
		expect(hasHash('', toHash(''))).toBe(false);
		await forAny(fc.string(), (any) => expect(hasHash(any, '')).toBe(false));
	});
});

describe('the owner of a registration', () => {
	/** A trigger of this n8n: its host, path, mode, and the token that it derives. */
	const own = fc.record({ here: host, ids: path, at: mode, mine: token });

	const ownerFor = (url: string, webhookUrl: string, ...tokens: string[]) =>
		getOwner(url, { webhookUrl, tokenHashes: tokens.map(toHash), registeredAt: undefined });

	const isSameHost = (one: string, other: string) => new URL(one).host === new URL(other).host;

	it('is ours for our own host and whole path with any token, and elsewhere for our own token at another host', () =>
		forAny(
			fc.tuple(own, host, token, path, fc.boolean()),
			([{ here, ids, at, mine }, there, kept, prefix, isKept]) => {
				const webhookUrl = `${here}/${at}/${ids}`;
				expect(ownerFor(withToken(webhookUrl, kept), webhookUrl, mine)).toBe('ours');
				expect(ownerFor(webhookUrl, webhookUrl, mine)).toBe('ours');
				fc.pre(!isSameHost(here, there));
				for (const moved of [`${there}/${at}/${ids}`, `${there}/${prefix}/${at}/${ids}`]) {
					const url = withToken(moved, isKept ? kept : mine);
					expect(ownerFor(url, webhookUrl, mine, kept)).toBe('elsewhere');
				}
			},
		));

	it('is ours in the other mode for the test address in production, and vice versa', () =>
		forAny(own, ({ here, ids, at, mine }) => {
			const other = at === 'webhook' ? 'webhook-test' : 'webhook';
			const url = withToken(`${here}/${other}/${ids}`, mine);
			expect(ownerFor(url, `${here}/${at}/${ids}`, mine)).toBe('ours-in-other-mode');
		}));

	it('is foreign for our own path at another host with another token, and without one', () =>
		forAny(fc.tuple(own, token, host), ([{ here, ids, at, mine }, given, there]) => {
			fc.pre(given !== mine && !isSameHost(here, there));
			const webhookUrl = `${here}/${at}/${ids}`;
			const url = withToken(`${there}/${at}/${ids}`, given);
			expect(ownerFor(url, webhookUrl, mine, '')).toBe('foreign');
			expect(ownerFor(`${there}/${at}/${ids}`, webhookUrl, mine, '')).toBe('foreign');
		}));

	it('is unknown for what the service does not show, unless the trigger is registered there', () => {
		const own = { webhookUrl: 'https://n8n.example.com/webhook/a/b/c', tokenHashes: [toHash('t')] };
		const owner = (shown: string | undefined, registeredAt?: string) =>
			getOwner(shown, { ...own, registeredAt });
		expect(owner(undefined)).toBe('unknown');
		expect(owner(undefined, own.webhookUrl)).toBe('ours');
		expect(owner(undefined, 'https://old.example.com/webhook/a/b/c')).toBe('elsewhere');
		// What a service says in place of a URL is not what the trigger has registered.
		expect(owner('set', own.webhookUrl)).toBe('unknown');
		expect(owner('', own.webhookUrl)).toBe('none');
	});

	it('is foreign for another form of our own URL', () =>
		forAny(own, ({ here, ids, at, mine }) => {
			const webhookUrl = `${here}/${at}/${ids}`;
			const registered = withToken(webhookUrl, mine);
			expect(ownerFor(withToken(`${webhookUrl}/`, mine), webhookUrl, mine)).toBe('foreign');
			const there = registered.replace(here, 'https://elsewhere.example.com');
			for (const shown of [there.slice(0, -1), `${there}/`, there.replace('token=', 'Token=')]) {
				expect(ownerFor(shown, webhookUrl, mine)).toBe('foreign');
			}
		}));

	it('is foreign for another path with our own token', () =>
		forAny(fc.tuple(own, path), ([{ here, ids, at, mine }, others]) => {
			const [webhookId, workflowId, nodeId] = ids.split('/');
			const [otherWebhookId, otherWorkflowId, otherNodeId] = others.split('/');
			fc.pre(workflowId !== otherWorkflowId && nodeId !== otherNodeId);
			for (const elsewhere of [
				`${at}/${webhookId}/${workflowId}/${otherNodeId}`,
				`${at}/${otherWebhookId}/${otherWorkflowId}/${otherNodeId}`,
				`another/${webhookId}/${otherWorkflowId}/${nodeId}`,
			]) {
				const url = withToken(`${here}/${elsewhere}`, mine);
				expect(ownerFor(url, `${here}/${at}/${ids}`, mine)).toBe('foreign');
			}
		}));

	it('is ours in the other mode below any other path of n8n', () =>
		forAny(own, ({ here, ids, at, mine }) => {
			for (const elsewhere of [`hooks/${ids}`, `api/hooks/${ids}`, `below/${at}/${ids}`]) {
				const url = withToken(`${here}/${elsewhere}`, mine);
				expect(ownerFor(url, `${here}/${at}/${ids}`, mine)).toBe('ours-in-other-mode');
			}
		}));

	it('is foreign for any other URL, never ours for another text, and never an error', async () => {
		const texts = fc.oneof(fc.string({ minLength: 1 }), fc.webUrl({ withQueryParameters: true }));
		await forAny(fc.tuple(own, texts), ([{ here, at, ids, mine }, text]) => {
			const owner = ownerFor(text, `${here}/${at}/${ids}`, mine, '');
			expect(owner).toBe(URL.canParse(text) ? 'foreign' : 'unknown');
		});
	});
});
