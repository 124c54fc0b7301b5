import { parseArgs } from 'node:util';

import { InvalidInput } from '../../base/invalidInput.mts';
import { TOKEN_VARIABLE } from '../tokenVariable.mts';

const EXAMPLE = 'npm run verify -- --base-url https://voice.example.com/api';

/** What `verify --help` prints. */
export const VERIFY_HELP = `Checks an account at a provider: what it has, and what that means for the nodes.

Usage: npm run verify -- --base-url URL [--refused]
       npx voice-assistant-calling-sandbox verify --base-url URL [--refused]

  --base-url URL  the Base URL, as in the credential; it usually ends in /api
  --refused       also send a dozen requests that the service has to refuse

The API token comes from ${TOKEN_VARIABLE}, or you are asked for it. It goes to no other
host. Neither it nor a value of your account is printed.

Exit codes: 0 nothing keeps the nodes from working, 1 something does, 2 a request failed, or the
run ended early.

Everything else: docs/check-your-provider.md
`;

export interface VerifyOptions {
	/** Without a slash at its end. */
	baseUrl: string;
	/** Whether requests that have to be refused are sent, too. */
	withRefused: boolean;
}

/**
 * Reads the command line of `verify`.
 *
 * @param args behind `verify`
 * @returns undefined when it asks for help
 * @throws {InvalidInput} that says what is wrong
 */
export function readVerifyOptions(args: string[]): VerifyOptions | undefined {
	// A token in the command line would be in the history of the shell.
	if (args.some((arg) => arg.startsWith('--token'))) {
		throw new InvalidInput(
			`The token is no option. Put it into ${TOKEN_VARIABLE}, or leave it out to be asked for it.`,
		);
	}
	const { help, refused, 'base-url': baseUrl } = parse(args);
	if (help) return undefined;
	if (baseUrl === undefined) throw new InvalidInput(`--base-url is missing, as in: ${EXAMPLE}`);
	return { baseUrl: readBaseUrl(baseUrl.trim()), withRefused: refused };
}

function parse(args: string[]) {
	const flag = { type: 'boolean', default: false } as const;
	const options = { 'base-url': { type: 'string' }, refused: flag, help: flag } as const;
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new InvalidInput(error instanceof Error ? error.message : String(error));
	}
}

/** With https where it names no scheme. @throws {InvalidInput} that says what a Base URL is */
function readBaseUrl(text: string): string {
	const url = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
	const { protocol, username, password, origin, pathname, search, hash } = URL.canParse(url)
		? new URL(url)
		: new URL('invalid:');
	if (/^https?:$/.test(protocol) && username + password + search + hash === '') {
		return `${origin}${pathname}`.replace(/\/+$/, '');
	}
	throw new InvalidInput(
		`--base-url takes the address of the API, without user, "?" and "#", as in: ${EXAMPLE}`,
	);
}
