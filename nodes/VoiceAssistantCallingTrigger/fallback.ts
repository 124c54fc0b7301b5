import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toCallVariables } from '../shared/answers/callVariables';
import { InvalidInput } from '../shared/client/errors';
import { findWrongField } from '../shared/fields/checkFields';
import { describeLimits } from '../shared/fields/numbers';
import type { RuledField } from '../shared/fields/textRule';
import { asText, isRecord, recordsIn } from '../shared/values/json';

type Context = IHookFunctions | IWebhookFunctions;

const onlyWhenStarting = (more: Record<string, string[]> = {}) => ({
	show: { triggerOn: ['inboundCallStarting'], ...more },
});

const answerWithin: RuledField = {
	displayName: 'Answer Within (Seconds)',
	name: 'answerWithin',
	type: 'number',
	typeOptions: { minValue: 0.2, maxValue: 10, numberPrecision: 1 },
	// Guides of the service ask for less than two seconds (public-service: Inbound webhook).
	default: 1.8,
	noDataExpression: true,
	displayOptions: onlyWhenStarting(),
	description:
		'When the answer leaves at the latest, from 0.2 to 10 seconds. The person hears the phone ring until then.',
};

const mode: RuledField = {
	displayName: 'Specify Fallback Variables',
	name: 'fallbackMode',
	type: 'options',
	noDataExpression: true,
	displayOptions: onlyWhenStarting(),
	default: 'fields',
	description:
		'What the assistant gets when the workflow fails, ends without an answer, or needs too long',
	options: [
		{ name: 'Map Each Field', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
};

const rows: RuledField = {
	displayName: 'Fallback Variables',
	name: 'fallbackVariables',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	displayOptions: onlyWhenStarting({ fallbackMode: ['fields'] }),
	placeholder: 'Add Variable',
	default: {},
	description: 'Variables of the call when the workflow gives none in time',
	options: [
		{
			displayName: 'Variable',
			name: 'variable',
			hasUniqueNames: true,
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					noDataExpression: true,
					placeholder: 'e.g. customer_name',
					description: 'Name of the variable, as the assistant knows it',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					noDataExpression: true,
					description: 'Value of the variable, as text',
				},
			],
		},
	],
};

const json: RuledField = {
	displayName: 'Fallback Variables (JSON)',
	name: 'fallbackVariablesJson',
	type: 'json',
	noDataExpression: true,
	displayOptions: onlyWhenStarting({ fallbackMode: ['json'] }),
	default: '{}',
	placeholder: 'e.g. {"customer_name": "there"}',
	description: 'A flat JSON object of texts',
};

/** The fields of *Inbound Call Starting*, in the order of the screen. */
export const fallbackFields: RuledField[] = [answerWithin, mode, rows, json];

const entered = (context: Context, name: string): unknown => context.getNodeParameter(name, '');

/** What the user entered. @throws {InvalidInput} that names a wrong variable */
function enteredFallback(context: Context): IDataObject {
	if (entered(context, mode.name) === 'json') {
		const text = asText(entered(context, json.name)) || '{}';
		return toCallVariables(json.displayName, JSON.parse(text));
	}
	const content = entered(context, rows.name);
	const pairs = recordsIn(isRecord(content) ? content.variable : []);
	const variables = pairs.map(({ name, value }) => [asText(name).trim(), value]);
	return toCallVariables(rows.displayName, Object.fromEntries(variables));
}

/** The variables that are sent when the workflow gives none. A wrong one is refused by the publish. */
export function readFallback(context: Context): IDataObject {
	try {
		return enteredFallback(context);
	} catch {
		return {};
	}
}

/** How long the workflow may take to answer. */
export const readTimeLimitMs = (context: Context): number =>
	Math.round(Number(entered(context, answerWithin.name)) * 1000);

/**
 * Checks the fields of *Inbound Call Starting* before the trigger is registered.
 *
 * @throws {InvalidInput} that names the first wrong one
 */
export function checkFallback(context: Context): void {
	const values = Object.fromEntries(
		fallbackFields.map(({ name }) => [name, entered(context, name)]),
	);
	const needsValue = ({ name }: RuledField) => ['name', answerWithin.name].includes(name);
	const wrong = findWrongField(fallbackFields, values, needsValue);
	if (!wrong) return void enteredFallback(context);
	const limits = wrong.field === answerWithin && `must be ${describeLimits(answerWithin)}`;
	throw new InvalidInput({
		message: `'${wrong.label}' ${limits || wrong.problem}`,
		nextStep: 'Correct the field.',
	});
}
