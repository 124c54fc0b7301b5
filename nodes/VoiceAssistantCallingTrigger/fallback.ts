import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toCallVariables } from '../shared/answers/callVariables';
import { InvalidInput } from '../shared/client/errors';
import { findWrongField } from '../shared/fields/findWrongField';
import type { RuledField } from '../shared/fields/textRule';
import { variableRows } from '../shared/fields/variableRows';
import { asText, isRecord, recordsIn } from '../shared/values/json';

type Context = IHookFunctions | IWebhookFunctions;

const displayOptions = { show: { triggerOn: ['inboundCallStarting'] } };

const answerWithin: RuledField = {
	displayName: 'Answer Within (Seconds)',
	name: 'answerWithin',
	type: 'number',
	typeOptions: { minValue: 0.2, maxValue: 10, numberPrecision: 1 },
	// Guides of the service ask for less than two seconds (public-service: Inbound webhook).
	default: 1.8,
	noDataExpression: true,
	displayOptions,
	description:
		'When the answer leaves at the latest, from 0.2 to 10 seconds. The caller hears the phone ring until then.',
};

const fallbackVariables: RuledField = {
	displayName: 'Fallback Variables',
	name: 'fallbackVariables',
	...variableRows,
	displayOptions,
	description:
		'Variables of the call when the workflow fails, gives none, or needs too long. Without them, the call has none.',
};

/** The fields of *Inbound Call Starting*, in the order of the screen. */
export const fallbackFields = [answerWithin, fallbackVariables];

/** How long the workflow may take to answer. */
export const readTimeLimitMs = (context: Context): number =>
	Math.round(Number(context.getNodeParameter(answerWithin.name)) * 1000);

/** The variables that are sent when the workflow gives none. */
function enteredFallback(context: Context): IDataObject {
	const content = context.getNodeParameter(fallbackVariables.name);
	const rows = recordsIn(isRecord(content) ? content.variable : []);
	const variables = rows.map(({ name, value }) => [asText(name).trim(), value]);
	return toCallVariables(fallbackVariables.displayName, Object.fromEntries(variables));
}

/** The body that is sent when the workflow gives none. The publish refuses wrong variables. */
export function readFallbackBody(context: Context): string {
	try {
		return JSON.stringify(enteredFallback(context));
	} catch {
		return '{}';
	}
}

/**
 * Checks the fields of *Inbound Call Starting* before the trigger is registered.
 *
 * @throws {InvalidInput} that names the first wrong one
 */
export function checkFallback(context: Context): void {
	const values: Record<string, unknown> = {};
	for (const { name } of fallbackFields) values[name] = context.getNodeParameter(name);
	const needsValue = ({ name }: RuledField) => ['name', answerWithin.name].includes(name);
	const wrong = findWrongField(fallbackFields, values, needsValue);
	if (!wrong) return void enteredFallback(context);
	throw new InvalidInput({
		message: `'${wrong.label}' ${wrong.problem}`,
		nextStep: 'Correct the field.',
	});
}
