import { expect } from '@playwright/test';
import { execa } from 'execa';

import type { ServiceClient } from '../support/client.mts';
import { test } from './inspectorPage.mts';
import { TOKEN } from './seed.mts';

const addLead = async (service: ServiceClient, number: string, name = 'Somebody') =>
	await service.post('/user/lead', {
		campaign_id: 2,
		phone_number: number,
		variables: { customer_name: name, email: 'somebody@example.com' },
	});

test('the first page says what to do; what happens appears by itself', async ({ inspector }) => {
	const { main, rows, sandbox, service, open } = inspector;
	await open('');
	await main.getByText('Nothing has happened yet.').waitFor();
	await main.getByText(sandbox.url).waitFor();
	for (const number of ['+14155550206', '+14155550207']) {
		await addLead(service, number);
		await rows.first().getByText(number).waitFor();
	}
	await main.getByRole('link', { name: 'Lead 5', exact: true }).waitFor();
});

test('a 422 says why, and its curl command works without the token', async ({ inspector }) => {
	const { page, main, rows, panel, message, service, open, press, clipboard } = inspector;
	const why = panel.locator('.why').getByText('phone_number', { exact: true });
	await addLead(service, "12'3", 'Nobody');
	await addLead(service, '+14155550206');
	await open('#/timeline');
	await rows.getByText('+14155550206').waitFor();
	await main.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Warnings' });
	await rows.getByText('+14155550206').waitFor({ state: 'detached' });
	await rows.first().getByRole('link', { name: /422/ }).click();
	await why.waitFor();
	// The address of the entry shows it again.
	await open(new URL(page.url()).hash);
	await why.waitFor();
	await panel.getByText('"customer_name": "Nobody"').waitFor();
	await panel.getByText('"errors"').waitFor();
	await panel.locator('summary', { hasText: 'Headers' }).first().click();
	await panel.getByText('application/json').first().waitFor();
	expect(await page.content()).not.toContain(TOKEN);

	await press('Copy as curl', panel);
	await message.getByText('Copied.').waitFor();
	const command = await clipboard();
	expect(command).not.toContain(TOKEN);
	const withStatus = `${command} --silent --write-out '%{http_code}'`;
	const { stdout } = await execa('sh', ['-c', withStatus], { env: { TOKEN } });
	expect(stdout).toMatch(/"phone_number".*422$/s);
});

test('filters and search are in the address, and stay after a reload', async ({ inspector }) => {
	const { page, main, rows, service, open, press } = inspector;
	const search = main.getByRole('searchbox', { name: 'Search' });
	for (const number of ['+14155550206', '+14155550207']) await addLead(service, number);
	await open('#/timeline');
	await press('Leads', main);
	await search.fill('0206');
	await page.waitForURL(/search=0206/);
	await rows.nth(1).waitFor({ state: 'detached' });
	await rows.getByText('+14155550206').waitFor();
	await page.reload();
	await rows.getByText('+14155550206').waitFor();
	await expect(rows).toHaveCount(1);
	const leads = main.getByRole('button', { name: 'Leads', exact: true });
	await expect(leads).toHaveAttribute('aria-pressed', 'true');
	await search.fill('nothing like that');
	await main.getByText('Nothing fits these filters.').waitFor();
});

test('older entries come when they are wanted, fifty at a time', async ({ inspector }) => {
	const { main, rows, service, open, press } = inspector;
	await addLead(service, '+14155550206');
	for (let sent = 0; sent < 60; sent += 1) await service.get(`/user/nothing/${sent}`);
	await open('#/timeline');
	await expect(rows).toHaveCount(50);
	await press('Load more');
	await main.getByText('+14155550206').waitFor();
	expect(await rows.count()).toBeGreaterThan(60);
	// What is new does not take the older ones away.
	await service.get('/user/nothing-else');
	await rows.first().getByText('nothing-else').waitFor();
	await main.getByText('+14155550206').waitFor();
});

test('what happens again and again is one row, which names the fault once', async ({
	inspector,
}) => {
	const { page, main, panel, rows, control, service, open } = inspector;
	await control.request('POST', '/faults', { preset: 'outage' });
	for (let sent = 0; sent < 8; sent += 1) {
		await service.request('GET', '/user/calls', { ignoreContract: true });
	}
	await open('#/timeline?show=refused');
	await expect(rows).toHaveText([/Refusal.*answered 503 by fault 1\. Service Unav.*× 8.*Fault 1/s]);
	await rows.getByRole('link', { name: /503/ }).click();
	const others = panel.getByRole('definition').getByRole('link', { name: /^\d{4}-/ });
	await expect(others).toHaveCount(7);
	await others.last().click();
	await expect(others).toHaveCount(0);
	await expect(panel.getByText('The same before')).toHaveCount(0);
	await main.locator('tr.selected').getByRole('link', { name: /503/ }).waitFor();
	await panel.getByRole('link', { name: 'Fault 1' }).first().click();
	await main.getByRole('table', { name: 'Faults in force' }).locator('tr.selected').waitFor();
	expect(page.url()).toMatch(/#\/faults\/1$/);
});

test('addresses are shortened by one rule, in a sentence and at its end', async ({ inspector }) => {
	const { main, service, open } = inspector;
	const url = 'https://n8n.example.com/webhook/0a1b2c3d-0000-4000-8000-52f3f1f7aa02/voice';
	await service.post('/user/assistants/enable-inbound-webhook', {
		assistant_id: 1,
		webhook_url: url,
	});
	const short = main.getByText('https://n8n.example.com/…3f1f7aa02/voice').first();
	await open('#/timeline?show=settings');
	await short.waitFor();
	await open('#/assistants/1');
	await short.waitFor();
});

test('the log has all requests; the row of the open one is in sight', async ({ inspector }) => {
	const { page, main, panel, rows, service, open, assertFits } = inspector;
	await service.get('/user/calls');
	await open('#/requests');
	await main.getByRole('searchbox', { name: 'Search' }).fill('/user/calls');
	await rows.getByRole('link', { name: 'GET /api/user/calls' }).click();
	await panel.getByText('"data"').waitFor();
	await panel.getByText('listCalls').waitFor();
	// Beside it, no word of the list is broken.
	await expect(main.getByRole('columnheader')).toHaveText(['Time', 'Request', 'Status']);
	await expect(rows.first().getByRole('cell').first()).toHaveCSS('overflow-wrap', 'break-word');
	await assertFits(main.locator('.list'));
	for (let sent = 0; sent < 60; sent += 1) await service.get('/user/nothing');
	await open('#/requests');
	const far = await rows.nth(45).getByRole('link').getAttribute('href');
	await open(far ?? '');
	await panel.getByText('/user/nothing').first().waitFor();
	const box = await main.locator('tr.selected').boundingBox();
	const header = await page.getByRole('banner').boundingBox();
	if (!box || !header) throw new Error('There is no such row, or no header.');
	expect(box.y).toBeGreaterThanOrEqual(header.height);
	expect(box.y + box.height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
});
