import assert from 'node:assert/strict';

import type { Example } from './example.mts';
import type { Gallery } from './gallery.mts';

/** The list of people who want no calls. */
export const DO_NOT_CALL = 'Do not call';

let count = 0;

/** One number, as it is sent, as the table has it, and as the person's row has it. */
interface Spellings {
	sent: string;
	listed: string;
	written: string;
}

/** People whose numbers are written in other ways in both. Those without a country code need *Default Country Code*. */
const peopleToAdd = (): Spellings[] => {
	const last = () => String(10_000 + (count += 1));
	const [a, b, c, d, e] = [last(), last(), last(), last(), last()];
	const short = last().slice(-3);
	return [
		{ sent: `+49151277${a}`, listed: `+49151277${a}`, written: `0151 / 277${a}` },
		{ sent: `+49151277${b}`, listed: `0151 / 27 7-${b}`, written: `+49 151 277${b}` },
		{ sent: `+49151277${c}`, listed: ` +49 151 277 ${c} (Ada)`, written: `0049 (151) 277-${c}` },
		{ sent: `+49151277${d}`, listed: `0151 277${d} ext. 12`, written: `+49 (0)151 277${d}` },
		{
			sent: `+49151277${e}`,
			listed: `office +49 30 1234567; 0151 277${e}`,
			written: `+49151277${e}`,
		},
		{ sent: `+49277${short}`, listed: `0277 / ${short}`, written: `+49 277 ${short}` },
	];
};

/** Rows that must not keep anybody from being called: no number, and numbers with one digit more. */
const otherRows = (people: Spellings[]) => [
	{ phone_number: '' },
	{ phone_number: 'withheld' },
	...people.map(({ sent }) => ({ phone_number: sent.replace(/(\d{4})$/, '5$1') })),
];

/** Does something. @returns the phone numbers of the leads that are added then, or that are called */
export async function numbersAddedBy(
	{ sent }: Example,
	work: () => Promise<unknown>,
): Promise<unknown[]> {
	const all = async () => [...(await sent('createLead')), ...(await sent('makeCall'))];
	const before = (await all()).length;
	await work();
	return (await all()).slice(before).map(({ phone_number: phone }) => phone);
}

/**
 * Checks that an example adds everybody but those who are in the table, however both write the number: with
 * nobody, half and all of its people in it.
 *
 * @param add lets the example add these people, and gives the numbers of the leads that it has added
 */
export async function checkDoNotCall(
	{ check, tables }: Gallery,
	{ workflow, setCountryCode }: Example,
	add: (numbers: string[]) => Promise<unknown[]>,
): Promise<void> {
	await check(`"${workflow.name}" adds all but those who are in Do not call`, async () => {
		await setCountryCode('49');
		try {
			for (const share of [0, 0.5, 1]) {
				const people = peopleToAdd();
				const listed = people.length * share;
				await tables.insert(DO_NOT_CALL, [
					...otherRows(people),
					...people.slice(0, listed).map((person) => ({ phone_number: person.listed })),
				]);
				const added = await add(people.map(({ written }) => written));
				const numbers = people.map(({ sent }) => sent);
				// The survey adds the people of the rounds before again, whom the service refuses.
				assert.deepEqual(
					numbers.filter((number) => added.includes(number)),
					numbers.slice(listed),
				);
			}
		} finally {
			await setCountryCode('');
		}
	});
}

/** Checks that an example, which is published, lists who wants no more calls of its assistant, and nobody else. */
export async function checkOptOut(
	{ check, tables }: Gallery,
	{ workflow, callOut, next }: Example,
	assistant_id: number,
): Promise<void> {
	await check(`"${workflow.name}" lists who wants no more calls`, async () => {
		for (const wants_no_calls of [true, false]) {
			const to = `+4915127800${(count += 1) + 100}`;
			await next(async () => await callOut({ assistant_id, to, values: { wants_no_calls } }));
			const rows = await tables.rows(DO_NOT_CALL, { phone_number: to });
			assert.equal(rows.length, wants_no_calls ? 1 : 0);
		}
	});
}
