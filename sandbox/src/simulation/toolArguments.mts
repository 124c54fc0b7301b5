import type { Schemas } from '../contract/schemas.mts';
import type { Call, Variables } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import { textOfKind } from './collectedValues.mts';
import { kindOf } from './phrases.mts';

type Parameter = Schemas['ToolParameter'];

/** What the customer answers when the assistant asks for the parameters of a tool. */
export function toolArguments(context: Context, schema: Parameter[], call: Call): Variables {
	const { random } = context;
	const value = {
		string: (parameter: Parameter) => textFor(parameter, context, call),
		number: () => random.integer(1, 10),
		boolean: () => random.next() < 0.5,
	};
	return Object.fromEntries(
		schema.map((parameter) => [parameter.name, value[parameter.type](parameter)]),
	);
}

/** A text that suits the words in name and description, so that a workflow can work with it. */
function textFor({ name, description }: Parameter, { now, random }: Context, call: Call): string {
	const kind = kindOf('string', `${name} ${description}`);
	return textOfKind(kind, { call, now, random }) ?? `Example: ${description}`;
}
