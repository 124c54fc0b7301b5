import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { InvalidInput } from '../../base/invalidInput.mts';
import { TOKEN_VARIABLE } from './helpText.mts';

/**
 * The API token: from the environment, or from the keyboard, where nobody sees it.
 *
 * @throws {InvalidInput} when there is neither a variable nor a terminal, or the token is no token
 */
export async function readToken(signal: AbortSignal): Promise<string> {
	const token = (process.env[TOKEN_VARIABLE] ?? (await askForToken(signal))).trim();
	// fetch would refuse it as a header, and its message would have the token.
	if (!/^[\x21-\x7e]+$/.test(token)) {
		throw new InvalidInput('The API token is empty, or has characters that no token has.');
	}
	return token;
}

async function askForToken(signal: AbortSignal): Promise<string> {
	if (!process.stdin.isTTY) {
		throw new InvalidInput(`There is no API token. Put it into ${TOKEN_VARIABLE}.`);
	}
	process.stderr.write('API token (it is not shown): ');
	// What readline would print of the keys goes nowhere.
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
	try {
		return await terminal.question('', { signal });
	} finally {
		terminal.close();
		process.stderr.write('\n');
	}
}
