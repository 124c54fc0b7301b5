import { describe, expect, it } from '@jest/globals';
import { isInSample } from '../../test/support/sample.mts';
import { namedFields } from './fuzz/replyViolations.mts';
import { changed, placesIn, valuesBeyond } from './fuzz/wrongValues.mts';
import { operations, wrongFields, type JsonObject } from './support/contract.mts';
import { bodyExamples, bodySchema } from './support/examples.mts';
import { getRequired } from './support/schema.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

const withBody = operations.flatMap((operation, row) => {
	const [example] = bodyExamples(operation);
	return example ? [{ ...operation, row, schema: bodySchema(operation), valid: example.body }] : [];
});

describe.each(withBody)('$operationId', ({ row, operationId, method, path, ...bodies }) => {
	const { schema, valid } = bodies;
	const expectRefused = async (json: JsonObject, ...names: string[]) => {
		const response = await service.alice.request(method, path.replace('{id}', '1'), { json });
		const named = namedFields(operationId, response.body);
		// An action that is neither start nor stop has a refusal of its own (assumption: campaign-errors).
		const isUnknownAction = operationId === 'updateCampaignStatus' && names.join() === 'action';
		const status = isUnknownAction && json.action !== undefined ? 400 : 422;
		expect({ json, status: response.status, named }).toEqual({
			json,
			status,
			named: expect.arrayContaining(names),
		});
	};
	const places = placesIn(schema, []);

	it('refuses by its name a field that is missing, of a wrong type, or beyond a limit', async () => {
		if (getRequired(schema).length > 0) await expectRefused({}, ...getRequired(schema));
		for (const [column, { path: place, schema: field }] of places.entries()) {
			if (!isInSample(row, column)) continue;
			const name = place.join('.');
			const wrong = valuesBeyond(field)
				.map((value) => changed(valid, place, value))
				.filter((body) => wrongFields(operationId, body).includes(name));
			expect({ name, refused: wrong.length > 0 }).toEqual({ name, refused: true });
			for (const body of wrong) await expectRefused(body, name);
		}
	});

	it('refuses by its name a field that does not exist, at any depth', async () => {
		for (const { path: place } of [{ path: [] }, ...places]) {
			const name = [...place, 'colour'].join('.');
			const body = changed(valid, [...place, 'colour'], 'blue');
			if (wrongFields(operationId, body).includes(name)) await expectRefused(body, name);
		}
	});
});
