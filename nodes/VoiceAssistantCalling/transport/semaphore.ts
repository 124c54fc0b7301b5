/** Lets at most `limit` holders in at a time, in the order in which they came. */
export class Semaphore {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(limit: number) {
		this.free = limit;
	}

	/** Waits for a free place and takes it; each must be given back with {@link release}. */
	async acquire(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Gives the place to whoever waits longest, or frees it. */
	release(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.free++;
	}

	/** Whether somebody waits for a place. */
	get hasWaiting(): boolean {
		return this.waiting.length > 0;
	}
}
