import { hostFolder, installN8n } from '../../host/install.mts';
import { runChecks } from '../support/checks.mts';
import { findChromium } from './chromium.mts';
import { firstSteps } from './first-steps.mts';
import { readServedNode } from './served-node.mts';
import { setTheStage } from './stage.mts';

const ACTION_NODE = 'n8n-nodes-voice-assistant-calling.voiceAssistantCalling';

await runChecks(async (checks) => {
	const chromium = await checks.require('Chromium is installed', async () =>
		Promise.resolve(findChromium()),
	);
	await checks.require('n8n is installed (host/current)', async () => {
		await installN8n(hostFolder('current'), checks.interrupt);
	});
	const stage = await checks.require('a fresh n8n and a browser start', async () => {
		return await setTheStage(checks, chromium);
	});
	checks.onFailure("The end of n8n's log", stage.log);
	const served = await readServedNode(stage.editor, ACTION_NODE);
	await firstSteps(stage, served);
});
