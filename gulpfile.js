const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** What n8n reads beside the compiled code: icons, codex files and output previews. */
const ASSETS = ['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

const clean = () => rm('dist', { recursive: true, force: true });

// `encoding: false`: files are copied byte for byte.
const copy = () => src(ASSETS, { base: '.', encoding: false }).pipe(dest('dist'));

module.exports = { clean, copy };
