import { findChromium } from '../browser/chromium.mts';
import { runChecks } from '../support/checks.mts';
import { buildSite } from './builtSite.mts';
import { developmentServer } from './developmentServer.mts';
import { gallery } from './gallery.mts';
import { pages } from './pages.mts';
import { search } from './search.mts';
import { openSite } from './sitePage.mts';

/** The documentation's site as a reader sees it on a phone. */
await runChecks(async (checks) => {
	const chromium = await checks.require('Chromium is installed', () => findChromium());
	const site = await checks.require('the site is built, and no link is dead', buildSite);
	const phone = await checks.require('a phone opens the site', async () => {
		return await openSite(checks, chromium, site);
	});
	await pages(checks, site, phone);
	await search(checks, phone);
	await gallery(checks, phone);
	await developmentServer(checks, phone);
});
