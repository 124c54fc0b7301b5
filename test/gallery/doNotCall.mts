import assert from 'node:assert/strict';

import type { Example } from './example.mts';
import type { Gallery } from './gallery.mts';

/** The list of people who want no calls. */
export const DO_NOT_CALL = 'Do not call';

let count = 0;
const nextNumber = (): string => `+49151277${10_000 + (count += 1)}`;

/** A number as people write it, while the list has it without spaces. */
const asWritten = (phone: string): string => phone.replace(/^\+49(\d{3})/, '0049 $1 / ');

/** Does something. @returns the phone numbers of the leads that are added then */
export async function numbersAddedBy(
	{ sent }: Example,
	work: () => Promise<unknown>,
): Promise<unknown[]> {
	const before = (await sent('createLead')).length;
	await work();
	return (await sent('createLead')).slice(before).map(({ phone_number: phone }) => phone);
}

/**
 * Checks that an example adds everybody but those who are in the table: with nobody, somebody and everybody
 * of its people in it.
 *
 * @param add lets the example add these people, and gives the numbers of the leads that it has added
 */
export async function checkDoNotCall(
	{ check, tables }: Gallery,
	name: string,
	add: (numbers: string[]) => Promise<unknown[]>,
): Promise<void> {
	await check(`"${name}" adds all but those who are in Do not call`, async () => {
		for (const listed of [0, 1, 3]) {
			const people = [nextNumber(), nextNumber(), nextNumber()];
			for (const phone_number of people.slice(0, listed)) {
				await tables.insert(DO_NOT_CALL, [{ phone_number }]);
			}
			const added = await add(people.map(asWritten));
			assert.deepEqual(
				people.filter((phone) => added.includes(phone)),
				people.slice(listed),
			);
		}
	});
}
