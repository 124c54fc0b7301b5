import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field, OperationRequest } from '../fields/routing';
import { withWarning } from './notInContract';
import type { Operation, OperationInN8n, OperationWithFreeRequest } from './operation';
import { deletingOptions, spendingOptions, spendingOptionsOfPeople } from './spendingOptions';

/** An operation of any kind. */
export type AnyOperation = Operation | OperationInN8n | OperationWithFreeRequest;

/** A resource of the node. */
export interface Resource<Value extends string = string> {
	/** In the list of resources. */
	name: string;
	/** By the values of the field *Operation*. */
	operations: Record<Value, AnyOperation>;
	/** What *Operation* shows first. A saved workflow does not contain it, so it never changes. */
	default: NoInfer<Value>;
}

/** Checks that the default of a resource is one of its operations. */
export const resource = <Value extends string>(parts: Resource<Value>): Resource => parts;

/** An operation in n8n's list, with its request if the description says one. */
interface OperationOption extends INodePropertyOptions {
	routing?: { request: OperationRequest };
}

function toOption([value, operation]: [string, AnyOperation]): OperationOption {
	const { name, action, description, displayOptions } = operation;
	const isInContract = !('notInContract' in operation);
	return {
		name,
		value,
		action,
		description: isInContract ? description : withWarning(description),
		...(displayOptions && { displayOptions }),
		...('request' in operation && { routing: { request: operation.request } }),
	};
}

/** The fields of an operation in the order of the screen. */
function shownFields(operation: AnyOperation): Field[] {
	if ('cannotBeUndone' in operation) return [...operation.fields, deletingOptions];
	if (!('getCost' in operation)) return operation.fields;
	const options = operation.reachesPeople ? spendingOptionsOfPeople : spendingOptions;
	return [...operation.fields, options];
}

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);

/** The field *Resource*. */
export const toResourceField = (resources: Record<string, Resource>): Field => ({
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: Object.entries(resources)
		.map(([value, { name }]) => ({ name, value }))
		.sort(byName),
	default: 'lead',
});

/**
 * The field *Operation* of a resource, and the fields of its operations, each shown only for its own.
 *
 * @param value of the field *Resource*
 */
export const toOperationFields = (
	value: string,
	{ operations, default: initial }: Resource,
): Field[] => [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: Object.entries(operations).map(toOption).sort(byName),
		default: initial,
	},
	...Object.entries(operations).flatMap(([name, operation]) =>
		shownFields(operation).map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { resource: [value], operation: [name], ...field.displayOptions?.show },
			},
		})),
	),
];
