import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const TOOLS = ['**/*.mts'];

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];

/** Double assertions switch the type checker off. no-restricted-syntax does not add up, so each use repeats it. */
const DOUBLE_ASSERTION = {
	selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
	message: 'Narrow an unknown value with a check instead of asserting its type.',
};
/** What is below the file cannot be what the import rules forbid. */
const DYNAMIC_IMPORT = {
	selector: String.raw`ImportExpression:not([source.value=/^\.(\/\w+)+\.mts$/])`,
	message: 'Import at the top of the file, where the import rules see it.',
};

/** Refuses relative imports that leave a folder for one of the top-level `folders`. */
const folders = (names, message) => ({
	regex: `^(\\.\\./)+(${names.join('|')})(/|$)`,
	message,
});

/** The folder of each node. */
const NODES = globSync(join(import.meta.dirname, 'nodes/*/*.node.ts')).map((file) =>
	basename(dirname(file)),
);

/** What an import rule says is replaced, not added to, by the next one for the same file. */
const imports = (...patterns) => ({
	'@typescript-eslint/no-restricted-imports': ['error', { patterns }],
});

const sandboxImports = [
	folders(
		['nodes', 'credentials', 'test', 'host', 'scripts', 'examples', 'dist'],
		'The sandbox is the second reading of the contract: it knows nothing of the package.',
	),
	{ regex: '^n8n-', message: 'The sandbox knows nothing of n8n.' },
];

const testImports = [
	folders(['dist'], 'Import the source (.ts): jest runs the compiled file in its place.'),
];

const timerImports = (message) => ({ regex: '^(node:)?timers(/|$)', message });

const shippedImports = [
	{
		regex: '^(?!\\.\\.?/|n8n-workflow$|node:crypto$)',
		message: 'Shipped code has no dependencies but n8n-workflow and node:crypto.',
	},
	{
		regex: `^(\\.\\./)+(nodes/)?(${NODES.join('|')})(/|$)`,
		message: 'A node imports no other node: what two of them use is in nodes/shared.',
	},
	folders(
		['contract', 'sandbox', 'test', 'scripts', 'host', 'examples', 'docs', 'dist'],
		'Shipped code imports nothing that does not ship.',
	),
];

/** Who may import whom: a mistake in one reading of the contract is then found by the other. */
const importRules = [
	{
		files: SHIPPED,
		rules: {
			...imports(...shippedImports),
			'no-restricted-syntax': ['error', DOUBLE_ASSERTION, DYNAMIC_IMPORT],
		},
	},
	{
		files: ['sandbox/**/*.mts'],
		rules: {
			...imports(...sandboxImports),
			'no-restricted-syntax': ['error', DOUBLE_ASSERTION, DYNAMIC_IMPORT],
		},
	},
	{
		files: ['contract/**/*.mts'],
		rules: imports(
			folders(
				['nodes', 'credentials', 'sandbox', 'test', 'host', 'scripts', 'examples', 'dist'],
				'The contract stands alone.',
			),
		),
	},
	{
		files: ['scripts/**/*.mts', 'host/**/*.mts'],
		rules: imports(
			folders(
				['nodes', 'credentials', 'test', 'dist'],
				'Scripts use the package as its users do: built, through n8n.',
			),
		),
	},
	{ files: ['test/**/*.mts', 'sandbox/test/**/*.mts'], rules: imports(...testImports) },
];

/** Layers of nodes/shared, from the lowest. A file imports from its own folder and from lower layers. */
const SHARED_LAYERS = [
	['values'],
	['fields'],
	['records'],
	['calls', 'midCallTools'],
	['client'],
	['pickers'],
	['lists'],
	['assistants'],
	['webhook'],
	['answers'],
];

/** Layers of the action node. */
const ACTION_LAYERS = [['fields'], ['resources'], ['transport', 'methods']];

/** Layers of sandbox/src. */
const SANDBOX_LAYERS = [
	['base'],
	['contract'],
	['faults', 'verify', 'weather'],
	['store'],
	['domain'],
	['provider'],
	['simulation', 'outbound'],
	['seed', 'runtime'],
	['http'],
	['control'],
	['cli'],
];

/** Where the sandbox may read the time of the machine and wait. */
const TIME = ['sandbox/src/runtime/**', 'sandbox/src/base/realTime.mts'];

/** Elsewhere time and chance come in as arguments: a test can control them. */
const pureSandbox = {
	files: ['sandbox/src/**/*.mts'],
	ignores: TIME,
	rules: {
		'no-restricted-globals': ['error', ...TIMERS, 'globalThis', 'performance'],
		'no-restricted-properties': [
			'error',
			{ object: 'Date', property: 'now', message: 'Take the time from the clock.' },
			{ object: 'DateTime', property: 'now', message: 'Take the time from the clock.' },
			{ object: 'Math', property: 'random', message: 'Take chance from the runtime.' },
			{
				object: 'AbortSignal',
				property: 'timeout',
				message: 'Timers belong to sandbox/src/runtime.',
			},
		],
		'no-restricted-syntax': [
			'error',
			DOUBLE_ASSERTION,
			DYNAMIC_IMPORT,
			{
				selector:
					":matches(NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date'])",
				message: 'Take the time from the clock.',
			},
		],
	},
};

/** The folders of layers, each with what its files may not import. */
const inLayers = (layers, others) =>
	layers.flatMap((layer, level) =>
		layer.map((name) => {
			const higher = layers.slice(level).flat();
			const forbidden = higher.filter((other) => other !== name);
			const message = `${name}/ imports from its own folder and from lower layers only.`;
			return [name, [...others, ...(forbidden.length > 0 ? [folders(forbidden, message)] : [])]];
		}),
	);

const shippedLayers = [
	['nodes/shared', SHARED_LAYERS],
	['nodes/VoiceAssistantCalling', ACTION_LAYERS],
].flatMap(([folder, layers]) =>
	inLayers(layers, shippedImports).map(([name, patterns]) => ({
		files: [`${folder}/${name}/**/*.ts`],
		rules: imports(...patterns),
	})),
);

const sandboxLayers = inLayers(SANDBOX_LAYERS, sandboxImports).flatMap(([name, patterns]) => {
	const files = [`sandbox/src/${name}/**/*.mts`];
	return [
		{ files, rules: imports(...patterns) },
		{
			files,
			ignores: TIME,
			rules: imports(...patterns, timerImports('Timers belong to sandbox/src/runtime.')),
		},
	];
});

/** Names that nobody would search for. Use the common word, or say what the thing does. */
const UNCLEAR_NAMES = [
	'accounts',
	'agenda',
	'Agenda',
	'Answer',
	'BadInput',
	'books',
	'carryOut',
	'complaints',
	'disturbances',
	'door',
	'figures',
	'gate',
	'inWords',
	'knocks',
	'ledger',
	'lifetime',
	'noted',
	'Place',
	'placeOf',
	'Refusal',
	'sentences',
	'stage',
	'Stage',
	'utils',
	'world',
	'World',
];

/** Two files that import each other cannot be understood one at a time. */
const noCycles = {
	files: [...SHIPPED, ...TOOLS],
	plugins: { 'import-x': importX },
	settings: {
		'import-x/extensions': ['.ts', '.mts'],
		'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.mts'] },
		'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.mts', '.js'] })],
	},
	rules: { 'import-x/no-cycle': ['error', { ignoreExternal: true }] },
};

/** A test that waits for time to pass is flaky, and one that does not run proves nothing. */
const honestTests = {
	files: ['test/**/*.test.mts', 'sandbox/test/**/*.test.mts'],
	rules: {
		...imports(...testImports, timerImports('Wait for what happens, not for time to pass.')),
		'no-restricted-globals': ['error', ...TIMERS],
		'no-restricted-properties': [
			'error',
			...['it', 'test', 'describe'].flatMap((object) =>
				['only', 'skip', 'todo'].map((property) => ({
					object,
					property,
					message: 'Every test runs.',
				})),
			),
		],
	},
};

export default defineConfig(
	globalIgnores(['**/dist/', 'coverage/', '.data/', 'host/*/node_modules/', 'contract/generated/']),
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{ files: ['**/*.{js,mjs,ts,mts}'], extends: [js.configs.recommended] },
	{ files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
	// A browser runs it; tsc knows the names that a browser has.
	{ files: ['sandbox/src/inspector/**/*.mjs'], rules: { 'no-undef': 'off' } },
	{
		files: ['sandbox/src/inspector/**/*.d.ts'],
		languageOptions: { parser: tseslint.parser },
		rules: { 'no-undef': 'off', 'no-unused-vars': 'off' },
	},
	{
		files: SHIPPED,
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
	},
	{
		files: TOOLS,
		extends: [tseslint.configs.strictTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.tools.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			// Playwright reads from the pattern that a fixture needs no other one.
			'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
			// A draft 2020-12 Ajv is taken wherever an Ajv is, but is no subclass of it.
			'@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
			'no-restricted-syntax': ['error', DOUBLE_ASSERTION],
		},
	},
	{
		files: [...SHIPPED, ...TOOLS],
		rules: {
			// Node strips types without looking at other files, so a type has to say that it is one.
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/consistent-type-exports': 'error',
			'id-denylist': ['error', ...UNCLEAR_NAMES],
		},
	},

	// A service's or a user's text can be a megabyte long.
	{
		files: SHIPPED,
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': [
				'error',
				{ report: 'potential', ignoreSticky: false, ignorePartial: true },
			],
		},
	},

	// What n8n's own linter and scanner ask of a community package, with the exceptions they make.
	{
		files: ['package.json', ...SHIPPED],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser },
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},

	noCycles,
	importRules,
	shippedLayers,
	sandboxLayers,
	pureSandbox,
	honestTests,
);
