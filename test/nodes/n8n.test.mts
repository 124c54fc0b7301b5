import { describe, expect, it } from '@jest/globals';
import type { NodeParameterValueType } from 'n8n-workflow';
import { ENGINES } from '../support/n8n/engine.mts';
import { n8nWith } from '../support/n8n/n8n.mts';
import { MANUAL_TRIGGER } from '../support/n8n/package.mts';

/** Facts of docs/n8n.md about n8n alone. */
const n8n = n8nWith({ baseUrl: 'http://localhost', apiToken: 'token' });

async function evaluate(expression: string): Promise<NodeParameterValueType> {
	const workflow = n8n.workflow({
		nodes: [{ name: 'Node', type: MANUAL_TRIGGER }],
		connections: {},
	});
	const items = [{ json: { arguments: 1, parameters: 1 } }];
	return await workflow.expression.withIsolate(() =>
		Promise.resolve(
			workflow.expression.getParameterValue(expression, null, 0, 0, 'Node', items, 'manual', {}),
		),
	);
}

describe.each(ENGINES)('in %s, an expression', (_, useEngine) => {
	useEngine();

	it('is refused for the word "arguments"', async () => {
		expect(await evaluate('={{ $json.parameters }}')).toBe(1);
		await expect(evaluate('={{ $json.arguments }}')).rejects.toThrow();
	});
});
