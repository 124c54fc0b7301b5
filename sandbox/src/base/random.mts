/** Seeded random numbers: the same seed gives the same uuids, transcripts and prices every time. */
export class Random {
	/** The generator's whole state, an unsigned 32 bit integer, to be stored and handed to the constructor. */
	state: number;

	constructor(state: number) {
		this.state = state >>> 0;
	}

	/** A number in [0, 1), by mulberry32. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number from `low` to `high`, both included. */
	integer(low: number, high: number): number {
		return low + Math.floor(this.next() * (high - low + 1));
	}

	/** One item of a list that has at least one. */
	pick<Item>(items: readonly Item[]): Item {
		const item = items[this.integer(0, items.length - 1)];
		if (item === undefined) throw new Error('There is nothing to pick from an empty list.');
		return item;
	}

	/** `length` lower case hexadecimal digits. */
	hex(length: number): string {
		return Array.from({ length }, () => this.integer(0, 15).toString(16)).join('');
	}

	/** A version 4 uuid. */
	uuid(): string {
		const variant = '89ab'.charAt(this.integer(0, 3));
		return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
	}
}
