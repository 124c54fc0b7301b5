import { afterAll, beforeAll } from '@jest/globals';
import { Expression } from 'n8n-workflow';

/** The method of n8n that evaluates every expression. */
interface Evaluator {
	renderExpression: (expression: string, ...context: unknown[]) => unknown;
}

/** n8n-workflow's types hide the method. */
export const evaluator = Expression.prototype as object as Evaluator;

/**
 * Evaluates expressions in n8n's default engine, for tests about values: it passes them across the border
 * of an isolate, and takes about ten times as long as the engine that n8n had before. A call inside of a
 * `describe` covers the tests of that block.
 *
 * @param sharedCaller whether all runs use one isolate, as the editor does: for tests with many runs
 */
export function useDefaultEngine({ sharedCaller = false } = {}): void {
	beforeAll(async () => {
		await Expression.initExpressionEngine({
			engine: 'vm',
			poolSize: 1,
			maxCodeCacheSize: 1024,
			bridgeTimeout: 5000,
			bridgeMemoryLimit: 128,
			// A run without expressions needs no isolate.
			lazyAcquire: true,
			compileCache: true,
			sharedCaller,
		});
		Expression.setExpressionEngine('vm');
	});
	afterAll(async () => {
		Expression.setExpressionEngine('legacy');
		await Expression.disposeExpressionEngine();
	});
}

/** The engines of the supported versions of n8n, for `describe.each`. */
export const ENGINES: Array<[name: string, useEngine: () => void]> = [
	["n8n's default engine", () => useDefaultEngine({ sharedCaller: true })],
	['the engine that n8n had before', () => undefined],
];
