import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { getOperation } from '../../../nodes/VoiceAssistantCalling/resources/index.ts';
import { OPERATIONS, type OperationCase } from './operations.mts';

/** A field of an operation, at any depth. */
export interface OperationField {
	operation: OperationCase;
	field: INodeProperties;
	/** Its name in messages: its display name, after the list and the entry it is in. */
	label: string;
	/** The operation's parameters with a value for this field. All other fields are valid. */
	parametersWith: (value: unknown) => INodeParameters;
}

/** A valid value for the other fields of the same list entry, which may be required. */
const valid = ({ type, default: initial, placeholder = 'abc' }: INodeProperties): unknown =>
	type === 'string' ? placeholder.replace(/^e\.g\. /, '') : initial;

interface Branch {
	field: INodeProperties;
	label: string;
	path: Array<string | number>;
	/** Values of other fields that show it. */
	shownBy: Record<string, unknown>;
	/** The other fields of the list entry that holds the field. */
	entry?: Record<string, unknown>;
}

function getBranches(fields: INodeProperties[], path: Array<string | number> = []): Branch[] {
	return fields.flatMap((field): Branch[] => {
		const own = [...path, field.name];
		const shownBy = Object.fromEntries(
			Object.entries(field.displayOptions?.show ?? {}).map(([name, values]) => [name, values?.[0]]),
		);
		if (field.type !== 'collection' && field.type !== 'fixedCollection') {
			return [{ field, label: field.displayName, path: own, shownBy }];
		}
		return (field.options ?? []).flatMap((option) => {
			if ('type' in option) return getBranches([option], own);
			if (!('values' in option)) return [];
			const entry = Object.fromEntries(option.values.map((value) => [value.name, valid(value)]));
			return option.values.map((value) => ({
				field: value,
				label: `${field.displayName} → 1 → ${value.displayName}`,
				path: [...own, option.name, 0, value.name],
				entry,
				shownBy,
			}));
		});
	});
}

function put(
	target: Record<string, unknown>,
	[first, ...rest]: Array<string | number>,
	value: unknown,
	entry: Record<string, unknown> = {},
): Record<string, unknown> {
	if (first === undefined) return target;
	if (rest.length === 0) return { ...target, [first]: value };
	if (rest[0] === 0) return { ...target, [first]: [put(entry, rest.slice(1), value)] };
	const inner = (target[first] ?? {}) as Record<string, unknown>;
	return { ...target, [first]: put(inner, rest, value, entry) };
}

/** Whether only AI agents have a field. */
const isForAgents = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.['@tool']?.includes(true) === true;

/** Every field of every operation that users have, also those inside collections and lists. */
export const OPERATION_FIELDS: OperationField[] = OPERATIONS.flatMap((operation) => {
	const [resource = '', name = ''] = operation.name.split(': ');
	const fields = getOperation(resource, name).fields.filter((field) => !isForAgents(field));
	return getBranches(fields).map(({ field, label, path, shownBy, entry }): OperationField => ({
		operation,
		field,
		label,
		parametersWith: (value) =>
			put({ ...shownBy, ...operation.parameters }, path, value, entry) as INodeParameters,
	}));
});

/** Each field once. Create and update, for example, share most fields. */
export function distinct(fields: OperationField[]): OperationField[] {
	const byField = new Map(
		fields.map((each) => {
			const { label, field, operation } = each;
			return [JSON.stringify([operation.parameters.resource, label, field.required]), each];
		}),
	);
	return [...byField.values()];
}
