import { InvalidInput } from '../../shared/client/errors';
import type { Field, OperationRequest } from '../fields/routing';
import { assistant } from './assistant';
import { call } from './call';
import { campaign } from './campaign';
import { lead } from './lead';
import { midCallTool } from './midCallTool';
import { requestOptions } from './requestOptions';
import type { ExecuteInN8n, OperationParts, Resource } from './resource';
import { showFor } from './showFor';
import { sms } from './sms';

const resources: Record<string, Resource> = { assistant, call, campaign, lead, midCallTool, sms };

/** What the runner needs of an operation. */
export interface Operation extends OperationParts {
	request: OperationRequest;
}

const resourceOf = (name: unknown): Resource | undefined =>
	Object.entries(resources).find(([key]) => key === name)?.[1];

/** An expression can give any value, also the name of an inherited property. */
const partsOf = (resource: Resource | undefined, name: unknown): OperationParts | undefined =>
	Object.entries(resource?.operations ?? {}).find(([key]) => key === name)?.[1];

/**
 * Finds an operation by the values of *Resource* and *Operation*.
 *
 * @throws {InvalidInput} when there is none, because an expression can give any value
 */
export function operationOf(resource: unknown, operation: unknown): Operation {
	const found = resourceOf(resource);
	const option = found?.operation.options.find(({ value }) => value === operation);
	const parts = partsOf(found, operation);
	if (option?.routing && parts) return { ...parts, request: option.routing.request };
	throw new InvalidInput({
		message: "'Resource' and 'Operation' do not name an operation of this node",
		nextStep: 'Choose both from their lists. Nothing was sent for this item.',
	});
}

/** The function of an operation that sends nothing to the service; undefined for all others. */
export const executeInN8n = (resource: unknown, operation: unknown): ExecuteInN8n | undefined =>
	partsOf(resourceOf(resource), operation)?.executeInN8n;

/** The operations of all resources, and their fields, each shown only for its operation. */
export const operationsAndFields: Field[] = [
	...Object.entries(resources).flatMap(([resource, { operation, operations }]) => [
		operation as Field,
		...Object.entries(operations).flatMap(([name, { fields }]) => showFor(resource, name, fields)),
	]),
	requestOptions,
];
