const UNITS = {
	time: [' s', 2],
	rate: [' per s', 1],
	p50: [' ms', 0],
	p95: [' ms', 0],
	longest: [' ms', 0],
	requests: ['', 0],
	/** with what was wanted */
	answered: [' %', 0],
	/** the longest time in which n8n answered nobody */
	silence: [' s', 2],
	/** of n8n's memory */
	growth: [' MB', 0],
} as const;
type Column = keyof typeof UNITS;

/** What was measured: the work, and what did it. */
export interface Subject {
	/** "1,000 leads" */
	work: string;
	/** "this node" */
	by: string;
}

/** The limit of a number, or of its relation to the number of another subject. */
interface Bound {
	of: 'value' | 'ratio' | 'difference';
	sign: '≤' | '≥';
	limit: number;
}
export const atMost = (limit: number): Bound => ({ of: 'value', sign: '≤', limit });
export const atMostMore = (limit: number): Bound => ({ of: 'difference', sign: '≤', limit });
export const atMostTimes = (limit: number): Bound => ({ of: 'ratio', sign: '≤', limit });
export const atLeastTimes = (limit: number): Bound => ({ of: 'ratio', sign: '≥', limit });

const toKey = ({ work, by }: Subject): string => `${work}: ${by}`;

function format(value: number, column: Column): string {
	const [unit, digits] = UNITS[column];
	return value.toFixed(digits) + unit;
}

/** Collects measurements, and prints the medians. */
export class Results {
	readonly #measured = new Map<
		string,
		{ subject: Subject; columns: Partial<Record<Column, number[]>> }
	>();
	readonly #goals: Array<() => object> = [];

	record(subject: Subject, measurements: Partial<Record<Column, number>>): void {
		const entry = this.#measured.get(toKey(subject)) ?? { subject, columns: {} };
		this.#measured.set(toKey(subject), entry);
		for (const [column, value] of Object.entries(measurements)) {
			(entry.columns[column as Column] ??= []).push(value);
		}
	}

	/** Adds a line to the table of goals. */
	expect(column: Column, subject: Subject, { of, sign, limit }: Bound, beside?: Subject): void {
		this.#goals.push(() => {
			const own = this.#median(subject, column);
			const other = beside === undefined ? NaN : this.#median(beside, column);
			const compared = { value: own, ratio: own / other, difference: own - other }[of];
			return {
				...subject,
				[column]: format(own, column),
				...(beside && { beside: `${format(other, column)} (${beside.by})` }),
				goal: `${of} ${sign} ${limit}`,
				compared: compared.toFixed(2),
				reached: sign === '≤' ? compared <= limit : compared >= limit,
			};
		});
	}

	/** Prints two tables: all measurements, and the goals. */
	print(): void {
		const medians = [...this.#measured.values()].map(({ subject, columns }) => ({
			...subject,
			...Object.fromEntries(
				(Object.keys(columns) as Column[]).map((column) => [
					column,
					format(this.#median(subject, column), column),
				]),
			),
		}));
		console.table(medians);
		console.table(this.#goals.map((row) => row()));
	}

	/** NaN without a measurement. */
	#median(subject: Subject, column: Column): number {
		const values = this.#measured.get(toKey(subject))?.columns[column] ?? [];
		const sorted = values.toSorted((a, b) => a - b);
		const middle = (sorted.length - 1) / 2;
		return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
	}
}
