import { pathToFileURL } from 'node:url';

import NodeRuntime from '../support/jest/runtime.mts';

let loaded = 0;

/** Loads a test file again for each mutant, because it declares its tests while it is loaded. */
export default class MutantRuntime extends NodeRuntime {
	override async unstable_importModule(path: string): Promise<void> {
		const url = pathToFileURL(path);
		loaded += 1;
		url.search = String(loaded);
		await import(url.href);
	}
}
