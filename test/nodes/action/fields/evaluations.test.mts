import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nextTurn } from '../../../support/eventLoop.mts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { evaluator, useDefaultEngine } from '../../../support/n8n/engine.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';

/** The test counts expressions that contain this text. */
const MARK = 'counted';

useDefaultEngine();
const startServer = stubServersPerTest();

let renderExpression: typeof evaluator.renderExpression;
let evaluations = 0;
let evaluated: string[] = [];

beforeEach(() => {
	evaluations = 0;
	evaluated = [];
	({ renderExpression } = evaluator);
	evaluator.renderExpression = function (expression, ...context) {
		evaluated.push(expression);
		if (expression.includes(MARK)) evaluations++;
		return renderExpression.call(this, expression, ...context);
	};
});

afterEach(() => {
	evaluator.renderExpression = renderExpression;
});

/** Starts a service that creates every lead. */
async function leadService() {
	const server = await startServer(({ body }) => ({
		body: { message: 'Lead created successfully', data: body },
	}));
	return { server, n8n: n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' }) };
}

it('each expression of an item is evaluated once', async () => {
	const { server, n8n } = await leadService();
	const { error } = await n8n.runNode({
		parameters: {
			resource: 'lead',
			operation: 'create',
			campaignId: `={{ $json.${MARK}.campaign }}`,
			phoneNumber: `={{ $json.${MARK}.phone }}`,
			customerName: `={{ $json.${MARK}.name }}`,
			email: `={{ $json.${MARK}.email }}`,
			variablesMode: 'json',
			variablesJson: `={{ $json.${MARK}.more }}`,
		},
		items: people(3).map(({ phone }, item) => ({
			[MARK]: { campaign: 1, phone, name: `Jane ${item}`, email: 'j@example.com', more: { item } },
		})),
	});
	expect(error).toBeUndefined();
	expect(evaluations).toBe(15);
	expect(server.requests.map(({ body }) => body)).toEqual(
		people(3).map(({ phone }, item) => ({
			campaign_id: 1,
			phone_number: phone,
			variables: { customer_name: `Jane ${item}`, email: 'j@example.com', item },
		})),
	);
});

it('sending all fields of an item evaluates no expression for them', async () => {
	const { server, n8n } = await leadService();
	const items = people(50).map((person, item) => ({ ...person, item, city: 'Bonn' }));
	const { error } = await n8n.runNode({
		parameters: {
			...leadPerItem,
			phoneNumber: `={{ $json.phone /* ${MARK} */ }}`,
			variablesMode: 'sendAllInputFields',
			variablesToLeaveOut: 'phone',
		},
		items,
	});
	expect(error).toBeUndefined();
	expect(evaluations).toBe(50);
	expect(evaluated.filter((expression) => /\$json\s*(\}|$)/.test(expression))).toEqual([]);
	expect(server.requests.map(({ body }) => body)).toEqual(
		items.map(({ phone, ...variables }) => ({ campaign_id: 1, phone_number: phone, variables })),
	);
});

describe('1,000 items', () => {
	it('are output in their order, and other work gets its turn', async () => {
		const { server, n8n } = await leadService();
		const items = people(1_000).map(({ phone }) => ({ [MARK]: phone }));
		let isOver = false;
		let before = 0;
		let most = 0;
		const others = async () => {
			while (!isOver) {
				await nextTurn();
				most = Math.max(most, evaluations - before);
				before = evaluations;
			}
		};
		const served = others();

		const { output, error } = await n8n.runNode({
			parameters: { ...leadPerItem, phoneNumber: `={{ $json.${MARK} }}` },
			items,
		});
		isOver = true;
		await served;
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json.phone_number)).toEqual(items.map((item) => item[MARK]));
		expect(output[0].map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
		expect(server.requests).toHaveLength(1_000);
		// Ten items in progress and ten prepared: then other work gets its turn.
		expect(most).toBeLessThanOrEqual(20);
	});
});
