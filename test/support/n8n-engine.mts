import { afterAll, beforeAll } from '@jest/globals';
import { Expression } from 'n8n-workflow';

/**
 * Evaluates expressions in n8n's default engine, for tests about values: it hands them across the
 * border of an isolate, and takes about ten times as long as the engine that n8n had before.
 */
export function useDefaultEngine(): void {
	beforeAll(async () => {
		await Expression.initExpressionEngine({
			engine: 'vm',
			poolSize: 1,
			maxCodeCacheSize: 1024,
			bridgeTimeout: 5000,
			bridgeMemoryLimit: 128,
		});
		Expression.setExpressionEngine('vm');
	});
	afterAll(async () => await Expression.disposeExpressionEngine());
}
