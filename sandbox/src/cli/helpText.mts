import { OPTION_GROUPS, type Option } from './options.mts';

const BEGINNING = `The Voice Assistant Calling Service on your own machine: nobody is called, no money is spent.

Usage: npm run sandbox -- [options]
       npm run sandbox -- exec [options] -- COMMAND
       npx ./sandbox [options]
       npx voice-assistant-calling-sandbox [options], without a copy of the repository

Examples:
  npm run sandbox
      starts it with an example of data, and prints the values for n8n's credential
  npm run sandbox -- --data sandbox.db --clock accelerated --speed 60
      keeps all data in a file; an hour passes in a minute
  npm run sandbox -- --seed my.yaml --port 0 --json
      for programs: your own data, any free port, one line of JSON when it is ready
  npm run sandbox -- exec -- npm test
      starts it on a free port, runs a command that finds its address in the environment,
      and stops it
  npm run verify -- --base-url https://…/api
      checks an account at a provider; it has options of its own (--help)
`;

const END = `
Exit codes: 0 after it was stopped, 1 when it cannot start (a port that is taken, a broken seed
or data file), 2 when the command line is wrong.

Everything else: sandbox/README.md
`;

/** What `--help` prints. */
export const helpText = (): string => `${BEGINNING}${optionLines(OPTION_GROUPS)}\n${END}`;

/** The options below their headings. */
const optionLines = (groups: { [heading: string]: { [name: string]: Option } }): string =>
	Object.entries(groups)
		.flatMap(([heading, options]) => [
			'',
			`${heading}:`,
			...Object.entries(options).map(
				([name, { value = '', help }]) => `  ${`--${name} ${value}`.padEnd(20)} ${help}`,
			),
		])
		.join('\n');
