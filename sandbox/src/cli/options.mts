import { LOOPBACK } from '../base/address.mts';

/** An option of the command line. One without a value is a switch. */
export interface Option {
	/** What the help shows in place of the value. */
	value?: string;
	help: string;
}

/** All options of the command line, by the headings of its help, in its order. */
export const OPTION_GROUPS: { [heading: string]: { [name: string]: Option } } = {
	'Where it listens': {
		port: { value: '4010', help: 'port; 0 takes any free one' },
		host: {
			value: LOOPBACK,
			help: 'address; 0.0.0.0 lets everybody in your network use the sandbox',
		},
	},
	Data: {
		seed: { value: 'FILE', help: 'what a new sandbox begins with (YAML or JSON)' },
		data: { value: 'FILE', help: 'keep the state in this file; without it, in memory' },
	},
	Time: {
		clock: { value: 'MODE', help: 'real (default), accelerated or manual' },
		speed: {
			value: 'N',
			help: 'how many times faster, with --clock accelerated; 60 if left out',
		},
		'call-speed': {
			value: 'N',
			help: 'how many times faster calls are; the clock does not change',
		},
	},
	'Behaviour of the service': {
		service: {
			value: 'NAME',
			help: 'contract (default) or current: with the fields of newer public documents',
		},
		weather: {
			value: 'NAME',
			help: 'fair (default) or ordinary: slow and limited, as services are',
		},
		'weather-scale': {
			value: 'N',
			help: 'factor of its times, with --weather ordinary; 0.1 is ten times as fast',
		},
		'assume-file': {
			value: 'FILE',
			help: 'how a provider behaves: values of such keys (YAML); --assume wins over it',
		},
		assume: {
			value: 'KEY=VALUE',
			help: 'another value for a key of contract/assumptions.yaml; may be repeated',
		},
	},
	Output: {
		watch: { help: 'print what happens, one line for each event' },
		json: { help: 'print one line of JSON when it is ready, for programs' },
		help: { help: 'this text' },
	},
};

/** All options by name; see {@link OPTION_GROUPS}. */
export const OPTIONS = Object.fromEntries(
	Object.values(OPTION_GROUPS).flatMap((group) => Object.entries(group)),
);
