import { optionLines } from '../helpText.mts';
import { TOKEN_VARIABLE } from '../tokenVariable.mts';
import { VERIFY_OPTION_GROUPS } from './options.mts';

const BEGINNING = `Checks an account at a provider: what differs from what this package assumes.

Usage: npm run verify -- --base-url URL [options]
       npx voice-assistant-calling-sandbox verify --base-url URL [options]

The API token comes from ${TOKEN_VARIABLE}, or you are asked for it. It goes to no other
host. Neither it nor a value of your account gets into a report, apart from statuses.

Examples:
  npm run verify -- --base-url https://voice.example.com/api --report my-provider
  npm run sandbox -- --assume-file my-provider/provider.yaml
      the sandbox behaves as the provider does
`;

const END = `
Exit codes: 0 as assumed, so far as the account shows it; 1 something differs; 2 a check failed,
or the run ended early.

Everything else: docs/check-your-provider.md
`;

/** What `verify --help` prints. */
export const verifyHelpText = (): string =>
	`${BEGINNING}${optionLines(VERIFY_OPTION_GROUPS)}\n${END}`;
