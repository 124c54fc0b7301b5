import assert from 'node:assert/strict';

import { freePort } from '../../host/process/ports.mts';
import type { Checks } from '../support/checks.mts';
import { startReceiver } from '../support/sandbox/receiver.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** *Test* of the credential, with the messages that a user reads. */
export async function credentialTest(
	{ check, cleanup }: Checks,
	{ editor, service, alice }: E2eEnvironment,
): Promise<void> {
	const test = async (changed: { baseUrl?: string; apiToken?: string } = {}) =>
		await editor.testCredential(alice, { baseUrl: service.url, apiToken: ALICE, ...changed });
	const assertRefused = async (
		message: string,
		changed: { baseUrl?: string; apiToken?: string } = {},
	): Promise<void> => {
		assert.deepEqual(await test(changed), { status: 'Error', message });
	};

	await check('the credential test accepts the right token', async () => {
		assert.deepEqual(await test(), {
			status: 'OK',
			message: 'The service accepted the API token',
		});
	});

	await check('the credential test reports a wrong token', async () => {
		await assertRefused(
			'The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			{ apiToken: 'wrong' },
		);
	});

	await check('the credential test reports a Base URL without /api', async () => {
		await assertRefused(
			'The Base URL of the credential does not end in /api. Enter the address that your provider gives you, such as https://calls.example.com/api.',
			{ baseUrl: service.url.replace(/\/api$/, '') },
		);
	});

	await check('the credential test reports a web page', async () => {
		await service.control.fault({ operation: 'listCalls', status: 200, body: '<html>Hi</html>' });
		await assertRefused(
			'The service answered with a web page or text instead of data (status 200). Check the Base URL in the credential: it must be the address of the API and end in /api.',
		);
	});

	await check('the credential test reports a host that refuses connections', async () => {
		await assertRefused(
			'The service could not be reached: its host refused the connection. Check the Base URL in the credential, and whether this n8n can reach that host.',
			{ baseUrl: `http://127.0.0.1:${await freePort()}/api` },
		);
	});

	await check('the credential test does not show a token that the service repeats', async () => {
		const message = `No account has the token ${ALICE}`;
		await service.control.fault({ operation: 'listCalls', status: 401, body: { message } });
		await assertRefused(
			'The service did not accept the API token: No account has the token ***. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
		);
	});

	await check('the credential test does not follow a redirect with the token', async () => {
		const other = await cleanup.use(startReceiver());
		const Location = `${other.url}/api/user/calls`;
		await service.control.fault({ operation: 'listCalls', status: 302, headers: { Location } });
		await assertRefused(
			`The service redirected the request to another address (${new URL(other.url).host}). The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.`,
		);
		assert.deepEqual(other.arrivals, []);
	});
}

/** *Test* of the credential in an n8n that refuses requests to its own network. n8n 2.0 has no such setting. */
export async function refusedHost({ check }: Checks, environment: E2eEnvironment): Promise<void> {
	const { editor, service, alice, host, restart } = environment;
	if (host === 'oldest') return;
	await restart({ N8N_SSRF_PROTECTION_ENABLED: 'true' });

	await check(
		"the credential test reaches no host that n8n's SSRF protection refuses",
		async () => {
			const before = (await service.control.requests()).length;
			const data = { baseUrl: service.url, apiToken: ALICE };
			assert.deepEqual(await editor.testCredential(alice, data), {
				status: 'Error',
				message:
					'This n8n does not allow requests to the host of the Base URL. Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
			});
			assert.equal((await service.control.requests()).length, before);
		},
	);
	await restart();
}
