import { expect, it } from '@jest/globals';
import { n8nAt } from '../../support/n8n/stubService.mts';
import { stubServersPerTest, type StubResponse } from '../../support/n8n/stubServer.mts';
import { EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';
import { getFailure } from '../../support/trigger/testEnvironment.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const startStub = stubServersPerTest();

const EMPTY: StubResponse = { body: { current_page: 1, data: [], last_page: 1, total: 0 } };
const PAGE = '<html><body>Unauthorized</body></html>';

it.each<[string, StubResponse, unknown]>([
	['401', { status: 401, body: { message: 'No.' } }, { cause: 'credential-invalid' }],
	['401 of a gateway', { status: 401, body: PAGE }, undefined],
	['403', { status: 403, body: { message: 'No.' } }, undefined],
	['404', { status: 404, body: { message: 'No.' } }, undefined],
	[
		'429 with a pause of 5 minutes',
		{ status: 429, headers: { 'Retry-After': '300' }, body: { message: 'No.' } },
		{ cause: 'rate-limited', retryAfterMs: 300_000 },
	],
	[
		'503 with a pause of 2 minutes',
		{ status: 503, headers: { 'Retry-After': '120' }, body: PAGE },
		{ cause: 'temporarily-unavailable', retryAfterMs: 120_000 },
	],
	['500', { status: 500, body: { message: 'No.' } }, { cause: 'temporarily-unavailable' }],
	['408 of a gateway', { status: 408, body: PAGE }, { cause: 'temporarily-unavailable' }],
	['a body that is no list', { body: { message: 'Hello' } }, undefined],
])('n8n gets to know why a poll failed: %s', async (_what, response, expected) => {
	let isPublished = false;
	const server = await startStub(() => (isPublished ? response : EMPTY));
	const trigger = new EmulatedPollNode(n8nAt(server));
	await trigger.publish();
	isPublished = true;
	expect(await getFailure(withoutWaits(() => trigger.poll()))).toHaveProperty('failure', expected);
});
