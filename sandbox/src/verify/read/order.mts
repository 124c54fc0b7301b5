import { asAssumed, differs, notChecked, otherForm, type Check } from '../check.mts';
import type { Run } from '../run.mts';
import type { Row } from './page.mts';

type Order = 'oldest-first' | 'newest-first';

interface OrderOptions {
	key: string;
	assumed: Order;
	rows: (run: Run) => Promise<Row[]>;
	/** Negative if the first one is older; NaN or 0 if that is unknown. */
	isBefore: (one: Row, other: Row) => number;
	advice: string;
	/** Whether the nodes do the same in any order. */
	isRead?: boolean;
}

/** So many neighbours in the same order are no accident. */
const CERTAIN_PAIRS = 5;

/** A check of the order of a list. */
export const orderCheck = ({
	key,
	assumed,
	rows,
	isBefore,
	advice,
	isRead = false,
}: OrderOptions): Check => ({
	key,
	level: 'read',
	async run(run) {
		const expected = assumed.replace('-', ' ');
		const list = await rows(run);
		const steps = list.slice(1).map((row, index) => Math.sign(isBefore(list[index] ?? {}, row)));
		const known = steps.filter((step) => step === 1 || step === -1);
		if (known.length === 0) return notChecked(expected, 'Fewer than two records show it.');
		const certainty = known.length < CERTAIN_PAIRS ? 'likely' : 'certain';
		const order = orderOf(known);
		if (order === assumed) return asAssumed(expected, expected, certainty);
		const find = isRead ? otherForm : differs;
		if (order) return find(expected, order.replace('-', ' '), { value: order, certainty, advice });
		return find(expected, 'neither oldest nor newest first', { certainty, advice });
	},
});

function orderOf(steps: number[]): Order | undefined {
	if (steps.every((step) => step < 0)) return 'oldest-first';
	return steps.every((step) => step > 0) ? 'newest-first' : undefined;
}
