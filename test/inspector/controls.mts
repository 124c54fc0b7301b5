import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { Fixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';

/** The clock, faults, and starting again. */
export async function controls(
	{ check }: Checks,
	{ sandbox, service, control }: Fixture,
	inspector: InspectorPage,
): Promise<void> {
	const { page, main, panel, open, assertQuiet } = inspector;
	const now = async () => {
		const { body } = await control.request('GET', '/health');
		return Date.parse(String((body as { now?: unknown }).now));
	};

	await check('the clock moves by its buttons, and says so', async () => {
		await open(sandbox.control, '#/timeline');
		for (const [name, seconds] of [
			['+10 s', 10],
			['+1 min', 60],
			['+1 h', 3600],
		] as const) {
			const before = await now();
			await page.getByRole('button', { name, exact: true }).click();
			const after = new Date(before + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
			await page.getByRole('status').getByText(`It is ${after} UTC.`).waitFor();
			await page.getByRole('group', { name: 'Clock' }).getByText(after).waitFor();
		}
		assertQuiet();
	});

	await check('the clock changes its mode', async () => {
		const mode = page.getByRole('combobox', { name: 'How the clock goes' });
		await mode.selectOption('accelerated');
		await page.getByRole('status').getByText('The clock is accelerated.').waitFor();
		await mode.selectOption('manual');
		await page.getByRole('status').getByText('The clock is manual.').waitFor();
		assertQuiet();
	});

	await check('a fault by its name hits requests, and the request tells it', async () => {
		await open(sandbox.control, '#/faults');
		await main.getByText('None. The service behaves well.').waitFor();
		await main.getByRole('button', { name: 'Turn on: Rate limit' }).click();
		await main.getByRole('table', { name: 'Faults in force' }).getByText('5 times').waitFor();
		const { status } = await service.request('GET', '/user/calls', { ignoreContract: true });
		assert.equal(status, 429);
		await main.getByText('4 times').waitFor();
		await open(sandbox.control, '#/timeline');
		await page.getByRole('banner').getByRole('link', { name: '1 fault in force' }).waitFor();
		await main.getByRole('link', { name: /429/ }).first().click();
		await panel.getByText(/^The fault rule \d+ hit it\.$/).waitFor();
		await panel.getByLabel('Fault rule').getByText('429').waitFor();
		assertQuiet();
	});

	await check('faults are removed, one and all', async () => {
		await open(sandbox.control, '#/faults');
		await main
			.getByRole('button', { name: /^Remove fault/ })
			.first()
			.click();
		await main.getByText('None. The service behaves well.').waitFor();
		for (const title of ['Rate limit', 'Flaky']) {
			await main.getByRole('button', { name: `Turn on: ${title}` }).click();
			await page.getByRole('status').getByText(`“${title}” is on.`).waitFor();
		}
		await main.getByRole('button', { name: 'Turn on: Outage' }).click();
		await main.getByText(/^until \d{4}-\d\d-\d\d .* UTC$/).waitFor();
		await main.getByRole('button', { name: 'Clear all faults' }).click();
		await main.getByText('None. The service behaves well.').waitFor();
		await page.getByRole('link', { name: /in force/ }).waitFor({ state: 'hidden' });
		assert.equal((await service.get('/user/calls')).status, 200);
		assertQuiet();
	});

	await check('reset asks first, then everything starts again', async () => {
		await open(sandbox.control, '#/calls');
		const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' });
		await page.getByRole('button', { name: 'Reset', exact: true }).click();
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		await main
			.getByRole('link', { name: /^Call \d+$/ })
			.first()
			.waitFor();
		await page.getByRole('button', { name: 'Reset', exact: true }).click();
		await dialog.getByRole('button', { name: 'Reset everything' }).click();
		await main.getByRole('heading', { name: 'Timeline' }).waitFor();
		await open(sandbox.control, '#/calls');
		await main.getByText('No call yet.').waitFor();
		assertQuiet();
	});
}
