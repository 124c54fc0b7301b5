import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Checks } from '../support/checks.mts';
import { TOKEN, type Fixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';

const run = promisify(execFile);

/** What the browser logs about a refused request. */
export const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** What happens appears by itself, can be found, and says why. */
export async function timeline(
	{ check }: Checks,
	{ sandbox, service }: Fixture,
	inspector: InspectorPage,
): Promise<void> {
	const { page, main, panel, open, assertQuiet, clipboard } = inspector;
	const rows = main.getByRole('row').filter({ has: page.getByRole('cell') });

	await check('the first page says what to do', async () => {
		await open(sandbox.control, '');
		await main.getByText('Nothing has happened yet.').waitFor();
		await main.getByText(sandbox.url).waitFor();
		assertQuiet();
	});

	await check('what happens appears by itself, newest first', async () => {
		await open(sandbox.control, '#/timeline');
		for (const last of [6, 7]) {
			const number = `+1415555020${last}`;
			await service.post('/user/lead', {
				campaign_id: 2,
				phone_number: number,
				variables: { customer_name: 'Somebody', email: 'somebody@example.com' },
			});
			await rows.first().getByText(number).waitFor();
		}
		await main.getByRole('link', { name: 'Lead 5', exact: true }).waitFor();
		assertQuiet();
	});

	await check('a 422 says why, with request and response', async () => {
		await service.post('/user/lead', {
			campaign_id: 2,
			phone_number: "12'3",
			variables: { customer_name: 'Nobody', email: 'nobody@example.com' },
		});
		await rows.first().getByRole('link', { name: /422/ }).click();
		await panel.locator('.why').getByText('phone_number', { exact: true }).waitFor();
		await panel.getByText('"customer_name": "Nobody"').waitFor();
		await panel.getByText('"errors"').waitFor();
		await panel.locator('summary', { hasText: 'Headers' }).first().click();
		await panel.getByText('application/json').first().waitFor();
		assert.ok(!(await page.content()).includes(TOKEN), 'The page has the token.');
		assertQuiet();
	});

	await check('a request is copied as curl without the token, and works', async () => {
		await panel.getByRole('button', { name: 'Copy as curl' }).click();
		await page.getByRole('status').getByText('Copied.').waitFor();
		const command = await clipboard();
		assert.ok(!command.includes(TOKEN));
		const { stdout } = await run('sh', ['-c', `${command} --silent --write-out '%{http_code}'`], {
			env: { ...process.env, TOKEN },
		});
		assert.match(stdout, /"phone_number".*422$/s);
		assertQuiet();
	});

	await check('filters and search are in the address, and stay after a reload', async () => {
		await open(sandbox.control, '#/timeline');
		await main.getByRole('button', { name: 'Leads', exact: true }).click();
		await main.getByRole('searchbox', { name: 'Search' }).fill('0206');
		await page.waitForURL(/search=0206/);
		await rows.nth(1).waitFor({ state: 'detached' });
		await rows.getByText('+14155550206').waitFor();
		await page.reload();
		await rows.getByText('+14155550206').waitFor();
		assert.equal(await rows.count(), 1);
		const leads = main.getByRole('button', { name: 'Leads', exact: true });
		assert.equal(await leads.getAttribute('aria-pressed'), 'true');
		await main.getByRole('searchbox', { name: 'Search' }).fill('nothing like that');
		await main.getByText('Nothing fits these filters.').waitFor();
		assertQuiet();
	});

	await check('warnings alone, and a link to one entry', async () => {
		await open(sandbox.control, '#/timeline');
		await main.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Warnings' });
		await rows.getByText('+14155550206').waitFor({ state: 'detached' });
		await rows.first().getByRole('link', { name: /422/ }).click();
		const address = page.url();
		await page.goto('about:blank');
		await page.goto(address);
		await panel.locator('.why').waitFor();
		assertQuiet();
	});

	await check('older entries come when they are wanted, fifty at a time', async () => {
		for (let sent = 0; sent < 60; sent += 1) await service.get('/user/nothing');
		await open(sandbox.control, '#/timeline');
		await rows.nth(49).waitFor();
		assert.equal(await rows.count(), 50);
		await main.getByRole('button', { name: 'Load more' }).click();
		await main.getByText('+14155550206').waitFor();
		assert.ok((await rows.count()) > 60);
		// What is new does not take the older ones away.
		await service.get('/user/nothing-else');
		await rows.first().getByText('nothing-else').waitFor();
		await main.getByText('+14155550206').waitFor();
		assertQuiet();
	});

	await check('the row of the open request is in sight, wherever it is on its page', async () => {
		await open(sandbox.control, '#/requests');
		const far = await rows.nth(45).getByRole('link').getAttribute('href');
		await page.goto('about:blank');
		await open(sandbox.control, far ?? '');
		await panel.getByText('/user/nothing').first().waitFor();
		const box = await main.locator('tr.selected').boundingBox();
		const header = await page.getByRole('banner').boundingBox();
		const height = page.viewportSize()?.height ?? 0;
		assert.ok(box && header, 'There is no such row, or no header.');
		assert.ok(box.y >= header.height && box.y + box.height <= height, JSON.stringify(box));
		assertQuiet();
	});

	await check('the requests have the successful ones too', async () => {
		await service.get('/user/calls');
		await open(sandbox.control, '#/requests');
		await main.getByRole('searchbox', { name: 'Search' }).fill('/user/calls');
		await rows.getByRole('link', { name: 'GET /api/user/calls' }).first().click();
		await panel.getByText('"data"').waitFor();
		await panel.getByText('listCalls').waitFor();
		assertQuiet();
	});
}
