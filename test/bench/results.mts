import { cpus, loadavg, totalmem } from 'node:os';

/** Measured numbers by column; some are missing. */
type Measurements = Partial<Record<Column, number>>;

const COLUMNS = {
	time: { title: 'time', unit: ' s', digits: 2 },
	rate: { title: 'rate', unit: ' per s', digits: 1 },
	p50: { title: 'p50', unit: ' ms', digits: 0 },
	p95: { title: 'p95', unit: ' ms', digits: 0 },
	requests: { title: 'requests', unit: '', digits: 0 },
	peakInFlight: { title: 'peak in flight', unit: '', digits: 0 },
	output: { title: 'output', unit: ' MB', digits: 1 },
	silence: { title: 'longest silence', unit: ' s', digits: 2 },
	peakMemory: { title: 'peak memory', unit: ' MB', digits: 0 },
	memoryGrowth: { title: 'growth', unit: ' MB', digits: 0 },
};
type Column = keyof typeof COLUMNS;
const columns = Object.entries(COLUMNS) as Array<[Column, (typeof COLUMNS)[Column]]>;

/** What was measured: the work, and what did it. */
export interface Subject {
	/** "1,000 leads, 100 at a time" */
	work: string;
	/** "this node" */
	by: string;
}

/** A goal: one number of a subject, compared with another subject's or a fixed number. */
interface Goal {
	column: Column;
	subject: Subject;
	beside: Subject | { name: string; value: number };
	by: 'ratio' | 'difference';
	bound: { atMost: number } | { atLeast: number };
}

/** Collects the measurements of each round, and prints the medians. */
export class Results {
	/** the load of the machine before */
	readonly #load = loadavg()[0] ?? 0;
	#values = new Map<string, { subject: Subject; rounds: Measurements[] }>();
	#goals = new Map<string, Goal>();

	record(subject: Subject, values: Measurements): void {
		const key = keyOf(subject);
		const entry = this.#values.get(key) ?? { subject, rounds: [] };
		entry.rounds.push(values);
		this.#values.set(key, entry);
	}

	/**
	 * Adds a line to the table of goals, once for all rounds.
	 *
	 * @param beside another subject, or a fixed number in the unit of the column, with its name
	 * @param bound of the ratio or difference
	 */
	expect(
		column: Column,
		subject: Subject,
		beside: Goal['beside'],
		bound: Goal['bound'],
		by: Goal['by'] = 'ratio',
	): void {
		this.#goals.set(`${column} ${keyOf(subject)}`, { column, subject, beside, bound, by });
	}

	/** Prints two tables in Markdown: all measurements, and the goals. */
	print(): void {
		if (this.#values.size === 0) {
			console.log('\nNothing was measured.');
			return;
		}
		const [cpu] = cpus();
		const memory = Math.round(totalmem() / 2 ** 30);
		const rounds = Math.min(...[...this.#values.values()].map((entry) => entry.rounds.length));
		console.log(
			`\nMedians of ${rounds} or more. Everything ran on ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}) with ${memory} GB; the load before was ${this.#load.toFixed(1)}.\n`,
		);
		const used = columns.filter(([column]) =>
			[...this.#values.values()].some(({ rounds: all }) => all.some((one) => column in one)),
		);
		printTable(
			['Work', 'By', ...used.map(([, { title }]) => title)],
			[...this.#values.values()].map(({ subject }) => [
				subject.work,
				subject.by,
				...used.map(([column]) => this.#show(subject, column)),
			]),
		);
		console.log();
		printTable(
			['Work', 'This node', 'Beside', 'Ratio', 'Goal', ''],
			[...this.#goals.values()].map((goal) => this.#line(goal)),
		);
	}

	#median(subject: Subject, column: Column): number | undefined {
		const rounds = this.#values.get(keyOf(subject))?.rounds ?? [];
		const sorted = rounds
			.map((values) => values[column])
			.filter((value) => value !== undefined)
			.sort((a, b) => a - b);
		const middle = sorted.length >> 1;
		if (sorted.length % 2 === 1) return sorted[middle];
		const [low, high] = [sorted[middle - 1], sorted[middle]];
		return low === undefined || high === undefined ? undefined : (low + high) / 2;
	}

	#show(subject: Subject, column: Column): string {
		return format(this.#median(subject, column), column);
	}

	#line({ column, subject, beside, by, bound }: Goal): string[] {
		const own = this.#median(subject, column);
		const isSubject = 'work' in beside;
		const other = isSubject ? this.#median(beside, column) : beside.value;
		const name = !isSubject
			? beside.name
			: subject.work.startsWith(beside.work)
				? beside.by
				: `${beside.by}, ${beside.work}`;
		const difference = by === 'difference';
		const compared =
			own === undefined || other === undefined ? NaN : difference ? own - other : own / other;
		const { unit } = COLUMNS[column];
		const [limit, verdict] = judge(compared, bound, difference ? `${unit} more` : ' x');
		return [
			column === 'time' || column === 'rate' || column === 'p50'
				? subject.work
				: `${subject.work}: ${COLUMNS[column].title}`,
			format(own, column),
			`${format(other, column)} (${name})`,
			difference ? `${compared.toFixed(2)}${unit} more` : `${compared.toFixed(2)} x`,
			limit,
			verdict,
		];
	}
}

/** The goal as text, and whether it was reached. */
function judge(compared: number, bound: Goal['bound'], unit: string): [string, string] {
	const [sign, limit, reached] =
		'atMost' in bound
			? ['≤', bound.atMost, compared <= bound.atMost]
			: ['≥', bound.atLeast, compared >= bound.atLeast];
	return [`${sign} ${limit}${unit}`, reached ? 'reached' : 'missed'];
}

const keyOf = ({ work, by }: Subject): string => `${work}: ${by}`;

function format(value: number | undefined, column: Column): string {
	const { unit, digits } = COLUMNS[column];
	return value === undefined ? '' : `${value.toFixed(digits)}${unit}`;
}

function printTable(head: string[], rows: string[][]): void {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: string[]): string =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	console.log(line(head));
	console.log(line(widths.map((width) => '-'.repeat(width))));
	for (const row of rows) console.log(line(row));
}
