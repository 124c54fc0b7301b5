import { describe, expect, it } from '@jest/globals';
import { namedFields } from './fuzz/replyViolations.mts';
import { changed, placesIn } from './fuzz/wrongValues.mts';
import { operations, wrongFields, type JsonObject } from './support/contract.mts';
import { bodyExamples, bodySchema } from './support/examples.mts';
import { getLimit, getRequired, getTypes } from './support/schema.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

/** Values of other types, and values just beyond the limits of a field. */
function beyond(schema: JsonObject): unknown[] {
	const step = getTypes(schema).includes('integer') ? 1 : 0.01;
	const [min, max] = [getLimit(schema, 'minimum'), getLimit(schema, 'maximum')];
	const longest = getLimit(schema, 'maxLength');
	return [
		...['', 'text', '1', 1.5, true, null, [], {}, [1]],
		...(min === undefined ? [] : [min - step, min + 0.5]),
		...(max === undefined ? [] : [max + step]),
		...(longest === undefined ? [] : ['x', 'ß', '📞'].map((one) => one.repeat(longest + 1))),
		...(Array.isArray(schema.enum) ? schema.enum.map((value) => `${value} `) : []),
	];
}

const withBody = operations.flatMap((operation) => {
	const [example] = bodyExamples(operation);
	return example ? [{ ...operation, schema: bodySchema(operation), valid: example.body }] : [];
});

describe.each(withBody)('$operationId', ({ operationId, method, path, schema, valid }) => {
	const expectRefused = async (json: JsonObject, ...names: string[]) => {
		const response = await service.alice.request(method, path.replace('{id}', '1'), { json });
		const named = namedFields(operationId, response.body);
		expect({ json, status: response.status, named }).toEqual({
			json,
			status: 422,
			named: expect.arrayContaining(names),
		});
	};
	const places = placesIn(schema, []);

	it('refuses by its name a field that is missing, of a wrong type, or beyond a limit', async () => {
		if (getRequired(schema).length > 0) await expectRefused({}, ...getRequired(schema));
		for (const { path: place, schema: field } of places) {
			const name = place.join('.');
			const bodies = beyond(field)
				.map((value) => changed(valid, place, value))
				.filter((body) => wrongFields(operationId, body).includes(name));
			expect({ name, refused: bodies.length > 0 }).toEqual({ name, refused: true });
			for (const body of bodies) await expectRefused(body, name);
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
