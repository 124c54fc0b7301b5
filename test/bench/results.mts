import { cpus, loadavg, totalmem } from 'node:os';

const COLUMNS = {
	time: { unit: ' s', digits: 2 },
	rate: { unit: ' per s', digits: 1 },
	p50: { unit: ' ms', digits: 0 },
	p95: { unit: ' ms', digits: 0 },
	requests: { unit: '', digits: 0 },
	/** with values of the workflow, not the fallback */
	answered: { unit: ' %', digits: 0 },
	silence: { unit: ' s', digits: 2 },
	peakMemory: { unit: ' MB', digits: 0 },
	memoryGrowth: { unit: ' MB', digits: 0 },
};
type Column = keyof typeof COLUMNS;
const columns = Object.keys(COLUMNS) as Column[];

/** Measured numbers by column; some are missing. */
type Measurements = Partial<Record<Column, number>>;

/** What was measured: the work, and what did it. */
export interface Subject {
	/** "1,000 leads, 100 at a time" */
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

/** Collects the measurements of each round, and prints the medians. */
export class Results {
	/** the load of the machine before */
	readonly #load = loadavg()[0] ?? 0;
	readonly #measured = new Map<string, { subject: Subject; all: Measurements[] }>();
	readonly #goals = new Map<string, () => object>();

	record(subject: Subject, measurements: Measurements): void {
		const key = toKey(subject);
		const entry = this.#measured.get(key) ?? { subject, all: [] };
		entry.all.push(measurements);
		this.#measured.set(key, entry);
	}

	/** Adds a line to the table of goals, once for all rounds. */
	expect(column: Column, subject: Subject, bound: Bound, beside?: Subject): void {
		const { sign, limit, of } = bound;
		this.#goals.set(`${column} ${toKey(subject)}`, () => {
			const own = this.#median(subject, column);
			const other = beside === undefined ? NaN : this.#median(beside, column);
			const compared = { value: own, ratio: own / other, difference: own - other }[of];
			return {
				...subject,
				number: column,
				own: format(own, column),
				...(beside && { beside: `${format(other, column)} (${beside.by})` }),
				goal: `${of} ${sign} ${limit}`,
				compared: compared.toFixed(2),
				reached: sign === '≤' ? compared <= limit : compared >= limit,
			};
		});
	}

	/** Prints two tables: all measurements, and the goals. */
	print(): void {
		const [cpu] = cpus();
		const memory = Math.round(totalmem() / 2 ** 30);
		console.log(
			`\nMedians. Everything ran on ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}) with ${memory} GB; the load before was ${this.#load.toFixed(1)}.\n`,
		);
		console.table([...this.#measured.values()].map(({ subject }) => this.#medians(subject)));
		console.table([...this.#goals.values()].map((row) => row()));
	}

	#medians(subject: Subject): object {
		const row: Record<string, string> = { ...subject };
		for (const column of columns) {
			const median = this.#median(subject, column);
			if (!Number.isNaN(median)) row[column] = format(median, column);
		}
		return row;
	}

	/** NaN without a measurement. */
	#median(subject: Subject, column: Column): number {
		const sorted = (this.#measured.get(toKey(subject))?.all ?? [])
			.map((measurements) => measurements[column])
			.filter((value) => value !== undefined)
			.sort((a, b) => a - b);
		const middle = (sorted.length - 1) / 2;
		const [low = NaN, high = NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
		return (low + high) / 2;
	}
}

const toKey = ({ work, by }: Subject): string => `${work}: ${by}`;

function format(value: number, column: Column): string {
	const { unit, digits } = COLUMNS[column];
	return value.toFixed(digits) + unit;
}
