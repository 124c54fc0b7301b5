import { ADD_LEAD } from '../../host/n8n/examples.mts';
import { provision } from '../../host/n8n/provision.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** An example that runs from the canvas, and the node in the panel. */
export async function examples(environment: BrowserEnvironment): Promise<void> {
	const { browser, editor, sandbox, check, takePictures } = environment;
	const { workflow } = await provision(editor, sandbox);

	await check(`"${ADD_LEAD}" runs from the canvas`, async () => {
		await browser.workflow.open(workflow(ADD_LEAD).id);
		await browser.workflow.execute();
		await browser.notifications.titled('Workflow executed successfully').waitFor();
		await browser.notifications.closeAll();
		await browser.workflow.zoomToFit();
		await takePictures('first-run');
	});

	await check('the panel shows the node with the icons of either theme', async () => {
		await takePictures('node-panel', async () => {
			await browser.openNodeInNewWorkflow(NODE);
		});
	});
}
