#!/usr/bin/env node
// What npx starts, on whatever Node there is: no newer syntax, and no dependencies.

const { spawn, spawnSync } = require('child_process');
const { existsSync } = require('fs');
const { dirname, join } = require('path');
const process = require('process');
const { pathToFileURL } = require('url');

const folder = dirname(require.resolve('./bin.js'));
const version = process.versions.node.split('.').map(Number);
/** Whether this Node has node:sqlite. */
const isSupported =
	version[0] > 23 ||
	(version[0] === 23 && version[1] >= 4) ||
	(version[0] === 22 && version[1] >= 13);

if (existsSync(join(folder, 'cli.mts'))) {
	startFromSource();
} else if (isSupported) {
	void import(pathToFileURL(join(folder, 'dist/cli.mjs')).href);
} else {
	process.stderr.write(
		'The sandbox needs Node.js 22.13, 23.4 or newer, and this is ' + process.version + '.\n',
	);
	process.exitCode = 1;
}

/** In the repository: runs the source, on the Node that `npm ci` installs. npm scripts run on it, too. */
function startFromSource() {
	const root = join(folder, '..');
	const [own] = ['bin/node', 'bin/node.exe']
		.map((file) => join(root, 'node_modules/node', file))
		.filter(existsSync);
	const node = own || process.execPath;

	const { status } = spawnSync(node, [join(root, 'scripts/requireSetup.js')], { stdio: 'inherit' });
	if (status !== 0) process.exit(1);

	const sandbox = spawn(node, [join(folder, 'cli.mts'), ...process.argv.slice(2)], {
		stdio: 'inherit',
	});
	// A terminal sends Ctrl-C to both. The sandbox ends first, and its exit code counts.
	process.on('SIGINT', () => undefined);
	process.on('SIGTERM', () => sandbox.kill('SIGTERM'));
	sandbox.on('exit', (code) => process.exit(code === null ? 1 : code));
}
