import type { IDataObject } from 'n8n-workflow';

import { invalidField } from '../../../../shared/client/errors';
import { limits } from '../../../../shared/fields/limits';
import { textProblem, type TextRule } from '../../../../shared/fields/textRule';
import { asText, recordsIn } from '../../../../shared/values/json';
import { getLabel } from '../../../fields/fieldLabels';
import type { Field } from '../../../fields/routing';
import type { Generation } from './generation';
import { NEWER_ONLY } from './newerNames';

type Problem = [path: string, problem: string | undefined];

const { maxValue: maxSilence } = limits.createAssistant.max_silence_duration;
const { initial_message: message, post_call_schema: schema } = limits.newerAssistant;
const NAME: TextRule = {
	...schema.name,
	problem: `must have ${schema.name.minLength} to ${schema.name.maxLength} characters: small letters, digits and underscores`,
};

/** What the form lets through because the other generation takes it. */
const PROBLEMS: Record<Generation, (body: IDataObject) => Problem[]> = {
	older: (body) => [
		...NEWER_ONLY.map((name): Problem => [name, name in body ? 'cannot be set' : undefined]),
		['engine_type', body.engine_type === 'dualplex' ? 'cannot be Dualplex' : undefined],
		[
			'max_silence_duration',
			Number(body.max_silence_duration) > maxSilence ? `must be at most ${maxSilence}` : undefined,
		],
	],
	newer: ({ initial_message: text, post_call_schema: values }) => [
		['initial_message', text === undefined ? text : textProblem(asText(text), message)],
		...recordsIn(values).map(({ name }, index): Problem => [
			`post_call_schema.${index}.name`,
			textProblem(asText(name), NAME),
		]),
	],
};

/**
 * Checks what only one generation has or takes.
 *
 * @param body in the names of the form
 * @param isRefused whether the service has refused the item in the names of the other generation
 * @throws {InvalidInput} that names the first field that the provider does not take
 */
export function checkLimits(
	generation: Generation,
	body: IDataObject,
	fields: Field[],
	isRefused: boolean,
): void {
	const [path, problem] = PROBLEMS[generation](body).find(([, text]) => text !== undefined) ?? [];
	if (path === undefined) return;
	throw invalidField(
		getLabel(fields, path),
		`${problem} at this provider`,
		`Change it or remove it. Nothing was ${isRefused ? 'created or changed' : 'sent for this item'}.`,
	);
}
