import assert from 'node:assert/strict';

import { createSandbox } from '../../sandbox/index.mts';
import type { Checks } from '../support/checks.mts';
import type { InspectorPage } from './inspectorPage.mts';

/** What the browser logs while there is no server, when the token is wrong, and about the page that says so. */
const OFFLINE = /net::ERR_|status of 401|favicon/;

/** The sandbox ends and comes back, and a sandbox that others reach. */
export async function connection(
	{ check, cleanup }: Checks,
	inspector: InspectorPage,
): Promise<void> {
	const { page, main, open, assertQuiet } = inspector;
	const banner = page.locator('#banner');

	await check('the page says when the sandbox is gone, and goes on when it is back', async () => {
		const first = await createSandbox({ port: 0, clock: 'manual' });
		await open(first.control, '#/leads');
		await main.getByRole('link', { name: 'Lead 4' }).waitFor();
		await first.close();
		await banner.getByText('The sandbox does not answer.').waitFor();
		await main.getByRole('link', { name: 'Lead 4' }).waitFor();
		const port = Number(new URL(first.control).port);
		await cleanup.use(createSandbox({ port, clock: 'manual', seed: { users: [{ token: 't' }] } }));
		await page.getByText('Live', { exact: true }).waitFor();
		await banner.waitFor({ state: 'hidden' });
		await main.getByText('No leads yet.').waitFor();
		assertQuiet(OFFLINE);
	});

	await check('a sandbox that others reach opens with its control token, and is live', async () => {
		const sandbox = await cleanup.use(createSandbox({ port: 0, host: '0.0.0.0', clock: 'manual' }));
		const response = await page.goto(`${sandbox.control}/`);
		assert.equal(response?.status(), 401);
		await page.goto(`${sandbox.control}/?token=${sandbox.controlToken ?? ''}#/leads`);
		await page.getByText('Live', { exact: true }).waitFor();
		await main.getByRole('link', { name: 'Lead 4' }).waitFor();
		assert.ok(!page.url().includes('token'));
		await page.getByRole('button', { name: '+1 min' }).click();
		await page.getByRole('status').getByText('UTC').waitFor();
		assertQuiet(OFFLINE);
	});

	await check('the page runs its own files only', async () => {
		const sandbox = await cleanup.use(createSandbox({ port: 0, clock: 'manual' }));
		const response = await page.goto(sandbox.control);
		assert.equal(new URL(page.url()).pathname, '/__sandbox/');
		const policy = response?.headers()['content-security-policy'] ?? '';
		for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'"]) {
			assert.ok(policy.split('; ').includes(part), policy);
		}
		assert.ok(!policy.includes('unsafe'), policy);
		for (const path of [
			'assets/../../index.mts',
			'assets/%2e%2e/routes.mts',
			'assets/tsconfig.json',
		]) {
			assert.equal((await fetch(`${sandbox.control}/${path}`)).status, 404, path);
		}
		assertQuiet();
	});
}
