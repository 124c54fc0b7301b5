import { createInterface } from 'node:readline/promises';

import type { Questions } from '../../verify/questions.mts';

/** Asks at the terminal. Without one, every answer is no. */
export const terminalQuestions = (signal: AbortSignal): Questions => ({
	async confirm(question) {
		if (!process.stdin.isTTY) return false;
		const terminal = createInterface({ input: process.stdin, output: process.stderr });
		try {
			const answer = await terminal.question(`${question} Type yes to go on: `, { signal });
			return answer.trim().toLowerCase() === 'yes';
		} finally {
			terminal.close();
		}
	},
	tell: (line) => console.error(line),
});
