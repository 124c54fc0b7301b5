import { InvalidInput } from '../../shared/client/errors';
import type { Field } from '../fields/routing';
import { toWireTypes } from '../fields/toWireTypes';
import { account } from './account';
import { assistant } from './assistant';
import { call } from './call';
import { campaign } from './campaign';
import { customApiCall } from './customApiCall';
import { lead } from './lead';
import { midCallTool } from './midCallTool';
import type { ExecuteInN8n, Operation, OperationWithFreeRequest } from './operation';
import { requestOptions } from './requestOptions';
import { phoneNumber } from './phoneNumber';
import { toOperationFields, toResourceField, type AnyOperation, type Resource } from './resource';
import { sms } from './sms';

/** By the value of the field *Resource*. */
export const resources: Record<string, Resource> = {
	account,
	assistant,
	call,
	campaign,
	customApiCall,
	lead,
	midCallTool,
	phoneNumber,
	sms,
};

/** An expression can give any value, also the name of an inherited property. */
function find(resource: unknown, operation: unknown): AnyOperation | undefined {
	const found = Object.entries(resources).find(([value]) => value === resource)?.[1];
	return Object.entries(found?.operations ?? {}).find(([value]) => value === operation)?.[1];
}

/**
 * Finds an operation that sends requests, by the values of *Resource* and *Operation*.
 *
 * @throws {InvalidInput} when there is none, because an expression can give any value
 */
export function getOperation(
	resource: unknown,
	operation: unknown,
): Operation | OperationWithFreeRequest {
	const found = find(resource, operation);
	if (found && !('executeInN8n' in found)) return found;
	throw new InvalidInput({
		message: "'Resource' and 'Operation' do not name an operation of this node",
		nextStep: 'Choose both from their lists. Nothing was sent for this item.',
	});
}

/** Whether an operation costs money or deletes, so that it has options of spendingOptions.ts. */
export const hasRunLimits = (resource: unknown, operation: unknown): boolean => {
	const found = find(resource, operation) ?? {};
	return 'getCost' in found || 'cannotBeUndone' in found;
};

/** The function of an operation that sends nothing to the service; undefined for all others. */
export function getExecuteInN8n(resource: unknown, operation: unknown): ExecuteInN8n | undefined {
	const found = find(resource, operation);
	return found && 'executeInN8n' in found ? found.executeInN8n : undefined;
}

/** All fields of the node. */
export const properties: Field[] = [
	{
		...toResourceField(resources),
		// n8n's own engine needs this. A test compares it with our runner (docs/decisions/0001).
		routing: { send: { preSend: [toWireTypes] } },
	},
	...Object.entries(resources).flatMap(([value, resource]) => toOperationFields(value, resource)),
	requestOptions,
];
