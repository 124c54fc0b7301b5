const { rm } = require('node:fs/promises');
const { dest, parallel, src } = require('gulp');

/** What n8n reads beside the compiled code: icons, codex files and the output preview of the Trigger. */
const ASSETS = ['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

const clean = () => rm('dist', { recursive: true, force: true });

// `encoding: false`: files are copied byte for byte.
const copy = () => src(ASSETS, { base: '.', encoding: false }).pipe(dest('dist'));

/** What the compiled sandbox reads beside its code, and the contract, which has its place above it. */
const SANDBOX_ASSETS = ['sandbox/src/**/*.{css,html,mjs,svg,yaml}', 'sandbox/{presets,seeds}/*'];

const cleanSandbox = () => rm('sandbox/dist', { recursive: true, force: true });

const copySandboxAssets = () =>
	src(SANDBOX_ASSETS, { base: 'sandbox', encoding: false }).pipe(dest('sandbox/dist'));

const copyContract = () => src('contract/*.yaml').pipe(dest('sandbox/contract'));

const copySandbox = parallel(copySandboxAssets, copyContract);

module.exports = { clean, copy, cleanSandbox, copySandbox };
