const REDRAW_MS = 1_000;
/** A CI log cannot rewrite a line: there each state is a new line, less often. */
const LOG_LINE_MS = 5_000;

/**
 * Shows the progress of something long: one line with its time and its state.
 *
 * @param title what is being done
 * @param state how far it is, called each time the line is shown
 * @param work what takes long; its end ends the line
 */
export async function withProgress<T>(
	title: string,
	state: () => string,
	work: () => Promise<T>,
): Promise<T> {
	const begin = Date.now();
	const { isTTY } = process.stdout;
	const line = (): string => `  ${title} … ${elapsed(Date.now() - begin)}, ${state()}`;
	const show = (): void => {
		process.stdout.write(isTTY ? `\r\x1b[2K${line()}` : `${line()}\n`);
	};
	show();
	const timer = setInterval(show, isTTY ? REDRAW_MS : LOG_LINE_MS);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		show();
		if (isTTY) process.stdout.write('\n');
	}
}

function elapsed(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
