import { stripTypeScriptTypes } from 'node:module';

/**
 * Jest transform for `.mts`: what Node itself does when it runs such a file, so that a test runs
 * the same code as `node file.mts`. Types become white space, so lines and columns stay true.
 */
export default {
	process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
