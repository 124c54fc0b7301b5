import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { ANSWER_FREE_SLOTS } from '../../host/n8n/examples.mts';
import { withText, type Example } from './example.mts';
import type { Gallery } from './gallery.mts';
import { answerOfTool } from './toolCalls.mts';

const offer = (day: string, times: string) =>
	`On ${day}, these times are free: ${times}. Which one suits you?`;
const NOTHING_FREE =
	'Nothing is free on that day. Which other day suits you, from Monday to Saturday?';

/** What the assistant says to somebody who wants to come on another day. */
const ANSWERS = {
	'2026-03-14': offer('Saturday, March 14', '10:00 and 11:30'),
	'2026-03-15': NOTHING_FREE,
	tomorrow: NOTHING_FREE,
	'2026-02-30': NOTHING_FREE,
	['__proto__']: NOTHING_FREE,
};

const ask = async (example: Example, day: string): Promise<string> =>
	await answerOfTool(example, 1, 'get_free_slots', { day });

/** The example offers the free times of a day, while an assistant talks to somebody. */
export async function answerFreeSlotsDuringACall({ check, open }: Gallery): Promise<void> {
	const example = await open(ANSWER_FREE_SLOTS);
	await example.publish();

	await check('the assistant offers the times of a day, and the request is noted', async () => {
		const execution = await example.next(async () => {
			const answer = await ask(example, '2026-03-09');
			assert.equal(answer, offer('Monday, March 9', '9:00 and 14:00'));
		});
		const [note, ...others] = getItems(execution, 'Note the request');
		assert.deepEqual(others, []);
		assert.deepEqual(
			{ ...note, asked_at: '' },
			{ wanted_day: '2026-03-09', offered_slots: '9:00 and 14:00', asked_at: '' },
		);
		assert.match(String(note?.asked_at), /^\d{4}-\d\d-\d\dT/);
	});

	for (const [day, answer] of Object.entries(ANSWERS)) {
		await check(`who wants to come on ${day} hears what is free, or is asked again`, async () => {
			assert.equal(await ask(example, day), answer);
		});
	}

	await check('a calendar that cannot be read is a fallback answer', async () => {
		const unreadable = '={{ $(\\"A node that is missing\\").first().json.slots }}';
		const broken = await open(ANSWER_FREE_SLOTS, [withText('9:00 and 14:00', () => unreadable)]);
		await broken.publish();
		const error = await broken.nextError(async () => {
			const fallback =
				'I cannot see the calendar at the moment. We will call you back with a free time.';
			assert.equal(await ask(broken, '2026-03-09'), fallback);
		});
		assert.equal(error, "Referenced node doesn't exist");
	});
}
