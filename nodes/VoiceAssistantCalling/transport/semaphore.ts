/** Gives at most `limit` places at a time, in the order in which they were requested. */
export class Semaphore {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(limit: number) {
		this.free = limit;
	}

	/** Waits for a free place and takes it. {@link release} must give it back. */
	async acquire(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Gives the place to the caller that waits longest, or frees it. */
	release(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.free++;
	}
}
