import type { Option } from '../options.mts';

/** All options of `verify`, by the headings of its help, in its order. */
export const VERIFY_OPTION_GROUPS: { [heading: string]: { [name: string]: Option } } = {
	'The account': {
		'base-url': {
			value: 'URL',
			help: 'the Base URL, as in the credential; it usually ends in /api',
		},
	},
	'What is sent': {
		read: { help: 'about 25 requests that only read (if no other is chosen, this)' },
		refused: { help: 'also requests that the service has to refuse' },
	},
	Output: {
		report: { value: 'DIR', help: 'write report.md, report.json, junit.xml and provider.yaml' },
		help: { help: 'this text' },
	},
};

/** All options by name; see {@link VERIFY_OPTION_GROUPS}. */
export const VERIFY_OPTIONS = Object.fromEntries(
	Object.values(VERIFY_OPTION_GROUPS).flatMap((group) => Object.entries(group)),
);
