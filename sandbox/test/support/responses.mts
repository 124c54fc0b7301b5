import { expect } from '@jest/globals';
import type { ServiceResponse } from './client.mts';
import { asObject, type JsonObject } from './contract.mts';

/** The response has this status and exactly this body. */
export function expectResponse(response: ServiceResponse, status: number, body: unknown): void {
	expect({ status: response.status, body: response.body }).toEqual({ status, body });
}

/** The service refuses exactly these fields with 422, each with these messages. */
export function expectInvalid(response: ServiceResponse, errors: JsonObject): void {
	expectResponse(response, 422, { message: 'Validation failed', errors });
}

/** The service refuses exactly these fields with 422, in any words. */
export function expectInvalidFields(response: ServiceResponse, ...fields: string[]): void {
	expect(response.status).toBe(422);
	const { errors } = asObject(response.body, 'body');
	expect(Object.keys(asObject(errors, `errors in ${response.text}`))).toEqual(fields);
}
