import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { root } from './package.mts';

/** The rules of eslint.tools.config.mjs for texts that are no files: those that need types are off. */
export const eslint = new ESLint({
	cwd: root,
	overrideConfigFile: 'eslint.tools.config.mjs',
	overrideConfig: [tseslint.configs.disableTypeChecked],
});
