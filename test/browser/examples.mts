import { ADD_LEAD, ANSWER_FREE_SLOTS, THANK_BY_SMS } from '../../host/n8n/examples.mts';
import { provision } from '../../host/n8n/provision.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** The example workflows on the canvas, and the node in the panel. */
export async function examples(environment: BrowserEnvironment): Promise<void> {
	const { browser, editor, sandbox, check, takePictures } = environment;
	const { workflow } = await provision(editor, sandbox);

	await check(`"${ADD_LEAD}" runs from the canvas`, async () => {
		await browser.openWorkflow(workflow(ADD_LEAD).id);
		await browser.executeWorkflow();
		await browser.notification('Workflow executed successfully').waitFor();
		await browser.closeNotifications();
		await browser.zoomToFit();
		await takePictures('add-lead-and-start-campaign');
	});

	await check(`"${THANK_BY_SMS}" opens`, async () => {
		await browser.openWorkflow(workflow(THANK_BY_SMS).id);
		await browser.zoomToFit();
		await takePictures('thank-by-sms-when-call-completes');
	});

	await check(`"${ANSWER_FREE_SLOTS}" opens`, async () => {
		await browser.openWorkflow(workflow(ANSWER_FREE_SLOTS).id);
		await browser.zoomToFit();
		await takePictures('answer-free-slots-during-a-call');
	});

	await check('the panel shows the node with the icons of either theme', async () => {
		await takePictures('node-panel', async () => {
			await browser.openNodeInNewWorkflow(NODE);
		});
	});
}
