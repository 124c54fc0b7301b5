import { expect } from '@playwright/test';

import { noteText, withCredential } from '../../host/api/workflow.mts';
import { ADD_LEAD, readExample, readGallery } from '../../host/n8n/examples.mts';
import { isRenewed } from '../support/browserOptions.mts';
import { test } from './editorTest.mts';
import { withoutSetUp } from './withoutSetUp.mts';

test(`"${ADD_LEAD}" runs from the canvas`, async ({ ui, api, credential }, info) => {
	const example = withCredential(await readExample(ADD_LEAD), credential);
	await ui.workflow.open((await api.createWorkflow(example)).id);
	await ui.workflow.execute();
	await ui.notification('Workflow executed successfully');
	await ui.closeNotifications();
	await ui.workflow.zoomToFit();
	await ui.takePictures(info, 'first-run');
});

/** One line of a note, and the space around its text. */
const LINE_HEIGHT = 19;
const PADDING = 8;

test('examples look tidy, and the large button starts what the note says', async ({
	ui: { workflow: canvas },
	api,
	credential,
}) => {
	for (const { slug, workflow } of await readGallery()) {
		const texts = workflow.nodes.flatMap((node) => noteText(node) ?? []);
		await canvas.open((await api.createWorkflow(withCredential(workflow, credential))).id);
		await expect(canvas.notes).toHaveCount(texts.length);
		expect.soft(await canvas.hiddenLines(), `lines of ${slug} behind nodes`).toEqual([]);
		expect.soft(await canvas.touchedLines(), `ends of ${slug} at other lines`).toEqual([]);
		expect.soft(await canvas.longNames(), `names of ${slug} on two lines`).toEqual([]);
		for (const [text, rest] of await canvas.restsOfNotes()) {
			const what = `pixels below the text of the note "${text}" of ${slug}`;
			expect.soft(rest, what).toBeGreaterThanOrEqual(PADDING);
			expect.soft(rest, what).toBeLessThanOrEqual(PADDING + LINE_HEIGHT);
		}
		await canvas.zoomToFit();
		if (await canvas.executeButton.isVisible()) {
			const what = `nodes of ${slug} under the large button`;
			await expect.poll(canvas.namesUnderButton, what).toEqual([]);
		}
		expect
			.soft(await canvas.namesUnderZoom(), `nodes of ${slug} under the zoom buttons`)
			.toEqual([]);
		const clicked = /click \*\*Execute workflow\*\*(?: \(from \*(.+?)\*\))?/.exec(texts.join('\n'));
		if (clicked) {
			const from = clicked[1] === undefined ? [] : [`from ${clicked[1]}`];
			const shown = (await canvas.executeButton.innerText()).split('\n');
			expect
				.soft(shown, `what the button of ${slug} starts`)
				.toEqual(['Execute workflow', ...from]);
		}
	}
});

test('examples open for their pictures in the gallery', async ({ ui, api, credential }, info) => {
	const gallery = await readGallery();
	for (const { slug, workflow } of isRenewed(info) ? gallery : gallery.slice(0, 1)) {
		const shown = withCredential(withoutSetUp(workflow), credential);
		await ui.workflow.open((await api.createWorkflow(shown)).id);
		await ui.workflow.zoomToFit();
		await ui.takeNodePictures(info, slug);
	}
});
