import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../shared/client/errors';
import { toBoolean } from '../../../shared/fields/booleans';
import { asText } from '../../../shared/values/json';
import type { Values } from '../../fields/fieldValues';
import type { Field } from '../../fields/routing';
import type { Output } from '../operation';

/** How much of a record an operation outputs. */
interface RecordOutput {
	/** Converts a record of the service to the types and the names that all nodes use. */
	convert: (record: IDataObject) => IDataObject;
	/** The fields of a simplified record, at most ten, the most used first. */
	simplified: string[];
	/** Simplified fields that only some services have. No output preview shows them. */
	ifPresent?: string[];
	/** Simplified fields that an agent gets only when they are selected, because they are long. */
	longFields?: string[];
	/** The types of the fields that `convert` adds. */
	added?: Output['added'];
}

/**
 * The fields that choose how much of a record comes out: a switch, and for agents a list. They have no
 * routing, because they do not change the request.
 */
export const outputFields: Field[] = [
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		displayOptions: { hide: { '@tool': [true] } },
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: { show: { '@tool': [true] } },
		default: 'simplified',
		description: 'How much the agent gets of each record',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: 'All fields of the record. They can be long.',
			},
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'The ID and the fields that you name',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most used fields, without long texts',
			},
		],
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
		default: '',
		placeholder: 'e.g. name, status',
		description:
			'Names of the fields, separated by commas, such as outcome, transcript and total_cost of calls. The ID is always there.',
	},
];

/** The named fields of a record that it has. */
const pick = (record: IDataObject, names: string[]): IDataObject =>
	Object.fromEntries(
		names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
	);

/**
 * The selected fields of a record. A model may write a list in JSON.
 *
 * @throws {InvalidInput} when the record has none of them: the model can try again with its names
 */
function pickSelected(record: IDataObject, { fields }: Values): IDataObject {
	const names = asText(fields).split(/[\s,"'[\]]+/);
	const wanted = names.filter((name) => name !== '');
	if (wanted.length > 0 && !wanted.some((name) => Object.hasOwn(record, name))) {
		throw new InvalidInput({
			message: "'Fields' names no field of the record",
			nextStep: `Use some of these: ${Object.keys(record).join(', ')}.`,
		});
	}
	return pick(record, [...new Set(['id', ...wanted])]);
}

/** Makes the output of records as the fields of {@link outputFields} say. */
export const recordOutput = ({
	convert,
	simplified,
	ifPresent = [],
	longFields = [],
	added,
}: RecordOutput): Output => ({
	toItem(record, values) {
		const { output, simplify } = values;
		if (output === 'raw') return record;
		if (output === 'selectedFields') return pickSelected(convert(record), values);
		// A switch that an expression leaves empty stays on.
		if (toBoolean(simplify) === false) return record;
		const isForAgent = output !== undefined;
		const names = [...simplified, ...ifPresent].filter(
			(name) => !isForAgent || !longFields.includes(name),
		);
		return pick(convert(record), names);
	},
	fields: simplified,
	added,
});
