import { test, waitForScripts } from './sitePage.mts';

test('npm run docs opens the site on this machine', async ({ page, site }) => {
	await page.goto('/gallery.html');
	await waitForScripts(page);
	await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
	await site.assertFits();
});
