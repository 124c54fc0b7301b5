import assert from 'node:assert/strict';

import { post } from '../support/post.mts';
import type { Gallery } from './gallery.mts';

const NAME = 'Know who is calling';
const ASSISTANT = 9;
const TABLE = 'Customers';

/** The example gives the assistant the name of the caller before it answers. */
export async function knowWhoIsCalling(gallery: Gallery): Promise<void> {
	const { check, open, tables } = gallery;
	const example = await open(NAME);

	await check(
		'a set-up creates the table of customers, and a second one adds nothing',
		async () => {
			await example.setUp();
			const names = (await tables.rows(TABLE)).map(({ name }) => name);
			assert.deepEqual(names, ['Ada', 'Jane']);
		},
	);
	await example.publish();

	/** The service asks about callers. */
	const ask = async (...callers: Array<string | null>): Promise<unknown[]> => {
		const path = `/records/assistants/${ASSISTANT}?secrets=1`;
		const { body } = await example.control.request('GET', path);
		const { url } = (body as { inbound_webhook: { url: string } }).inbound_webhook;
		const questions = callers.map((customer_phone) => ({
			customer_phone,
			assistant_phone: '+14155550100',
		}));
		const { texts } = await post(url, questions, 1);
		return texts.map((text) => JSON.parse(text) as unknown);
	};
	// The first execution after a publish is slow.
	await ask('+14155550199');

	await check('the assistant learns the name and the open order before it answers', async () => {
		assert.deepEqual(await ask('+14155550101', '+4915112345611'), [
			{ customer_name: 'Ada', open_order: 'A1001' },
			{ customer_name: 'Jane' },
		]);
	});

	await check('who is unknown, or hides the number, is greeted without a name', async () => {
		const [unknown, hidden] = await ask('+14155550102', null);
		assert.deepEqual([unknown, hidden], [{ customer_name: 'there' }, { customer_name: 'there' }]);
	});
}
