import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../../shared/client/errors';
import { limits } from '../../../../shared/fields/limits';
import { textProblem, type TextRule } from '../../../../shared/fields/textRule';
import { recordsIn } from '../../../../shared/values/json';
import { getLabel } from '../../../fields/fieldLabels';
import type { Field } from '../../../fields/routing';
import type { Generation } from './generation';
import { NEWER_ONLY } from './newerNames';

const { max_silence_duration: olderSilence } = limits.createAssistant;
const { initial_message, post_call_schema: schema } = limits.newerAssistant;

const NAME: TextRule = {
	...schema.name,
	problem: `must have ${schema.name.minLength} to ${schema.name.maxLength} characters: small letters, digits and underscores`,
};

type Problem = [path: string, problem: string | undefined];

const textsOf = (body: IDataObject): Array<[path: string, text: unknown, rule: TextRule]> => [
	['initial_message', body.initial_message, initial_message],
	...recordsIn(body.post_call_schema).flatMap(({ name, description }, index) => [
		[`post_call_schema.${index}.name`, name, NAME] as [string, unknown, TextRule],
		[`post_call_schema.${index}.description`, description, schema.description] as [
			...[string, unknown, TextRule],
		],
	]),
];

const PROBLEMS: Record<Generation, (body: IDataObject) => Problem[]> = {
	newer: (body) =>
		textsOf(body).map(([path, text, rule]) => [
			path,
			typeof text === 'string' ? textProblem(text, rule) : undefined,
		]),
	older: (body) => [
		...NEWER_ONLY.filter((name) => name in body).map((name): Problem => [name, 'cannot be set']),
		['engine_type', body.engine_type === 'dualplex' ? 'cannot be Dualplex' : undefined],
		[
			'max_silence_duration',
			Number(body.max_silence_duration) > olderSilence.maxValue
				? `must be at most ${olderSilence.maxValue}`
				: undefined,
		],
	],
};

/**
 * Checks what only one generation has or takes. The form lets through what one of them takes.
 *
 * @param body in the names of the form
 * @throws {InvalidInput} that names the first field that the provider does not take
 */
export function checkLimits(generation: Generation, body: IDataObject, fields: Field[]): void {
	const [path, problem] = PROBLEMS[generation](body).find(([, text]) => text !== undefined) ?? [];
	if (path === undefined) return;
	const label = getLabel(fields, path);
	throw new InvalidInput({
		message: `'${label}' ${problem} at this provider`,
		nextStep: 'Change it or remove it. Nothing was created or changed.',
		errors: { [label]: [`${problem} at this provider`] },
	});
}
