import { stopwatch } from '../base/realTime.mts';

/** Real milliseconds before the first report, and between two of them. */
const PATIENCE_MS = 3000;

/**
 * Reports on work that takes long.
 *
 * @param inform takes a sentence such as "20,000 of 100,000 calls made"
 * @returns a function to be called with how much is done
 */
export function reportProgress(
	total: number,
	inform: (message: string) => void,
): (done: number) => void {
	const elapsed = stopwatch();
	const count = new Intl.NumberFormat('en');
	let next = PATIENCE_MS;
	return (done) => {
		if (elapsed() < next) return;
		next = elapsed() + PATIENCE_MS;
		inform(`${count.format(done)} of ${count.format(total)} calls made`);
	};
}
