import type { Condition, Row, ScalarKey, Section, Table } from './table.mts';

/** A change that lists do not show yet. */
interface HiddenChange<Item> {
	/** The record before it; undefined for a new one. */
	before: Item | undefined;
	/** Tells whether its lag is over, and how old it is in milliseconds. */
	age: () => number;
	lag: number;
}

/** What a {@link LateTable} needs to know of a change. */
export interface Lag {
	/** In milliseconds. */
	lag: number;
	age: () => number;
}

/** A table as lists show it: each change appears when its lag is over (assumption: list-lag). */
export class LateTable<Item extends Row> {
	readonly #table: Table<Item>;
	/** By the id of the record, the oldest change first. */
	readonly #changes = new Map<number, Array<HiddenChange<Item>>>();

	/** @param nextLag gives the lag of a change that is made now; undefined when it has none */
	constructor(table: Table<Item>, nextLag: () => Lag | undefined) {
		this.#table = table;
		table.beforeChange = (id, read) => {
			const lag = nextLag();
			if (lag) this.#changes.set(id, [...this.#hidden(id), { ...lag, before: read() }]);
		};
	}

	get(id: number): Item | undefined {
		const [oldest] = this.#hidden(id);
		return oldest ? oldest.before : this.#table.get(id);
	}

	select(conditions: Array<Condition<Item>>, section: Section<Item> = {}): Item[] {
		const old = this.#oldRecords();
		if (old.size === 0) return this.#table.select(conditions, section);
		const { offset = 0, limit = Infinity, by, newestFirst = false } = section;
		const end = offset + limit;
		const present = this.#table.select(conditions, {
			...section,
			offset: 0,
			limit: Number.isFinite(end) ? end + old.size : undefined,
		});
		return [
			...present.filter(({ id }) => !old.has(id)),
			...[...old.values()].filter((record) => record !== undefined && meets(record, conditions)),
		]
			.filter((record) => record !== undefined)
			.sort((one, other) => compare(one, other, by) * (newestFirst ? -1 : 1))
			.slice(offset, end);
	}

	count(conditions: Array<Condition<Item>>): number {
		const records = [...this.#oldRecords()];
		const isMet = (record: Item | undefined) =>
			record !== undefined && meets(record, conditions) ? 1 : 0;
		return records.reduce(
			(count, [id, old]) => count + isMet(old) - isMet(this.#table.get(id)),
			this.#table.count(conditions),
		);
	}

	/** The records whose last change is hidden, and the age of that change in milliseconds. */
	hidden(): Array<{ record: Item; age: number }> {
		return [...this.#oldRecords().keys()].flatMap((id) => {
			const record = this.#table.get(id);
			const change = this.#changes.get(id)?.at(-1);
			return record && change ? [{ record, age: change.age() }] : [];
		});
	}

	/** Shows everything. */
	clear(): void {
		this.#changes.clear();
	}

	/** Records as they are shown that are not shown as they are. */
	#oldRecords(): Map<number, Item | undefined> {
		const old = new Map<number, Item | undefined>();
		for (const id of [...this.#changes.keys()]) {
			const [oldest] = this.#hidden(id);
			if (oldest) old.set(id, oldest.before);
		}
		return old;
	}

	/** The hidden changes of a record. One whose lag is over shows those before it, too. */
	#hidden(id: number): Array<HiddenChange<Item>> {
		const changes = this.#changes.get(id) ?? [];
		const shown = changes.findLastIndex(({ lag, age }) => age() >= lag);
		const hidden = changes.slice(shown + 1);
		if (hidden.length > 0) this.#changes.set(id, hidden);
		else this.#changes.delete(id);
		return hidden;
	}
}

/** As SQLite does it in {@link Table.select}. */
function meets<Item>(record: Item, conditions: Array<Condition<Item>>): boolean {
	return conditions.every(([field, operator, wanted]) => {
		const value = (record[field] ?? null) as typeof wanted;
		if (operator === 'is') return value === wanted;
		if (operator === 'is not') return value !== wanted;
		if (value === null || wanted === null) return false;
		if (operator === 'contains') return String(value).includes(String(wanted));
		if (operator === '>=') return value >= wanted;
		return operator === '<' ? value < wanted : value <= wanted;
	});
}

/** By a field, if one is given, then by id. */
function compare<Item extends Row>(one: Item, other: Item, by?: ScalarKey<Item>): number {
	const [first, second] = [one, other].map((item) => (by ? item[by] : item.id)) as [number, number];
	if (first === second) return one.id - other.id;
	return first < second ? -1 : 1;
}
