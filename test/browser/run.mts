import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { calls } from './calls.mts';
import { findChromium } from './chromium.mts';
import { examples } from './examples.mts';
import { allFields, picker } from './fields.mts';
import { firstSteps } from './firstSteps.mts';
import { readServedNode, readTriggerFields } from './servedNode.mts';
import { setTheStage } from './testEnvironment.mts';

const { values } = parseArgs({ options: { pictures: { type: 'boolean', default: false } } });

await runChecks(async (checks) => {
	const chromium = await checks.require('Chromium is installed', async () =>
		Promise.resolve(findChromium()),
	);
	await requireN8n(checks, 'current');
	const stage = await checks.require('a fresh n8n and a browser start', async () => {
		return await setTheStage(checks, chromium, values.pictures);
	});
	checks.onFailure("The end of n8n's log", stage.log);
	const served = await readServedNode(stage.editor);
	await firstSteps(stage, served);
	await picker(stage);
	await allFields(stage, served);
	await calls(stage, await readTriggerFields(stage.editor));
	await examples(stage);
});
