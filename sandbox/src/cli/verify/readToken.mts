import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';

import { InvalidInput } from '../../base/invalidInput.mts';
import { TOKEN_VARIABLE } from '../tokenVariable.mts';

/** What the user types into. */
export type Keyboard = Readable & { isTTY?: boolean };

/**
 * The API token: from the environment, or from the keyboard, where nobody sees it.
 *
 * @throws {InvalidInput} when there is neither a variable nor a terminal, or the token is no token
 */
export async function readToken(keyboard: Keyboard = process.stdin): Promise<string> {
	const token = (process.env[TOKEN_VARIABLE] ?? (await askForToken(keyboard))).trim();
	// fetch would refuse it as a header, and its message would have the token.
	if (/^[\x21-\x7e]+$/.test(token)) return token;
	throw new InvalidInput('The API token is empty, or has characters that no token has.');
}

async function askForToken(keyboard: Keyboard): Promise<string> {
	if (keyboard.isTTY !== true) {
		throw new InvalidInput(`There is no API token. Put it into ${TOKEN_VARIABLE}.`);
	}
	process.stderr.write('API token (it is not shown): ');
	// What readline would print of the keys goes nowhere.
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({ input: keyboard, output: nowhere, terminal: true });
	// The terminal is raw while it asks, so Ctrl-C is no signal.
	terminal.once('SIGINT', () => {
		terminal.close();
		process.kill(process.pid, 'SIGINT');
	});
	try {
		return await terminal.question('');
	} finally {
		terminal.close();
		process.stderr.write('\n');
	}
}
