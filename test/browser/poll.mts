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
		await browser.createWorkflow();
		await browser.searchNodes('poll trigger');
		await browser.addTrigger(TRIGGER);
		await addEverything(browser, fields);
		await assertLooksRight(browser.fields);
		await browser.execute();
		assert.equal(await browser.itemCount(), '1 item');
		await browser.showSchema();
		await browser.outputShows('+4915112345673');
		await browser.closeNotifications();
		await browser.closeNode();
	});
}
