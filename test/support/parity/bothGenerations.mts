import { contractOperations, newerOperations, type RequestValue } from './contract.mts';

/** The fields that only the newer generation has, and that a user fills in by name or as a list. */
const OFFERED = [
	...['ambient_sound', 'ringing_time', 'secondary_language_ids', 'tools[].type'],
	'voice_mail_message',
].map((name) => `body.${name}`);

/** Fields with other names in both, and with wider limits or more values in the newer one. */
const OTHER_NAMES = new Map([['body.engine_type', 'body.mode']]);

/** A newer value as the form has it: *Off* stands for null. */
const asOffered = (value: RequestValue): RequestValue => ({
	...value,
	required: value.name.startsWith('body.tools[]') && value.required,
	types: value.types.filter((type) => type !== 'null' || value.name !== 'body.ambient_sound'),
	schema: {
		...value.schema,
		// A user types the type of a tool, so that newer ones are possible.
		enum: value.name.endsWith('.type')
			? undefined
			: value.schema.enum?.filter((each) => each !== null),
	},
});

/** A value in the wider limits of both. */
function wider(older: RequestValue, newer: RequestValue | undefined): RequestValue {
	const { maximum, enum: choices } = newer?.schema ?? {};
	return {
		...older,
		schema: {
			...older.schema,
			...(maximum !== undefined && { maximum: Math.max(maximum, older.schema.maximum ?? maximum) }),
			...(choices && { enum: [...new Set([...(older.schema.enum ?? []), ...choices])] }),
		},
	};
}

/**
 * The operations of the contract. Those of assistants have the wider limits of both generations, and the newer
 * fields that the node offers. Languages are entered by name: the node looks up their IDs.
 */
export const bothGenerations = contractOperations.map((operation) => {
	const newer = newerOperations.find(({ operationId }) => operationId === operation.operationId);
	if (!newer || !/^(create|update)Assistant$/.test(operation.operationId)) return operation;
	const newerValue = (name: string) => newer.requestValues.find((value) => value.name === name);
	const added = OFFERED.flatMap((name) => {
		const value = newerValue(name) ?? newerValue(`${name}[]`);
		if (!value) return [];
		const isByName = name === 'body.secondary_language_ids';
		return isByName
			? { ...value, name, types: ['string', 'null'], required: false, schema: {} }
			: asOffered(value);
	});
	const values = operation.requestValues.map((value) =>
		wider(value, newerValue(OTHER_NAMES.get(value.name) ?? value.name)),
	);
	return { ...operation, requestValues: [...values, ...added] };
});
