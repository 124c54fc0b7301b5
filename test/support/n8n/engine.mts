import { types } from 'node:util';
import { afterAll, beforeAll } from '@jest/globals';
import { unwrapLuxonValues } from '@n8n/expression-runtime/dist/cjs/runtime/luxon-transfer.js';
import { Expression } from 'n8n-workflow';

/** The place in n8n where every expression is evaluated. */
interface Evaluator {
	renderExpression: (expression: string, ...context: unknown[]) => unknown;
}

/** n8n-workflow's types hide the function. */
export const evaluator = Expression.prototype as object as Evaluator;

/** What an isolate gave, as if it were made here: Node's own objects have other prototypes than jest's. */
function intoThisRealm(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(intoThisRealm);
	if (types.isDate(value)) return new Date(value);
	if (typeof value !== 'object' || value === null) return value;
	const prototype: unknown = Object.getPrototypeOf(value);
	const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
	if (!isPlain) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inside]) => [name, intoThisRealm(inside)]),
	);
}

/**
 * Evaluates expressions in n8n's default engine, for tests about values: it hands them across the
 * border of an isolate, and takes about ten times as long as the engine that n8n had before. Called
 * inside of a `describe`, it is for the tests in there only.
 */
export function useDefaultEngine(): void {
	const { renderExpression } = evaluator;
	beforeAll(async () => {
		await Expression.initExpressionEngine({
			engine: 'vm',
			poolSize: 1,
			maxCodeCacheSize: 1024,
			bridgeTimeout: 5000,
			bridgeMemoryLimit: 128,
		});
		Expression.setExpressionEngine('vm');
		// n8n marks Luxon's dates on their way out of the isolate, and finds the marks in plain objects only.
		evaluator.renderExpression = function (this: Evaluator, ...args) {
			return unwrapLuxonValues(intoThisRealm(renderExpression.apply(this, args)));
		};
	});
	afterAll(async () => {
		evaluator.renderExpression = renderExpression;
		Expression.setExpressionEngine('legacy');
		await Expression.disposeExpressionEngine();
	});
}
