import { parseArgs } from 'node:util';

import { MID_CALL_TOOL_TRIGGER, POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { calls } from './calls.mts';
import { findChromium } from './chromium.mts';
import { examples } from './examples.mts';
import { credentialFields } from './credentialFields.mts';
import { agentFields, allFields } from './fields.mts';
import { firstSteps } from './firstSteps.mts';
import { gallery } from './gallery.mts';
import { hints } from './hints.mts';
import { midCallTool } from './midCallTool.mts';
import { gatheredLists, picker } from './pickers.mts';
import { poll } from './poll.mts';
import { readServedNode, readTriggerFields } from './servedNode.mts';
import { npmStart } from './npmStart.mts';
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
	await credentialFields(environment);
	await gatheredLists(environment);
	await picker(environment);
	await allFields(environment, served);
	await agentFields(environment, served, await readServedNode(environment.editor, true));
	const fieldsOf = async (type: string) => await readTriggerFields(environment.editor, type);
	await calls(environment, await fieldsOf(TRIGGER));
	await midCallTool(environment, await fieldsOf(MID_CALL_TOOL_TRIGGER));
	await poll(environment, await fieldsOf(POLL_TRIGGER));
	await hints(environment);
	await examples(environment);
	if (values.pictures) await gallery(environment);
	await npmStart(checks, chromium);
});
