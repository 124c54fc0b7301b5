import { expect } from '@playwright/test';

import { createSandbox } from '../../index.mts';
import { test } from './inspectorPage.mts';

/** What the browser logs while there is no server, when the token is wrong, and about the page that says so. */
const OFFLINE = /net::ERR_|status of 401|favicon/;

test('the page says when the sandbox is gone, and goes on afterwards', async ({ inspector }) => {
	const { page, main, open, startSandbox, expectedErrors } = inspector;
	expectedErrors.push(OFFLINE);
	const first = await createSandbox({ port: 0, clock: 'manual' });
	const banner = page.locator('#banner');
	const lead = main.getByRole('link', { name: /^4 · / });
	await open('#/leads', first.control);
	await lead.waitFor();
	await first.close();
	await banner.getByText('The sandbox does not answer.').waitFor();
	await lead.waitFor();
	const port = Number(new URL(first.control).port);
	await startSandbox({ port, seed: { users: [{ token: 't' }] } });
	await page.getByText('Live', { exact: true }).waitFor();
	await banner.waitFor({ state: 'hidden' });
	await main.getByText('No leads yet.').waitFor();
});

test('a sandbox that others reach opens with its token, and is live', async ({ inspector }) => {
	const { page, main, message, pressClock, open, startSandbox, expectedErrors } = inspector;
	expectedErrors.push(OFFLINE);
	const { control, controlToken = '' } = await startSandbox({ host: '0.0.0.0' });
	expect((await page.goto(`${control}/`))?.status()).toBe(401);
	await open(`?token=${controlToken}#/leads`, control);
	await main.getByRole('link', { name: /^4 · / }).waitFor();
	expect(page.url()).not.toContain('token');
	await pressClock('+1 min');
	await message.getByText('UTC').waitFor();
});
