import { parseArgs } from 'node:util';

import { findChromium } from '../browser/chromium.mts';
import { runChecks } from '../support/checks.mts';
import { appearance } from './appearance.mts';
import { calls } from './calls.mts';
import { connection } from './connection.mts';
import { controls } from './controls.mts';
import { startFixture, tellStoryOfLead5 } from './fixture.mts';
import { startInspectorPage } from './inspectorPage.mts';
import { keyboard } from './keyboard.mts';
import { leads } from './leads.mts';
import { manyCalls } from './manyCalls.mts';
import { onlyCompletedCalls } from './onlyCompletedCalls.mts';
import { takePictures } from './pictures.mts';
import { timeline } from './timeline.mts';

const { values } = parseArgs({ options: { pictures: { type: 'boolean', default: false } } });

/** The inspector of the sandbox, in a browser. */
await runChecks(async (checks) => {
	const chromium = await checks.require('Chromium is installed', () => findChromium());
	const inspector = await checks.require('a browser starts', async () => {
		return await startInspectorPage(checks, chromium);
	});
	const workbench = await checks.require(
		'a sandbox starts',
		async () => await startFixture(checks),
	);
	await timeline(checks, workbench, inspector);
	await calls(checks, workbench, inspector);

	const story = await checks.require('lead 5 has its story', async () => {
		const fixture = await startFixture(checks);
		await tellStoryOfLead5(fixture);
		return fixture;
	});
	if (values.pictures) await takePictures(story, inspector);
	await leads(checks, story, inspector);
	await keyboard(checks, story, inspector);
	await story.control.inbound({ assistant_id: 2, from: '+14155550199', scenario: 'tool-call' });
	await story.control.advance('PT5M');
	await appearance(checks, story, inspector);
	await controls(checks, workbench, inspector);
	await onlyCompletedCalls(checks, inspector);
	await connection(checks, inspector);
	await manyCalls(checks, inspector);
});
