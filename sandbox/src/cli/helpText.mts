import { OPTION_GROUPS } from './options.mts';

const BEGINNING = `The Voice Assistant Calling Service on your own machine: nobody is called, no money is spent.

Usage: npm run sandbox -- [options]
       npx ./sandbox [options]
       npx voice-assistant-calling-sandbox [options], without a copy of the repository

Examples:
  npm run sandbox
      starts it with an example of data, and prints the values for n8n's credential
  npm run sandbox -- --data sandbox.db --clock accelerated --speed 60
      keeps all data in a file; an hour passes in a minute
  npm run sandbox -- --seed my.yaml --port 0 --json
      for programs: your own data, any free port, one line of JSON when it is ready
`;

const END = `
Exit codes: 0 after it was stopped, 1 when it cannot start (a port that is taken, a broken seed
or data file), 2 when the command line is wrong.

Everything else: sandbox/README.md
`;

/** What `--help` prints. */
export function helpText(): string {
	const lines = Object.entries(OPTION_GROUPS).flatMap(([group, options]) => [
		'',
		`${group}:`,
		...Object.entries(options).map(
			([name, { value = '', help }]) => `  ${`--${name} ${value}`.padEnd(20)} ${help}`,
		),
	]);
	return `${BEGINNING}${lines.join('\n')}\n${END}`;
}
