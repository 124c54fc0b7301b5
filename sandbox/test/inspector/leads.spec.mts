import { expect } from '@playwright/test';

import { tellStoryOfLead5, test } from './inspectorPage.mts';
import { TOKEN, WEBHOOK_TOKEN } from './seed.mts';

test.beforeEach(tellStoryOfLead5);

test('a search finds lead 5, its story, and its webhook to replay', async ({ inspector }) => {
	const { main, receiver, open } = inspector;
	const summary = main.locator('.summary');
	await open('#/leads?search=brandt');
	const found = main.getByRole('link', { name: /^\d+ · / });
	await expect(found).toHaveText(['5 · Eva Brandt']);
	await main.getByText('1 of 1').waitFor();
	await found.click();
	await summary.getByText(/^Called once; the last call was “completed”\./).waitFor();
	await summary.getByText(/A webhook failed: The receiver answered 404\./).waitFor();
	await summary.getByText(/is the workflow published\?/).waitFor();
	const story = (await main.locator('.story li').allInnerTexts()).join('\n');
	expect(story).toMatch(/added.*ringing.*was answered.*ended.*webhook/s);
	await main.locator('dd', { hasText: 'Eva Brandt' }).waitFor();
	// Now the receiver is ready.
	await main.getByRole('button', { name: /^Replay webhook/ }).click();
	await main.locator('.delivery').getByText('The receiver answered 200.').waitFor();
	expect(receiver.arrivals).toHaveLength(1);
	await summary.getByText('1 of 1 webhook delivered.').waitFor();
});

test('every list has a time, and an SMS leads to its lead and call', async ({ inspector }) => {
	const { main, rows, control, service, open } = inspector;
	await service.post('/user/sms', { from: 1, to: '+14155550105', body: 'Hello' });
	await control.inbound({ assistant_id: 2, from: '+14155550199', scenario: 'tool-call' });
	await control.advance('PT5M');
	const lists = ['timeline', 'requests', 'calls', 'leads', 'campaigns', 'webhooks', 'assistants'];
	for (const list of [...lists, 'tools', 'tool-requests', 'sms']) {
		await open(`#/${list}`);
		await rows.first().locator('time').first().waitFor();
	}
	await main.getByRole('link', { name: 'Call 1' }).waitFor();
	await main.getByRole('link', { name: 'Eva Brandt' }).waitFor();
});

test('Call now on a lead calls its number for its campaign', async ({ inspector }) => {
	const { page, main, dialog, open, press } = inspector;
	await open('#/leads/5');
	await press('Call now', main);
	await press('Call now', dialog);
	await page.waitForURL(/#\/calls\/\d+$/);
	await main.getByRole('link', { name: 'Eva Brandt' }).waitFor();
	await main.getByRole('link', { name: 'Spring appointments', exact: true }).waitFor();
});

test('a campaign shows how far it is', async ({ inspector }) => {
	const { main, open } = inspector;
	await open('#/campaigns');
	await main.getByRole('link', { name: '1 · Spring appointments' }).click();
	await main.getByRole('link', { name: '1 call', exact: true }).waitFor();
	await main.getByRole('img', { name: /1 completed/ }).waitFor();
});

test('an assistant shows its webhooks, and tokens only when asked', async ({ inspector }) => {
	const { page, main, open } = inspector;
	const token = main.getByText(TOKEN, { exact: true });
	await open('#/assistants/1');
	await main.getByText('a published n8n workflow').waitFor();
	const values = main.getByRole('table', { name: 'Values of the post call schema' });
	await values.getByRole('row', { name: /^appointment_made bool Whether/ }).waitFor();
	const hidden = await page.content();
	for (const text of [TOKEN, WEBHOOK_TOKEN]) expect(hidden).not.toContain(text);
	await main.getByRole('link', { name: 'Show tokens' }).press('Enter');
	await token.waitFor();
	await main.locator(':focus', { hasText: 'Hide tokens' }).waitFor();
	await main.getByText(`?token=${WEBHOOK_TOKEN}`).first().waitFor();
	await main.getByRole('link', { name: 'Hide tokens' }).click();
	await token.waitFor({ state: 'detached' });
});
