import assert from 'node:assert/strict';

import type { FaultRule } from '../../sandbox/client.mts';
import { startReceiver } from '../../sandbox/test/support/receiver.mts';
import { ALICE } from '../../sandbox/test/support/seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** *Test* of the credential, with the messages that a user reads. */
export async function credentialTest(environment: E2eEnvironment): Promise<void> {
	const { check, cleanup, editor, service, alice } = environment;
	const other = await cleanup.use(startReceiver());
	const test = async (changed: object = {}, fault?: FaultRule) => {
		if (fault !== undefined) await service.control.fault({ operation: 'listCalls', ...fault });
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
			'reports https in front of an address without it',
			'The service could not be reached safely: its address does not answer over https. Check the Base URL in the credential: a service on your own machine or network may need http:// in place of https://.',
			{ baseUrl: service.url.replace('http:', 'https:') },
		],
		[
			'does not show a token that the service repeats',
			'The service did not accept the API token: No account has the token ***. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			{},
			{ status: 401, body: { message: `No account has the token ${ALICE}` } },
		],
		[
			'does not follow a redirect with the token',
			`The service redirected the request to another address (${new URL(other.url).host}). The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.`,
			{},
			{ status: 302, headers: { Location: `${other.url}/api/user/calls` } },
		],
	];
	for (const [what, message, changed, fault] of refusals) {
		await check(`the credential test ${what}`, async () => {
			assert.deepEqual(await test(changed, fault), { status: 'Error', message });
			assert.deepEqual(other.arrivals, []);
		});
	}
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
