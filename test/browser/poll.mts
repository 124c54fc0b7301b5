import assert from 'node:assert/strict';

import { assertLooksRight } from './appearance.mts';
import { addEverything } from './fields.mts';
import type { EditorField } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const TRIGGER = 'Voice Assistant Calling Poll Trigger';

/** A new user tries the trigger that needs no public address. */
export async function poll(
	{ browser, control, check }: BrowserEnvironment,
	fields: EditorField[],
): Promise<void> {
	await check('the poll trigger shows all its fields, and fetches the newest call', async () => {
		await control.outbound({ assistant_id: 1, to: '+4915112345673' });
		await control.advance('PT2M');
		await browser.workflow.create();
		await browser.nodePanel.search('poll trigger');
		await browser.nodePanel.addTrigger(TRIGGER);
		await addEverything(browser, fields);
		await assertLooksRight(browser.form.fields);
		await browser.node.execute();
		assert.equal(await browser.output.itemCount(), '1 item');
		await browser.output.showSchema();
		await browser.output.shows('+4915112345673');
		await browser.notifications.closeAll();
		await browser.node.close();
	});
}
