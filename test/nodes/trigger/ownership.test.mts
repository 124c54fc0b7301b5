import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ownerOf } from '../../../nodes/VoiceAssistantCallingTrigger/ownership.ts';
import {
	deriveToken,
	isSameToken,
	withToken,
} from '../../../nodes/VoiceAssistantCallingTrigger/token.ts';

const identity = fc.record({
	apiToken: fc.string({ minLength: 1 }),
	instanceId: fc.string(),
	workflowId: fc.string(),
	nodeId: fc.string(),
	event: fc.constantFrom('callCompleted', 'inboundCallCompleted'),
	assistantId: fc.nat().map(String),
	origin: fc.webUrl({ withQueryParameters: false }).map((url) => new URL(url).origin),
});
type Identity = typeof identity extends fc.Arbitrary<infer Value> ? Value : never;

const tokenOf = ({ apiToken, ...place }: Identity) => deriveToken(apiToken, place);

const token = fc.stringMatching(/^[0-9a-f]{64}$/);
const host = fc.webAuthority().map((authority) => `https://${authority}`);
const path = fc.tuple(fc.uuid(), fc.uuid()).map((ids) => ids.join('/'));
const mode = fc.constantFrom('webhook', 'webhook-test');

describe('the token of a registration', () => {
	it('is the same for the same trigger', () => {
		fc.assert(
			fc.property(identity, (trigger) => {
				expect(tokenOf(trigger)).toBe(tokenOf({ ...trigger }));
				expect(tokenOf(trigger)).toMatch(/^[0-9a-f]{64}$/);
			}),
		);
	});

	it('is another one when anything of the trigger is', () => {
		fc.assert(
			fc.property(
				identity,
				identity,
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
					expect(tokenOf({ ...one, ...changes })).not.toBe(tokenOf(one));
				},
			),
		);
	});

	it('does not depend on where one part ends and the next begins', () => {
		const rest = {
			nodeId: 'n',
			event: 'callCompleted',
			assistantId: '1',
			origin: 'https://n8n.example.com',
		};
		expect(deriveToken('key', { instanceId: 'ab', workflowId: 'c', ...rest })).not.toBe(
			deriveToken('key', { instanceId: 'a', workflowId: 'bc', ...rest }),
		);
	});

	it('equals itself only, and an empty one equals nothing', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (given, expected) => {
				expect(isSameToken(given, expected)).toBe(given !== '' && given === expected);
				expect(isSameToken(given, given)).toBe(given !== '');
			}),
		);
	});
});

describe('whose a registration is', () => {
	const registration = (url: string) => ({ url, isActive: true });

	it('nobody’s without an address', () => {
		expect(ownerOf(registration(''), { url: 'https://a.example.com/x', tokens: ['t'] })).toBe(
			'none',
		);
	});

	it('ours for our own path and token, whatever the host, the derived token or the kept one', () => {
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
					const self = { url: `${here}/${at}/${ids}`, tokens: [derived, kept] };
					const url = withToken(`${there}/${at}/${ids}`, isKept ? kept : derived);
					expect(ownerOf(registration(url), self)).toBe('ours');
				},
			),
		);
	});

	it('ours in the other mode for the test address in production, and the other way round', () => {
		fc.assert(
			fc.property(host, path, token, fc.boolean(), (here, ids, own, isTest) => {
				const [at, other] = isTest ? ['webhook-test', 'webhook'] : ['webhook', 'webhook-test'];
				const self = { url: `${here}/${at}/${ids}`, tokens: [own, ''] };
				const url = withToken(`${here}/${other}/${ids}`, own);
				expect(ownerOf(registration(url), self)).toBe('ours-in-other-mode');
			}),
		);
	});

	it('someone else’s with another token, or none, on our own path', () => {
		fc.assert(
			fc.property(
				host,
				path,
				mode,
				token,
				fc.oneof(token, fc.string()),
				(here, ids, at, own, given) => {
					fc.pre(given !== own);
					const self = { url: `${here}/${at}/${ids}`, tokens: [own, ''] };
					expect(ownerOf(registration(withToken(self.url, given)), self)).toBe('foreign');
					expect(ownerOf(registration(self.url), self)).toBe('foreign');
				},
			),
		);
	});

	it('someone else’s with our own token on another path', () => {
		fc.assert(
			fc.property(host, path, path, mode, token, (here, ids, others, at, own) => {
				const [webhookId, nodeId] = ids.split('/');
				const [otherWebhookId, otherNodeId] = others.split('/');
				fc.pre(nodeId !== otherNodeId);
				const self = { url: `${here}/${at}/${ids}`, tokens: [own] };
				for (const elsewhere of [
					`${at}/${webhookId}/${otherNodeId}`,
					`${at}/${otherWebhookId}/${otherNodeId}`,
					`another/${otherWebhookId}/${nodeId}`,
					`${at}/${nodeId}`,
					`below/${at}/${ids}`,
				]) {
					const url = withToken(`${here}/${elsewhere}`, own);
					expect(ownerOf(registration(url), self)).toBe('foreign');
				}
			}),
		);
	});

	it('never ours, and never an error, for whatever stands there', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string({ minLength: 1 }), fc.webUrl({ withQueryParameters: true })),
				path,
				token,
				(url, ids, own) => {
					const self = { url: `https://n8n.example.com/webhook/${ids}`, tokens: [own, ''] };
					expect(ownerOf(registration(url), self)).toBe('foreign');
				},
			),
		);
	});
});
