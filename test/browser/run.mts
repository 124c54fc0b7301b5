import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { calls } from './calls.mts';
import { findChromium } from './chromium.mts';
import { examples } from './examples.mts';
import { allFields, picker } from './fields.mts';
import { firstSteps } from './firstSteps.mts';
import { midCallTool } from './midCallTool.mts';
import { readServedNode, readToolTriggerFields, readTriggerFields } from './servedNode.mts';
import { startBrowserEnvironment } from './testEnvironment.mts';

const { values } = parseArgs({ options: { pictures: { type: 'boolean', default: false } } });

await runChecks(async (checks) => {
	const chromium = await checks.require('Chromium is installed', async () =>
		Promise.resolve(findChromium()),
	);
	await requireN8n(checks, 'current');
	const environment = await checks.require('a new n8n and a browser start', async () => {
		return await startBrowserEnvironment(checks, chromium, values.pictures);
	});
	const served = await readServedNode(environment.editor);
	await firstSteps(environment, served);
	await picker(environment);
	await allFields(environment, served);
	await calls(environment, await readTriggerFields(environment.editor));
	await midCallTool(environment, await readToolTriggerFields(environment.editor));
	await examples(environment);
});
