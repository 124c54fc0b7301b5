import { provision } from '../../host/n8n/provision.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

/** A picture of each example on the canvas, for the gallery. */
export async function gallery(environment: BrowserEnvironment): Promise<void> {
	const { browser, editor, sandbox, check, takePictures } = environment;
	const { examples } = await provision(editor, sandbox);

	for (const { slug, title, stored } of examples) {
		await check(`"${title}" opens for its picture`, async () => {
			await browser.workflow.open(stored.id);
			await browser.workflow.zoomToFit();
			await takePictures(slug);
		});
	}
}
