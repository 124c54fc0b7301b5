import { LOOPBACK } from '../http/address.mts';

/** An option of the command line. */
interface Option {
	type: 'string' | 'boolean';
	multiple?: true;
	default?: string | boolean;
	/** What the help shows in place of the value. */
	value?: string;
	/** The heading of the help under which it is listed. */
	group: string;
	help: string;
}

/** All options of the command line, in the order of its help. */
export const OPTIONS = {
	port: {
		type: 'string',
		default: '4010',
		value: '4010',
		group: 'Where it listens',
		help: 'port; 0 takes any free one',
	},
	host: {
		type: 'string',
		default: LOOPBACK,
		value: LOOPBACK,
		group: 'Where it listens',
		help: 'address; 0.0.0.0 lets everybody in your network use the sandbox',
	},
	seed: {
		type: 'string',
		value: 'FILE',
		group: 'Data',
		help: 'what a new sandbox begins with (YAML or JSON)',
	},
	data: {
		type: 'string',
		value: 'FILE',
		group: 'Data',
		help: 'keep the state in this file; without it, in memory',
	},
	traffic: {
		type: 'string',
		value: 'N',
		group: 'Data',
		help: 'add N calls of the last year to new data',
	},
	clock: {
		type: 'string',
		default: 'real',
		value: 'MODE',
		group: 'Time',
		help: 'real (default), accelerated or manual',
	},
	speed: {
		type: 'string',
		value: 'N',
		group: 'Time',
		help: 'how many times faster, with --clock accelerated; 60 if left out',
	},
	'call-speed': {
		type: 'string',
		default: '1',
		value: 'N',
		group: 'Time',
		help: 'how many times faster calls are; the clock does not change',
	},
	assume: {
		type: 'string',
		multiple: true,
		value: 'KEY=VALUE',
		group: 'Behaviour of the service',
		help: 'another value for a key of contract/assumptions.yaml; may be repeated',
	},
	watch: {
		type: 'boolean',
		group: 'Output',
		help: 'print what happens, one line for each event',
	},
	json: {
		type: 'boolean',
		group: 'Output',
		help: 'print one line of JSON when it is ready, for programs',
	},
	help: { type: 'boolean', group: 'Output', help: 'this text' },
} as const satisfies { [name: string]: Option };

/** The options as a list; see {@link OPTIONS}. */
export const optionList: ReadonlyArray<[name: string, option: Option]> = Object.entries(OPTIONS);
