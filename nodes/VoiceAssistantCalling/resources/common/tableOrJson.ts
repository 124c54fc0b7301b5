import type { Field } from '../../fields/routing';

/**
 * The fields for a list that users enter as a table or as JSON.
 *
 * @param table a list; the names of its fields are those of the request, so they are those of the JSON too
 * @param example entries in JSON
 */
export function tableOrJson(table: Field, example: string): Field[] {
	const { displayName, name, description, options = [], routing } = table;
	const mode = `${name}Mode`;
	const groups = options.filter((option) => 'values' in option);
	return [
		{
			displayName: `Specify ${displayName}`,
			name: mode,
			type: 'options',
			noDataExpression: true,
			default: 'fields',
			description,
			options: [
				{ name: 'Map Each Field', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
		},
		{ ...table, displayOptions: { show: { [mode]: ['fields'] } } },
		{
			displayName: `${displayName} (JSON)`,
			name: `${name}Json`,
			type: 'json',
			displayOptions: { show: { [mode]: ['json'] } },
			default: '[]',
			placeholder: `e.g. ${example}`,
			description: 'A JSON list, or an expression that gives one',
			entries: groups.flatMap(({ values }) => values),
			hasUniqueNames: groups.some(({ hasUniqueNames }) => hasUniqueNames),
			routing,
		},
	];
}
