import assert from 'node:assert/strict';

import type { Example } from './example.mts';
import type { Gallery } from './gallery.mts';
import type { Row } from './tables.mts';

/**
 * Checks that of several calls of a person, the last one counts, in whatever order they are delivered.
 *
 * @param getRow reads the row of the person
 * @param belongsTo what a call has that belongs to a row
 */
export async function checkLateDelivery(
	{ check }: Gallery,
	{ next, deliver }: Example,
	getRow: () => Promise<Row>,
	belongsTo: (row: Row) => object,
): Promise<void> {
	await check('a call that is delivered after a newer one changes nothing in its row', async () => {
		const belonging = belongsTo(await getRow());
		for (const [day, status, outcome] of [
			['04', 'completed', 'answered'],
			['03', 'no-answer', 'answered'],
			['05', 'busy', 'busy'],
		] as const) {
			const created_at = `2040-01-${day} 10:00:00`;
			await next(async () => await deliver({ id: Number(day), created_at, status, ...belonging }));
			assert.equal((await getRow()).outcome, outcome);
		}
	});
}

/** What the calls of a lead have. @param row of the lead */
export const leadOf = ({ lead_id: id }: Row): object => ({ lead: { id } });
