import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import { TOKEN, WEBHOOK_TOKEN, type Fixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';

/** What happened to lead 5, and why did its webhook fail? Told by {@link tellStoryOfLead5}. */
export async function leads(
	{ check }: Checks,
	{ sandbox, receiver }: Fixture,
	inspector: InspectorPage,
): Promise<void> {
	const { page, main, open, assertQuiet } = inspector;

	await check('lead 5 tells its story, and why its webhook failed', async () => {
		await open(sandbox.control, '#/leads');
		await main.getByRole('link', { name: 'Lead 5', exact: true }).click();
		const summary = main.locator('.summary');
		await summary.getByText(/^Called once; the last call was “completed”\./).waitFor();
		await summary.getByText(/A webhook failed: The receiver answered 404\./).waitFor();
		await summary.getByText(/is the workflow published\?/).waitFor();
		const story = await main.locator('.story li').allInnerTexts();
		const order = ['added', 'ringing', 'was answered', 'ended', 'webhook'];
		const places = order.map((word) => story.findIndex((text) => text.includes(word)));
		assert.ok(!places.includes(-1), story.join('\n'));
		assert.deepEqual(
			places,
			places.toSorted((one, other) => one - other),
			story.join('\n'),
		);
		await main.locator('dd', { hasText: 'Eva Brandt' }).waitFor();
		assertQuiet();
	});

	await check('a search in the leads finds what is known of a person', async () => {
		await open(sandbox.control, '#/leads?search=brandt');
		await main.getByRole('link', { name: 'Lead 5', exact: true }).waitFor();
		assert.equal(await main.getByRole('link', { name: /^Lead \d+$/ }).count(), 1);
		await open(sandbox.control, '#/leads/5');
		assertQuiet();
	});

	await check('Replay delivers it once the receiver is ready', async () => {
		const before = receiver.arrivals.length;
		await main.getByRole('button', { name: /^Replay webhook/ }).click();
		await main.locator('.delivery').getByText('The receiver answered 200.').waitFor();
		assert.equal(receiver.arrivals.length, before + 1);
		await main.locator('.summary').getByText('1 of 1 webhook delivered.').waitFor();
		assertQuiet();
	});

	await check('Call now on a lead calls its number for its campaign', async () => {
		await main.getByRole('button', { name: 'Call now' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Call now' }).click();
		await page.waitForURL(/#\/calls\/\d+$/);
		await main.getByRole('link', { name: 'Lead 5' }).first().waitFor();
		await main.getByRole('link', { name: 'Spring appointments', exact: true }).waitFor();
		assertQuiet();
	});

	await check('a campaign shows how far it is', async () => {
		await open(sandbox.control, '#/campaigns');
		await main.getByRole('link', { name: '1 · Spring appointments' }).click();
		await main.getByRole('img', { name: /1 completed/ }).waitFor();
		await main.getByRole('link', { name: '1 call', exact: true }).waitFor();
		assertQuiet();
	});

	await check('an assistant shows its webhooks, and tokens only when asked', async () => {
		await open(sandbox.control, '#/assistants/1');
		await main.getByText('a published n8n workflow').waitFor();
		const values = main.getByRole('table', { name: 'Values of the post call schema' });
		await values.getByRole('row', { name: /^appointment_made bool Whether/ }).waitFor();
		const hidden = await page.content();
		for (const token of [TOKEN, WEBHOOK_TOKEN]) assert.ok(!hidden.includes(token));
		await main.getByRole('link', { name: 'Show tokens' }).press('Enter');
		await main.getByText(TOKEN, { exact: true }).waitFor();
		await main.locator(':focus', { hasText: 'Hide tokens' }).waitFor();
		await main.getByText(`?token=${WEBHOOK_TOKEN}`).first().waitFor();
		await main.getByRole('link', { name: 'Hide tokens' }).click();
		await main.getByText(TOKEN, { exact: true }).waitFor({ state: 'detached' });
		assertQuiet();
	});
}
