import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { evaluator, useDefaultEngine } from '../../../support/n8n/engine.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';

/** The test counts expressions that contain this text. */
const MARK = 'counted';

useDefaultEngine();
const startServer = stubServersPerTest();

const { renderExpression } = evaluator;
let evaluations = 0;
let evaluated: string[] = [];

beforeEach(() => {
	evaluations = 0;
	evaluated = [];
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
	return { server, n8n: n8nAt(server) };
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
