import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { packageNodeTypes } from '../support/n8n/package.mts';
import { filesMatching, root } from '../support/package.mts';

/**
 * Rules that n8n's lint plugin has in its repository, but not in its latest release (0.32.0). The rules look
 * at literals in one file. These tests look at the whole descriptions, also at fields in other files.
 */
const nodes = [...packageNodeTypes.values()].map(
	({ description }): [name: string, description: INodeTypeDescription] => [
		description.displayName,
		description,
	],
);

/** The fields inside a field. */
const inside = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});

/** A field and all fields inside it. */
const withInside = (field: INodeProperties): INodeProperties[] => [
	field,
	...inside(field).flatMap(withInside),
];

const labels = (fields: INodeProperties[]) => fields.map(({ displayName }) => displayName);

/** `hint-max-length` */
const LONGEST_HINT = 120;

/** The codex categories of n8n: `valid-node-categories`. */
const CATEGORIES = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

/** These fields hold no input, or hold other fields: `non-required-fields-in-collection`. */
const HOLDS_NO_INPUT = ['collection', 'fixedCollection', 'notice', 'callout', 'hidden'];

/** These fields always have a value, so they cannot look unfinished at the top of the form. */
const HAS_ALWAYS_A_VALUE = ['boolean', 'number', 'options', 'multiOptions'];

/** Whether the value of another field shows the field, so that it has a meaning only there. */
const belongsToAnother = ({ displayOptions }: INodeProperties) =>
	Object.keys(displayOptions?.show ?? {}).some((name) => !/^(resource|operation|@\w+)$/.test(name));

/** Optional fields at the top of the form, and the reason why they are in no collection. */
const OPTIONAL_AT_THE_TOP: Record<string, string> = {
	'Customer Name': 'Nearly every lead has one, and a row of a list fills it in.',
	Email: 'The second of the two variables that the service itself defines for a lead.',
	'Campaign IDs': "Like the list 'Assistants' above it, it decides which calls start the workflow.",
	'Filters (JSON)':
		'n8n ignores a collection that is one expression, so filters that an expression computes need a field of their own.',
};

describe.each(nodes)('%s', (_, { properties }) => {
	const fields = properties.flatMap(withInside);

	it(`has hints of at most ${LONGEST_HINT} characters (hint-max-length)`, () => {
		const hinted = [...fields, ...fields.flatMap(({ modes = [] }) => modes)];
		const long = hinted.filter(({ hint = '' }) => hint.length > LONGEST_HINT);
		expect(long.map(({ displayName }) => displayName)).toEqual([]);
	});

	it('keeps optional fields in collections (non-required-fields-in-collection)', () => {
		const optional = properties.filter(
			(field) =>
				!field.required &&
				!belongsToAnother(field) &&
				!HOLDS_NO_INPUT.includes(field.type) &&
				!HAS_ALWAYS_A_VALUE.includes(field.type),
		);
		expect(labels(optional).filter((label) => !(label in OPTIONAL_AT_THE_TOP))).toEqual([]);
	});

	it('requires nothing inside a collection, which is optional itself', () => {
		const collections = fields.filter(({ type }) => type === 'collection');
		const required = collections.flatMap(inside).filter((field) => field.required);
		expect(labels(required)).toEqual([]);
	});

	/** A field *Specify …* offers typed fields in place of the JSON. */
	it('has no optional JSON without typed fields beside it (open-ended-node-fields)', () => {
		const openEnded = properties.filter(
			({ type, required = false, displayName, displayOptions }) =>
				type === 'json' &&
				!required &&
				!Object.keys(displayOptions?.show ?? {}).some((name) => name.endsWith('Mode')) &&
				!properties.some(
					(other) =>
						other.type !== 'json' &&
						displayName.startsWith(other.displayName) &&
						JSON.stringify(other.displayOptions) === JSON.stringify(displayOptions),
				),
		);
		expect(labels(openEnded)).toEqual([]);
	});

	it('names options without an asterisk, each name and value once (no-duplicate-param-options)', () => {
		for (const { displayName, options = [] } of fields) {
			const listed = options.filter((option) => 'value' in option);
			const names = listed.map(({ name }) => name);
			expect([displayName, names.filter((name) => name.includes('*'))]).toEqual([displayName, []]);
			expect([displayName, new Set(names).size]).toEqual([displayName, listed.length]);
			const values = new Set(listed.map(({ value }) => value));
			expect([displayName, values.size]).toEqual([displayName, listed.length]);
		}
	});
});

/** Names for which a fixed value is somebody's identifier: `no-hardcoded-ids`. */
const FIXED_ID =
	/\b(?:partner|affiliate|reseller|account|tenant|customer|client)_?id\w*['"]?\s*[:=]\s*['"`]\w/i;

describe('identifiers of accounts', () => {
	it('are not in the code (no-hardcoded-ids)', () => {
		const shipped = filesMatching('{nodes,credentials}/**/*.ts');
		const found = shipped.filter((file) => FIXED_ID.test(readFileSync(join(root, file), 'utf8')));
		expect(found).toEqual([]);
	});

	it('would be found', () => {
		expect("const qs = { partner_id: 'fixed-partner' }").toMatch(FIXED_ID);
		expect("const clientId = 'abc'").toMatch(FIXED_ID);
		expect('const clientId = this.getNodeParameter(1)').not.toMatch(FIXED_ID);
	});
});

const codex = z.object({ node: z.string(), categories: z.array(z.string()).nonempty() });

describe.each(filesMatching('nodes/*/*.node.json'))('%s', (file) => {
	it('has categories of n8n (valid-node-categories)', () => {
		const { categories } = codex.parse(JSON.parse(readFileSync(join(root, file), 'utf8')));
		expect(categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
	});
});

/** The colour of n8n's canvas behind an icon: `icon-contrast`. */
const BACKGROUNDS = { light: '#ffffff', dark: '#2b2b2b' };

/** The ratio that accessible graphics need (WCAG 2.2, 1.4.11); n8n asks for 1.5. */
const LEAST_CONTRAST = 3;

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(color: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
		.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
	const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

describe.each(filesMatching('icons/*.svg'))('%s', (file) => {
	it('has contrast on the canvas of its theme (icon-contrast)', () => {
		const background = file.endsWith('.dark.svg') ? BACKGROUNDS.dark : BACKGROUNDS.light;
		const colors = readFileSync(join(root, file), 'utf8').match(/#[0-9a-f]{6}\b/gi) ?? [];
		expect(colors).not.toEqual([]);
		for (const color of colors) {
			expect(contrast(color, background)).toBeGreaterThan(LEAST_CONTRAST);
		}
	});
});
