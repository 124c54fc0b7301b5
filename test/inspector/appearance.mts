import type { Checks } from '../support/checks.mts';
import type { Fixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';

/** Every view, and one record of each kind. */
const ADDRESSES = [
	'timeline',
	'timeline/1',
	'timeline?search=nothing+like+that',
	'requests',
	'requests/1',
	'calls',
	'calls/1',
	'leads',
	'leads/5',
	'campaigns',
	'campaigns/1',
	'webhooks',
	'webhooks/1',
	'sms',
	'assistants',
	'assistants/1?secrets=1',
	'tools',
	'tools/1',
	'tool-requests',
	'tool-requests/1',
	'account',
	'faults',
	'nothing',
];

/** Every view in both themes, for everybody, also on a small phone. */
export async function appearance(
	{ check }: Checks,
	{ sandbox }: Fixture,
	inspector: InspectorPage,
): Promise<void> {
	const { page, open, useTheme, useScreen, assertAccessible, assertFits, assertQuiet } = inspector;
	for (const address of ADDRESSES) {
		await check(`#/${address} is accessible, light and dark, and fits a phone`, async () => {
			await open(sandbox.control, `#/${address}`);
			await assertAccessible();
			await useTheme('dark');
			await assertAccessible();
			await useScreen('phone');
			await assertFits();
			await useTheme('light');
			await assertAccessible();
			await useScreen('desktop');
			assertQuiet();
		});
	}

	await check('the dialogs are accessible, light and dark, and fit a phone', async () => {
		await open(sandbox.control, '#/timeline');
		for (const name of ['Call now', 'Reset']) {
			await page.getByRole('button', { name, exact: true }).first().click();
			await page.getByRole('dialog').waitFor();
			await assertAccessible();
			await useTheme('dark');
			await useScreen('phone');
			await assertAccessible();
			await assertFits();
			await useTheme('light');
			await useScreen('desktop');
			await page.keyboard.press('Escape');
		}
		assertQuiet();
	});

	await check('the menu of a phone opens and leads on', async () => {
		await useScreen('phone');
		await open(sandbox.control, '#/timeline');
		const link = page.getByRole('navigation').getByRole('link', { name: 'Leads' });
		await link.waitFor({ state: 'hidden' });
		await page.getByRole('button', { name: 'Menu' }).click();
		await assertFits();
		await link.click();
		await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
		await link.waitFor({ state: 'hidden' });
		await useScreen('desktop');
		assertQuiet();
	});
}
