import { pictureFile } from '../../../test/support/browserOptions.mts';
import { tellStoryOfLead5, test } from './inspectorPage.mts';

test.beforeEach(tellStoryOfLead5);

for (const [name, hash] of Object.entries({ timeline: '#/timeline', call: '#/calls/1' })) {
	test(`the pictures inspector-${name}`, async ({ inspector }, info) => {
		const { page, main, open } = inspector;
		await open(hash);
		await main.locator('.list, .conversation').first().waitFor();
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			const path = pictureFile(info, `inspector-${name}-${colorScheme}.png`);
			await page.screenshot({ path, scale: 'css', animations: 'disabled', caret: 'hide' });
		}
	});
}
