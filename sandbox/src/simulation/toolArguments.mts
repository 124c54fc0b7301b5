import type { Schemas } from '../contract/schemas.mts';
import type { Call, Variables } from '../store/records.mts';
import type { Context } from '../domain/context.mts';

type Parameter = Schemas['ToolParameter'];

const A_DAY_MS = 24 * 60 * 60 * 1000;

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
	const words = `${name} ${description}`.toLowerCase().replaceAll('_', ' ');
	if (/\bphone\b/.test(words)) return call.client_phone_number;
	if (/\be-?mail\b/.test(words)) return 'ada@example.com';
	if (/\b(date|day)\b/.test(words)) {
		return new Date(now + random.integer(1, 7) * A_DAY_MS).toISOString().slice(0, 10);
	}
	if (/\b(time|hour)\b/.test(words)) return `${random.integer(10, 17)}:00`;
	if (/\bname\b/.test(words)) return 'Ada Moreno';
	return `Example: ${description}`;
}
