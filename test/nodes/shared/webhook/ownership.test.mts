import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ownerOf } from '../../../../nodes/shared/webhook/ownership.ts';
import {
	deriveToken,
	hashOf,
	hasHash,
	isSameToken,
	tokenOf,
	withToken,
} from '../../../../nodes/shared/webhook/token.ts';

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
	it('is the same for the same trigger', () => {
		fc.assert(
			fc.property(trigger, (one) => {
				expect(derive(one)).toBe(derive({ ...one }));
				expect(derive(one)).toMatch(/^[0-9a-f]{64}$/);
			}),
		);
	});

	it('changes with any property of the trigger', () => {
		fc.assert(
			fc.property(
				trigger,
				trigger,
				fc.subarray(
					[
						'apiToken',
						'instanceId',
						'workflowId',
						'nodeId',
						'event',
						'assistantId',
						'origin',
					] as const,
					{ minLength: 1 },
				),
				(one, other, changed) => {
					fc.pre(changed.some((name) => one[name] !== other[name]));
					const changes = Object.fromEntries(changed.map((name) => [name, other[name]]));
					expect(derive({ ...one, ...changes })).not.toBe(derive(one));
				},
			),
		);
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

	it('is read back from the URL that it was added to', () => {
		fc.assert(
			fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, added) => {
				expect(tokenOf(withToken(url, added))).toBe(added);
			}),
		);
		expect(tokenOf('https://n8n.example.com/webhook/1')).toBe('');
		expect(tokenOf('no URL')).toBe('');
	});

	it('equals only itself, and an empty token equals nothing', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (given, expected) => {
				expect(isSameToken(given, expected)).toBe(given !== '' && given === expected);
				expect(isSameToken(given, given)).toBe(given !== '');
			}),
		);
	});
});

describe('the hash of a token', () => {
	it('is found again for this token only', () => {
		fc.assert(
			fc.property(token, fc.oneof(token, fc.string()), (one, other) => {
				expect(hasHash(one, hashOf(one))).toBe(true);
				expect(hasHash(other, hashOf(one))).toBe(other === one);
				expect(hasHash(hashOf(one), hashOf(one))).toBe(false);
			}),
		);
	});

	it('is none for an empty token, and an empty hash belongs to none', () => {
		expect(hasHash('', hashOf(''))).toBe(false);
		fc.assert(fc.property(fc.string(), (any) => expect(hasHash(any, '')).toBe(false)));
	});

	it('does not show the token', () => {
		fc.assert(
			fc.property(token, (one) => {
				expect(hashOf(one)).toMatch(/^[0-9a-f]{64}$/);
				expect(hashOf(one)).not.toBe(one);
			}),
		);
	});
});

describe('the owner of a registration', () => {
	it('is none without an address', () => {
		expect(ownerOf('', { webhookUrl: 'https://a.example.com/x', tokenHashes: [hashOf('t')] })).toBe(
			'none',
		);
	});

	it('is ours for our own path and token, with any host, for the derived and the stored token', () => {
		fc.assert(
			fc.property(
				host,
				host,
				path,
				mode,
				token,
				token,
				fc.boolean(),
				(here, there, ids, at, derived, kept, isKept) => {
					const own = {
						webhookUrl: `${here}/${at}/${ids}`,
						tokenHashes: [hashOf(derived), hashOf(kept)],
					};
					const url = withToken(`${there}/${at}/${ids}`, isKept ? kept : derived);
					expect(ownerOf(url, own)).toBe('ours');
				},
			),
		);
	});

	it('is ours in the other mode for the test address in production, and vice versa', () => {
		fc.assert(
			fc.property(host, path, token, fc.boolean(), (here, ids, mine, isTest) => {
				const [at, other] = isTest ? ['webhook-test', 'webhook'] : ['webhook', 'webhook-test'];
				const own = { webhookUrl: `${here}/${at}/${ids}`, tokenHashes: [hashOf(mine), ''] };
				const url = withToken(`${here}/${other}/${ids}`, mine);
				expect(ownerOf(url, own)).toBe('ours-in-other-mode');
			}),
		);
	});

	it('is foreign for our own path with another token or without a token', () => {
		fc.assert(
			fc.property(
				host,
				path,
				mode,
				token,
				fc.oneof(token, fc.string()),
				(here, ids, at, mine, given) => {
					fc.pre(given !== mine);
					const own = { webhookUrl: `${here}/${at}/${ids}`, tokenHashes: [hashOf(mine), ''] };
					expect(ownerOf(withToken(own.webhookUrl, given), own)).toBe('foreign');
					expect(ownerOf(own.webhookUrl, own)).toBe('foreign');
				},
			),
		);
	});

	it('is foreign for another path with our own token', () => {
		fc.assert(
			fc.property(host, path, path, mode, token, (here, ids, others, at, mine) => {
				const [webhookId, workflowId, nodeId] = ids.split('/');
				const [otherWebhookId, otherWorkflowId, otherNodeId] = others.split('/');
				fc.pre(workflowId !== otherWorkflowId && nodeId !== otherNodeId);
				const own = { webhookUrl: `${here}/${at}/${ids}`, tokenHashes: [hashOf(mine)] };
				for (const elsewhere of [
					`${at}/${webhookId}/${workflowId}/${otherNodeId}`,
					`${at}/${otherWebhookId}/${otherWorkflowId}/${otherNodeId}`,
					`another/${webhookId}/${otherWorkflowId}/${nodeId}`,
					`${at}/${workflowId}/${nodeId}`,
					`below/${at}/${ids}`,
				]) {
					const url = withToken(`${here}/${elsewhere}`, mine);
					expect(ownerOf(url, own)).toBe('foreign');
				}
			}),
		);
	});

	it('is foreign for any other text, and never an error', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string({ minLength: 1 }), fc.webUrl({ withQueryParameters: true })),
				path,
				token,
				(url, ids, mine) => {
					const own = {
						webhookUrl: `https://n8n.example.com/webhook/${ids}`,
						tokenHashes: [hashOf(mine), ''],
					};
					expect(ownerOf(url, own)).toBe('foreign');
				},
			),
		);
	});
});
