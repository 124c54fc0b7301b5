/** Lets at most `limit` holders in at a time, in the order in which they came. */
export class Slots {
	private readonly limit: number;

	private taken = 0;

	private readonly queue: Array<() => void> = [];

	private readonly whenEmpty: Array<() => void> = [];

	constructor(limit: number) {
		this.limit = limit;
	}

	/** Waits for a free place and takes it; each must be given back with {@link leave}. */
	async enter(): Promise<void> {
		if (this.taken < this.limit) {
			this.taken++;
			return;
		}
		await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	/** Gives the place to whoever waits longest, or frees it. */
	leave(): void {
		const next = this.queue.shift();
		if (next) {
			next();
			return;
		}
		this.taken--;
		if (this.taken === 0) this.whenEmpty.splice(0).forEach((resolve) => resolve());
	}

	/** Waits until nobody is in and nobody waits. */
	async empty(): Promise<void> {
		if (this.taken > 0) await new Promise<void>((resolve) => this.whenEmpty.push(resolve));
	}
}
