import { createInterface } from 'node:readline/promises';

import type { Questions } from '../../verify/questions.mts';
import { INTERRUPTED, Stop } from '../../verify/stop.mts';
import type { Keyboard } from './readToken.mts';

/** Asks at the terminal. Without one, every answer is no. */
export const terminalQuestions = (
	signal: AbortSignal,
	keyboard: Keyboard = process.stdin,
): Questions => ({
	async confirm(question, wanted = 'yes') {
		if (keyboard.isTTY !== true) {
			console.error('Without a terminal, nobody can be asked.');
			return false;
		}
		const terminal = createInterface({ input: keyboard, output: process.stderr });
		// The terminal is raw while it asks, so Ctrl-C is no signal.
		terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
		const hint = wanted === 'yes' ? ' Type yes to go on: ' : ' ';
		try {
			const answer = await terminal.question(question + hint, { signal });
			return answer.trim().toLowerCase() === wanted;
		} catch (error) {
			throw signal.aborted ? new Stop(INTERRUPTED, { cause: error }) : error;
		} finally {
			terminal.close();
		}
	},
	tell: (line) => console.error(line),
});
