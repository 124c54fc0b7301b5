import assert from 'node:assert/strict';

import { freePort } from '../../host/process/ports.mts';
import type { Checks } from '../support/checks.mts';
import { startReceiver } from '../support/sandbox/receiver.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import type { Credentials, Stage } from './testEnvironment.mts';

/** *Test* of the credential, with the words that a user reads; they are the same on every n8n. */
export async function credentialTest(
	{ check, lifetime }: Checks,
	{ editor, service }: Stage,
	{ alice }: Credentials,
): Promise<void> {
	const test = async (changed: { baseUrl?: string; apiToken?: string } = {}) =>
		await editor.testCredential(alice, { baseUrl: service.url, apiToken: ALICE, ...changed });
	const refused = (message: string) => ({ status: 'Error', message });

	await check('the credential test accepts the right token', async () => {
		assert.deepEqual(await test(), {
			status: 'OK',
			message: 'The service accepted the API token',
		});
	});

	await check('the credential test tells a wrong token', async () => {
		assert.deepEqual(
			await test({ apiToken: 'wrong' }),
			refused(
				'The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			),
		);
	});

	await check('the credential test tells a Base URL without /api', async () => {
		assert.deepEqual(
			await test({ baseUrl: service.url.replace(/\/api$/, '') }),
			refused(
				'The Base URL of the credential does not end in /api. Enter the address that your provider gives you, such as https://calls.example.com/api.',
			),
		);
	});

	await check('the credential test tells a web page', async () => {
		await service.control.fault({ operation: 'listCalls', status: 200, body: '<html>Hi</html>' });
		assert.deepEqual(
			await test(),
			refused(
				'The service answered with a web page or text instead of data (status 200). Check the Base URL in the credential: it must be the address of the API and end in /api.',
			),
		);
	});

	await check('the credential test tells a host that is not there', async () => {
		assert.deepEqual(
			await test({ baseUrl: `http://127.0.0.1:${await freePort()}/api` }),
			refused(
				'The service could not be reached: its host refused the connection. Check the Base URL in the credential, and whether this n8n can reach that host.',
			),
		);
	});

	await check(
		'the credential test does not carry the token to where it is redirected',
		async () => {
			const other = await startReceiver();
			await lifetime.atEnd(async () => await other.close());
			const Location = `${other.url}/api/user/calls`;
			await service.control.fault({ operation: 'listCalls', status: 302, headers: { Location } });
			assert.deepEqual(
				await test(),
				refused(
					`The service redirected the request to another address (${new URL(other.url).host}). The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.`,
				),
			);
			assert.deepEqual(other.arrivals, []);
		},
	);
}
