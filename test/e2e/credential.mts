import assert from 'node:assert/strict';

import * as z from 'zod';

import { openCatalogue } from '../../host/api/catalogue.mts';
import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { provideCredential } from '../../host/n8n/provision.mts';
import type { FaultRule } from '../../sandbox/client.mts';
import { startReceiver } from '../../sandbox/test/support/receiver.mts';
import { ALICE } from '../../sandbox/test/support/seed.mts';
import { CAROL } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** *Test* of the credential, with the messages that a user reads. */
export async function credentialTest(environment: E2eEnvironment): Promise<void> {
	const { check, cleanup, editor, service, alice } = environment;
	const other = await cleanup.use(startReceiver());
	const test = async (changed: object = {}, fault?: FaultRule) => {
		if (fault !== undefined) await service.control.fault({ operation: 'getAccount', ...fault });
		const data = { baseUrl: service.url, apiToken: ALICE, ...changed };
		return await editor.testCredential(alice, data);
	};

	await check('the credential test accepts the right token', async () => {
		const message = 'The service accepted the API token';
		assert.deepEqual(await test(), { status: 'OK', message });
	});

	const refusals: Array<[what: string, message: string, changed: object, fault?: FaultRule]> = [
		[
			'reports a wrong token',
			'The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			{ apiToken: 'wrong' },
		],
		[
			'does not follow a redirect with the token',
			`The service redirected the request to another address (${new URL(other.url).host}). The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.`,
			{},
			{ status: 302, headers: { Location: `${other.url}/api/user/me` } },
		],
	];
	for (const [what, message, changed, fault] of refusals) {
		await check(`the credential test ${what}`, async () => {
			assert.deepEqual(await test(changed, fault), { status: 'Error', message });
			assert.deepEqual(other.arrivals, []);
		});
	}
}

/** What a later `npm start` does with a credential that the user has changed. */
export async function credentialAtNextStart(environment: E2eEnvironment): Promise<void> {
	const { check, editor, host, service } = environment;
	// `npm start` has the current one.
	if (host === 'oldest') return;
	const name = 'Sandbox of a user';
	const earlier = service.url.replace(new URL(service.url).port, '1');
	/** A value of the user in each field, which no start would store. */
	const changed: Record<string, string | boolean> = {
		...{ apiToken: CAROL, defaultCountryCode: '49', useOtherListPaths: true },
		assistantListPath: '/mine/assistants',
		// Fields of n8n's own.
		...{ allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' },
	};
	const atNextStart = async (data: Record<string, string | boolean>) => {
		await editor.saveCredential(CREDENTIAL_TYPE, name, data);
		const ref = await provideCredential(editor, name, { url: service.url, token: ALICE });
		const stored = await editor.readCredential(CREDENTIAL_TYPE, name);
		assert.equal(stored?.id, ref.id);
		return { ref, stored: stored.data };
	};

	await check('the next start keeps each field of a credential, and renews its port', async () => {
		const types = await openCatalogue(editor.rest).credentialTypes();
		const type = types.find((one) => one.name === CREDENTIAL_TYPE);
		const names = z.array(z.object({ name: z.string() })).parse(type?.properties);
		assert.deepEqual(
			new Set(['baseUrl', ...Object.keys(changed)]),
			new Set(names.map((field) => field.name)),
		);
		await provideCredential(editor, name, { url: earlier, token: ALICE });
		const { ref, stored } = await atNextStart({ baseUrl: earlier, ...changed });
		const { apiToken, ...shown } = stored;
		const { apiToken: token, ...expected } = changed;
		assert.deepEqual(shown, { ...expected, baseUrl: service.url });
		// n8n does not show a secret. Its test uses the one that is stored.
		const userOf = async (used: unknown) => {
			const data = { baseUrl: service.url, apiToken: String(used) };
			assert.equal((await editor.testCredential(ref, data)).status, 'OK');
			return (await service.control.requests()).at(-1)?.user;
		};
		assert.notEqual(apiToken, token);
		assert.equal(await userOf(apiToken), await userOf(token));
		assert.notEqual(await userOf(apiToken), await userOf(ALICE));
	});

	await check('the next start leaves a credential that leads to another service', async () => {
		for (const baseUrl of ['https://calls.example.com/api', '={{ $vars.base }}', '']) {
			const { stored } = await atNextStart({ baseUrl, ...changed });
			assert.equal(stored.baseUrl, baseUrl);
		}
	});
}

/** *Test* of the credential in an n8n that refuses requests to its own network. n8n 2.0 has no such setting. */
export async function refusedHost(environment: E2eEnvironment): Promise<void> {
	const { check, editor, service, alice, host, restart } = environment;
	if (host === 'oldest') return;
	await restart({ N8N_SSRF_PROTECTION_ENABLED: 'true' });

	await check("the credential test obeys n8n's SSRF protection", async () => {
		const before = (await service.control.requests()).length;
		const data = { baseUrl: service.url, apiToken: ALICE };
		assert.deepEqual(await editor.testCredential(alice, data), {
			status: 'Error',
			message:
				'This n8n does not allow requests to the host of the Base URL. Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
		});
		assert.equal((await service.control.requests()).length, before);
	});
	await restart();
}
