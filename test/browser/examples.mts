import { ADD_LEAD, THANK_BY_SMS } from '../../host/examples.mts';
import { setUp } from '../../host/setup.mts';
import { takePictures } from './pictures.mts';
import type { Stage } from './stage.mts';

/** The example workflows on the canvas. */
export async function examples({ browser, editor, sandbox, see }: Stage): Promise<void> {
	const data = { baseUrl: sandbox.url, apiToken: sandbox.token };
	const { workflow } = await setUp(editor, data);

	await see(`"${ADD_LEAD}" runs from the canvas`, async () => {
		await browser.openWorkflow(workflow(ADD_LEAD).id);
		await browser.executeWorkflow();
		await browser.announcement('Workflow executed successfully').waitFor();
		await browser.quiet();
		await browser.zoomToFit();
		await takePictures(browser.page, 'add-lead-and-start-campaign');
	});

	await see(`"${THANK_BY_SMS}" opens`, async () => {
		await browser.openWorkflow(workflow(THANK_BY_SMS).id);
		await browser.zoomToFit();
		await takePictures(browser.page, 'thank-by-sms-when-call-completes');
	});
}
