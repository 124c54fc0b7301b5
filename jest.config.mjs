/** @type {import('jest').Config} */
export default {
	testMatch: [
		'<rootDir>/test/{nodes,package,examples,host}/**/*.test.mts',
		'<rootDir>/sandbox/test/**/*.test.mts',
	],
	globalSetup: '<rootDir>/test/support/jest/globalSetup.mts',
	// Node runs the test files and loads each module once per worker: see runtime.mts.
	testEnvironment: '<rootDir>/test/support/jest/environment.mts',
	runtime: '<rootDir>/test/support/jest/runtime.mts',
	transform: {},
	moduleFileExtensions: ['mts', 'mjs', 'js', 'cjs', 'json', 'node'],
	// Nothing else is looked through: host/ may hold whole n8n installations.
	roots: ['<rootDir>/test', '<rootDir>/sandbox/test'],
	// For two cores: with a third worker, the whole run takes longer.
	maxWorkers: 2,
	// Far beyond what any test needs, so that a busy machine fails none; a test that hangs still ends.
	testTimeout: 60_000,
};
