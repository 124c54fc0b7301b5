// Runs before anything else, on whatever Node there is: no newer syntax, and no dependencies.

const { existsSync } = require('fs');
const { dirname, join } = require('path');
const { exit, stderr, version, versions } = require('process');

/** Runs .mts files as they are. */
const NEEDED = 24;

const root = dirname(require.resolve('../package.json'));
// npm writes it when everything is installed.
const isInstalled = existsSync(join(root, 'node_modules/.package-lock.json'));

if (!isInstalled) {
	fail(
		'The packages of this repository are not installed, or their installation was cut short.\n' +
			'Run this first, then the same command again:\n  npm ci',
	);
} else if (Number(versions.node.split('.')[0]) < NEEDED) {
	fail(
		'This needs Node ' +
			NEEDED +
			', and this is ' +
			version +
			'. npm ci installs Node ' +
			NEEDED +
			' inside this repository, but it is not there.\n' +
			'Node 20.19 or newer, with its own npm, suffices for npm ci. Allow npm to run scripts (no --ignore-scripts), and run this:\n  npm ci',
	);
}

function fail(message) {
	stderr.write('\n' + message + '\n\n');
	exit(1);
}
