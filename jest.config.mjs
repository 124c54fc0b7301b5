/** @type {import('jest').Config} */
export default {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/{nodes,sandbox,package,examples}/**/*.test.mts'],
	moduleFileExtensions: ['mts', 'mjs', 'js', 'cjs', 'json', 'node'],
	extensionsToTreatAsEsm: ['.mts'],
	transform: { '\\.mts$': '<rootDir>/test/support/stripTypes.mjs' },
	// A test imports shipped code from its source, for its types, and runs the compiled file that ships.
	moduleNameMapper: {
		'^(?:\\.\\./)+((?:nodes|credentials)/.+)\\.ts$': '<rootDir>/dist/$1.js',
		// Otherwise tests would see the copy for ES modules, and n8n and the package the other one.
		'^n8n-workflow$': '<rootDir>/node_modules/n8n-workflow/dist/cjs/index.js',
	},
	// Nothing else is looked through: host/ may hold whole n8n installations.
	roots: ['<rootDir>/test'],
	maxWorkers: 2,
	// Far beyond what any test needs, so that a busy machine fails none; a test that hangs still ends.
	testTimeout: 60_000,
};
