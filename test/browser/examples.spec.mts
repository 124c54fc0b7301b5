import { withCredential } from '../../host/api/workflow.mts';
import { ADD_LEAD, readExample, readGallery } from '../../host/n8n/examples.mts';
import { isRenewed } from '../support/browserOptions.mts';
import { test } from './editorTest.mts';

test(`"${ADD_LEAD}" runs from the canvas`, async ({ ui, api, credential }, info) => {
	const example = withCredential(await readExample(ADD_LEAD), credential);
	await ui.workflow.open((await api.createWorkflow(example)).id);
	await ui.workflow.execute();
	await ui.notification('Workflow executed successfully');
	await ui.closeNotifications();
	await ui.workflow.zoomToFit();
	await ui.takePictures(info, 'first-run');
});

test('examples open for their pictures in the gallery', async ({ ui, api, credential }, info) => {
	const gallery = await readGallery();
	for (const { slug, workflow } of isRenewed(info) ? gallery : gallery.slice(0, 1)) {
		await ui.workflow.open((await api.createWorkflow(withCredential(workflow, credential))).id);
		await ui.workflow.zoomToFit();
		await ui.takeNodePictures(info, slug);
	}
});
