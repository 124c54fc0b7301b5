import { ADD_LEAD, THANK_BY_SMS } from '../../host/n8n/examples.mts';
import { setUp } from '../../host/n8n/provision.mts';
import type { Stage } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** The example workflows on the canvas, and the node in the panel. */
export async function examples(stage: Stage): Promise<void> {
	const { browser, editor, sandbox, see, takePictures } = stage;
	const data = { baseUrl: sandbox.url, apiToken: sandbox.token };
	const { workflow } = await setUp(editor, data);

	await see(`"${ADD_LEAD}" runs from the canvas`, async () => {
		await browser.openWorkflow(workflow(ADD_LEAD).id);
		await browser.executeWorkflow();
		await browser.announcement('Workflow executed successfully').waitFor();
		await browser.quiet();
		await browser.zoomToFit();
		await takePictures('add-lead-and-start-campaign');
	});

	await see(`"${THANK_BY_SMS}" opens`, async () => {
		await browser.openWorkflow(workflow(THANK_BY_SMS).id);
		await browser.zoomToFit();
		await takePictures('thank-by-sms-when-call-completes');
	});

	await see('the panel shows the node with the icons of either theme', async () => {
		await takePictures('node-panel', async () => {
			await browser.createWorkflow();
			await browser.searchNodes(NODE);
			await browser.openNode(NODE);
		});
	});
}
