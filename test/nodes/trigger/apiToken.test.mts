import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExpressionError } from 'n8n-workflow';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { toolTrigger } from '../../support/trigger/toolTrigger.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { ALICE } from '../../support/sandbox/seed.mts';
import { failureOf, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, type Instance } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const tokenProxy = await startTokenProxy(environment.service.url, ALICE);
beforeEach(() => {
	tokenProxy.tokens = new Set(['first-token']);
});

const instanceWith = (apiToken: string): Instance =>
	environment.instance({ baseUrl: tokenProxy.url, apiToken });

/** A trigger that was registered before the account got another API token. */
async function rotated() {
	const before = new TriggerNode(instanceWith('first-token'));
	const data = {};
	await before.hook('create', 'production', data);
	const { url } = await environment.registration('callCompleted');
	tokenProxy.tokens = new Set(['second-token']);
	return { node: before.copyWith({}, instanceWith('second-token')), data, url };
}

describe('after the API token was rotated', () => {
	it('the trigger registers again, with a token derived from the new API token', async () => {
		const { node, data, url } = await rotated();
		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		await node.hook('create', 'production', data);
		const anew = await environment.registration('callCompleted');
		expect(anew.url).toContain(`${await node.url('production')}?token=`);
		expect(anew.url).not.toBe(url);
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
	});

	it('the old registration can be removed: the stored token identifies it', async () => {
		const { node, data } = await rotated();
		await node.hook('delete', 'production', data);
		expect((await environment.registration('callCompleted')).url).toBeNull();
	});

	it('a test does not change the production registration, though it cannot recognise it', async () => {
		const { node } = await rotated();
		const refused = async () => {
			await failureOf(node.hook('create', 'test', {}));
			await node.hook('delete', 'test', {});
		};
		expect(await environment.isUnchangedBy(refused)).toBe(true);
	});

	it('a registration is foreign if the stored token is gone, too', async () => {
		const { node } = await rotated();
		const refused = async () => {
			const { message } = await failureOf(node.hook('create', 'production', {}));
			expect(message).toContain('to another trigger or workflow on this n8n');
			await node.hook('delete', 'production', {});
		};
		expect(await environment.isUnchangedBy(refused)).toBe(true);
	});
});

describe('a trigger that recognised its registration without static data', () => {
	it('still recognises it after the API token was rotated', async () => {
		const before = new TriggerNode(instanceWith('first-token'));
		await before.hook('create', 'production', {});
		const data = {};
		expect(await before.hook('checkExists', 'production', data)).toBe(true);

		tokenProxy.tokens = new Set(['second-token']);
		await before.copyWith({}, instanceWith('second-token')).hook('delete', 'production', data);
		expect((await environment.registration('callCompleted')).url).toBeNull();
	});
});

describe('a copy of the workflow with another API token of the same account', () => {
	it('is foreign', async () => {
		tokenProxy.tokens = new Set(['first-token', 'second-token']);
		const node = new TriggerNode(instanceWith('first-token'));
		await node.hook('create', 'production', {});
		const copy = node.copyWith({}, instanceWith('second-token'));
		const refused = async () => {
			await failureOf(copy.hook('create', 'production', {}));
			await copy.hook('delete', 'production', {});
		};
		expect(await environment.isUnchangedBy(refused)).toBe(true);
	});
});

describe('a wrong API token', () => {
	it.each(['checkExists', 'create'] as const)(
		'makes %s fail with a message, without the token',
		async (hook) => {
			const node = new TriggerNode(instanceWith('wrong-token'));
			const error = await failureOf(node.hook(hook, 'production', {}));
			// n8n 2.0 does not repeat the activation for hours if the message contains "Authorization".
			expect(error.message).toBe(
				'Authorization failed: The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			);
			expect(JSON.stringify(error)).not.toContain('wrong-token');
		},
	);

	it('makes delete a warning', async () => {
		const node = new TriggerNode(instanceWith('wrong-token'));
		expect(await node.hook('delete', 'production', {})).toBe(false);
		expect(node.instance.warnings).toEqual([
			expect.stringContaining('The service did not accept the API token'),
		]);
		expect(node.instance.warnings.join()).not.toContain('wrong-token');
	});
});

describe('a credential whose expression needs an item', () => {
	/** As n8n answers a trigger that reads such a credential (n8n 2.0, 2.41). */
	const instanceWithoutItems = (): Instance => {
		const instance = environment.instance();
		Object.defineProperty(instance.n8n.credential, 'apiToken', {
			enumerable: true,
			get: () => {
				throw new ExpressionError("Node '' hasn't been executed");
			},
		});
		return instance;
	};

	it.each([
		['the trigger', () => new TriggerNode(instanceWithoutItems())],
		['the mid call tool trigger', () => toolTrigger(instanceWithoutItems())],
	])('is refused by %s, in words, and delete has nothing to do', async (_, node) => {
		const lifecycle = new Lifecycle(node());
		const asked = await environment.requestedOperations(async () => {
			const { message } = await failureOf(lifecycle.publish());
			expect(message).toBe(
				'The credential has an expression that needs an item, such as {{ $json.token }}. Triggers and lists to choose from have none. Choose a credential with fixed values.',
			);
		});
		expect(asked).toEqual([]);
		expect(lifecycle.node.instance.warnings).toEqual([]);
	});
});
