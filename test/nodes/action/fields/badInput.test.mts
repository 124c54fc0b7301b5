import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Expression, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import type { Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { watchConnections } from '../../../support/badInput/connections.mts';
import { template } from '../../../support/badInput/template.mts';
import { item } from '../../../support/badInput/values.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { sampled, sampledRuns } from '../../../support/sample.mts';
import { nodeOperations, getPath, type NamedOperation } from '../../../support/parity/node.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';

/** Among so many, some of each operation are sent, and some are refused before. */
const ENOUGH_ITEMS = 200;

/**
 * Whatever a spreadsheet or a language model hands over, each item ends as a request that the service
 * answers, or as a message that names the item and the field. `BAD_INPUT_ITEMS` says how many.
 */
const ITEMS = Number(process.env.BAD_INPUT_ITEMS ?? sampledRuns(ENOUGH_ITEMS));
/** The items of a run share the fields that are filled in, so there are about ten runs. */
const ITEMS_PER_RUN = Math.min(Math.ceil(ITEMS / 10), 250);

useDefaultEngine({ sharedCaller: true });
const connections = watchConnections();
// Where a list does not have a call, the node looks again after some seconds.
beforeEach(skipWaits);
afterEach(useRealTime);
const { n8n, sent, service } = await startTestEnvironment({
	tool_quota: 100_000,
	balance: 100_000,
});

/** The names of all fields on the screen. */
const getLabels = (fields: Field[]): string[] =>
	fields.flatMap((field) => [
		field.displayName,
		...getLabels((field.options ?? []).filter((option) => 'type' in option)),
	]);

/** What an error item says. */
interface Failure {
	message: string;
	description: string;
	httpCode: string | null;
	errors: IDataObject;
}

/** Messages about an item as a whole. */
const WITHOUT_FIELD = ['There is nothing to change, because no field has a value'];

/** The answers of the service to requests that fit the contract's HTTP rules. */
const ANSWERS = [200, 201, 400, 404, 413, 422];

/** The field is named as on the screen, and every message says that nothing was sent. */
function expectFieldNamed({ message, description, errors }: Failure, labels: string[]): void {
	expect(description).toMatch(/Nothing was sent for this item\.$/);
	if (WITHOUT_FIELD.includes(message)) return;
	const named = Object.keys(errors).map((label) => label.replace(/ → .*$/s, ''));
	expect({ message, unknown: named.filter((label) => !labels.includes(label)) }).toEqual({
		message,
		unknown: [],
	});
	expect(named).toHaveLength(1);
}

const getItem = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;

/** @returns how many items were sent, and how many were refused before */
async function check(operation: NamedOperation, gen: fc.GeneratorValue) {
	await service.reset();
	// n8n's default engine copies values, and the one that n8n had before hands over the values themselves.
	Expression.setExpressionEngine(gen(() => fc.constantFrom('vm' as const, 'legacy' as const)));
	const { parameters, slots } = template(operation.fields, gen);
	const length = { minLength: ITEMS_PER_RUN, maxLength: ITEMS_PER_RUN };
	const items = gen(() => fc.array(item(slots), length));
	const [resource = '', name = ''] = operation.name.split('/');
	const { output, error, run } = await n8n.runNode({
		parameters: { resource, operation: name, ...parameters },
		items,
		settings: { onError: 'continueErrorOutput' },
	});
	expect({ error, status: run.status }).toEqual({ error: undefined, status: 'success' });

	const refused = output[1].map(({ json }) => json.error as IDataObject & Failure);
	expect(new Set(output[1].map(getItem)).size).toBe(refused.length);
	const unsent = refused.filter(({ httpCode }) => httpCode === null);
	for (const failure of unsent) expectFieldNamed(failure, getLabels(operation.fields));
	expect(JSON.stringify(output)).not.toContain(ALICE);

	// What an assistant's update learns and looks up is not the request of an item.
	const isOwn = ({ method, body }: Awaited<ReturnType<typeof sent>>[number]) =>
		operation.sendItem === undefined || (method !== 'GET' && JSON.stringify(body) !== '{}');
	const requests = (await sent()).filter(isOwn);
	const sentCount = items.length - unsent.length;
	const isList = operation.request.method === 'GET';
	// The items share the pages of a list that is read for one of its records.
	const isShared = operation.oneOfList !== undefined;
	if (isShared) expect(requests.length > 0).toBe(sentCount > 0);
	else if (isList) expect(requests.length).toBeGreaterThanOrEqual(sentCount);
	else expect(requests).toHaveLength(sentCount);
	const path = getPath(operation).replace('/{}', isShared ? '(/[1-9]\\d*)?' : '/[1-9]\\d*');
	for (const request of requests) {
		expect(request).toMatchObject({ method: operation.request.method });
		expect(request.path).toMatch(new RegExp(`^/api${path}$`));
		expect(ANSWERS).toContain(request.status);
	}
	return { sent: sentCount, refused: unsent.length };
}

describe(`${ITEMS} items of anything`, () => {
	const totals: Array<{ sent: number; refused: number }> = [];

	it.each(sampled(nodeOperations, 2))(
		'$name: each ends as an answered request, or as a message that names the field',
		async (operation) => {
			const total = { sent: 0, refused: 0 };
			totals.push(total);
			await fc.assert(
				fc.asyncProperty(fc.gen(), async (gen) => {
					const counts = await check(operation, gen);
					total.sent += counts.sent;
					total.refused += counts.refused;
				}),
				{ numRuns: Math.ceil(ITEMS / ITEMS_PER_RUN), endOnFailure: true },
			);
			// Both ends occur, so that the test means something. Without a field, nothing is refused.
			const hasBothEnds = ITEMS >= ENOUGH_ITEMS && operation.fields.length > 0;
			if (hasBothEnds) expect(Object.values(total)).not.toContain(0);
		},
	);

	it('are both sent and refused for most operations, also in a sample', () => {
		const oneSided = totals.filter(({ sent, refused }) => sent === 0 || refused === 0);
		expect(oneSided.length).toBeLessThanOrEqual(totals.length / 4);
	});

	it('connect to the service only', () => {
		const port = new URL(service.url).port;
		const control = new URL(service.controlUrl).port;
		expect(connections.length).toBeGreaterThan(0);
		expect(
			connections.filter((to) => ![`127.0.0.1:${port}`, `127.0.0.1:${control}`].includes(to)),
		).toEqual([]);
	});

	it('change no prototype', () => {
		expect({}).not.toHaveProperty('polluted');
	});
});
