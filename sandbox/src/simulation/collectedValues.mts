import type { Random } from '../base/random.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { Call, Variables } from '../store/records.mts';
import { findKind, oneLine, type Phrases } from './phrases.mts';

type Field = Schemas['PostCallField'];
type Value = string | number | boolean;

export interface Conversation {
	call: Call;
	/** When the values are said, in milliseconds since 1970. */
	now: number;
	random: Random;
	phrases: Phrases;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;
const RANGE = /(\d{1,6})\s*(?:to|-|–|bis|and|und)\s*(\d{1,6})(?!\d)/i;

/**
 * Whether a value is about the whole call, so that nobody is asked for it. Every assistant has two such fields by
 * default (public-service.md, "Post-call webhook": S1, S2).
 */
export const isAboutCall = ({ name, type }: Field): boolean =>
	(name === 'status' && type === 'bool') || (name === 'summary' && type === 'string');

/**
 * Has the assistant ask for each value; the ones that are chosen for the call, or by chance.
 *
 * @returns what it has found out, and the lines of the transcript in which it did
 */
export function collectValues(fields: Field[], conversation: Conversation) {
	const { random, call } = conversation;
	const chosen = new Map(Object.entries(call.chosen_values ?? {}));
	const values = new Map<string, Value>();
	const lines = fields.flatMap((field) => {
		const choice = chosen.get(field.name);
		const value = fitsField(field, choice) ? choice : valueFor(field, conversation);
		values.set(field.name, value);
		const { ask, reply } = wording(field, value, conversation);
		const description = oneLine(field.description).replace(/[.:]$/, '') || field.name;
		return [
			`Assistant: ${random.pick(ask).replaceAll('{description}', () => description)}`,
			`Customer: ${random.pick(reply).replaceAll('{value}', () => oneLine(String(value)))}`,
		];
	});
	return { values: Object.fromEntries(values) as Variables, lines };
}

/** Whether a value has the type of a field. */
export function fitsField({ type }: Field, value: unknown): value is Value {
	return typeof value === (type === 'bool' ? 'boolean' : type);
}

/** A text for what somebody asks for, where its words tell: an address, a date, the lead's name. */
export function textForKind(
	kind: string,
	{ call, now, random }: Omit<Conversation, 'phrases'>,
): string | undefined {
	const known = (name: string, otherwise: string): string => {
		const value = call.input_variables[name];
		return typeof value === 'string' && value.trim() !== '' ? value : otherwise;
	};
	switch (kind) {
		case 'phone':
			return call.client_phone_number;
		case 'email':
			return known('email', 'ada@example.com');
		case 'name':
			return known('customer_name', 'Ada Moreno');
		case 'date':
			return workday(now + random.integer(1, 7) * A_DAY_MS);
		case 'time':
			return `${random.integer(10, 17)}:00`;
		default:
			return undefined;
	}
}

/** The day of a time, or the Monday after it: nobody offers an appointment at a weekend. */
function workday(time: number): string {
	const daysToMonday = [1, 0, 0, 0, 0, 0, 2][new Date(time).getUTCDay()] ?? 0;
	return new Date(time + daysToMonday * A_DAY_MS).toISOString().slice(0, 10);
}

function valueFor(field: Field, conversation: Conversation): Value {
	const { random, phrases } = conversation;
	const about = `${field.name} ${field.description}`;
	switch (field.type) {
		case 'bool':
			// Nobody opts out by chance: whoever tries an example would find people left out.
			return random.next() < 0.5 && findKind('bool', about) !== 'opt_out';
		case 'number':
			return numberFor(field, random);
		case 'string': {
			const kind = findKind('string', about);
			const { string } = phrases.questions;
			const texts = string[kind]?.texts ?? string['other']?.texts ?? [''];
			return textForKind(kind, conversation) ?? random.pick(texts);
		}
	}
}

/** From 1 to 10, unless the description has another range: "from 0 to 23". */
function numberFor({ description }: Field, random: Random): number {
	const [, low = 1, high = 10] = (RANGE.exec(description) ?? []).map(Number);
	return low < high ? random.integer(low, high) : random.integer(1, 10);
}

function wording(
	field: Field,
	value: Value,
	{ phrases: { questions, no_answer: noAnswer } }: Conversation,
): { ask: string[]; reply: string[] } {
	if (typeof value === 'number')
		return { ask: questions.number.ask, reply: questions.number.answer };
	const about = `${field.name} ${field.description}`;
	if (typeof value === 'boolean') {
		const { ask = [], yes = [], no = [] } = questions.bool[findKind('bool', about)] ?? {};
		return { ask, reply: value ? yes : no };
	}
	const { ask = [], answer = [] } = questions.string[findKind('string', about)] ?? {};
	return { ask, reply: value.trim() === '' ? noAnswer : answer };
}
