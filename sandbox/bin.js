#!/usr/bin/env node
// What `npx ./sandbox` starts, on whatever Node there is: no newer syntax, and no dependencies.

const { spawn, spawnSync } = require('child_process');
const { existsSync } = require('fs');
const { dirname, join } = require('path');
const process = require('process');

const root = dirname(require.resolve('../package.json'));
// The Node that `npm ci` installs; npm scripts run on it, too.
const [own] = ['bin/node', 'bin/node.exe']
	.map((file) => join(root, 'node_modules/node', file))
	.filter(existsSync);
const node = own || process.execPath;

const { status } = spawnSync(node, [join(root, 'scripts/requireSetup.js')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const sandbox = spawn(node, [join(root, 'sandbox/cli.mts'), ...process.argv.slice(2)], {
	stdio: 'inherit',
});
// A terminal sends Ctrl-C to both. The sandbox ends first, and its exit code counts.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => sandbox.kill('SIGTERM'));
sandbox.on('exit', (code) => process.exit(code === null ? 1 : code));
