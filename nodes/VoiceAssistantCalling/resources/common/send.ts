import type { INodePropertyRouting } from 'n8n-workflow';

/**
 * How a field goes into the request. An empty field is left out, so that nothing is cleared by
 * accident; JSON and numbers were checked before (transport/checkFields.ts), so they are only
 * converted here: n8n sends what an expression gives as it is, "12" as text, and a text of digits out of
 * a spreadsheet as a number.
 */
const IS_EMPTY = '$value === "" || $value === null || $value === undefined';

const intoBody = (property: string, value: string): INodePropertyRouting => ({
	send: { type: 'body', property, value: `={{ ${value} }}` },
});

/** Text into the JSON body. */
export const sendText = (property: string) =>
	intoBody(property, `${IS_EMPTY} ? undefined : String($value)`);

/** Text into an object of the JSON body; an empty one leaves the whole object as it is. */
export const sendTextIn = (object: string, property: string) =>
	intoBody(object, `${IS_EMPTY} ? undefined : { ${property}: String($value) }`);

/** A number or an id into the JSON body. */
export const sendNumber = (property: string) =>
	intoBody(property, `${IS_EMPTY} ? undefined : Number($value)`);

/** A switch into the JSON body. */
export const sendSwitch = (property: string) =>
	intoBody(property, `${IS_EMPTY} ? undefined : String($value) === "true"`);

/** A JSON field into the JSON body, as an object; an empty one is left out like an empty field. */
export const sendJson = (property: string) =>
	intoBody(
		property,
		`[${IS_EMPTY} ? {} : typeof $value === "string" ? JSON.parse($value) : $value].find((entered) => Object.keys(entered).length > 0)`,
	);

/** One wire entry with the names of the fields, each of them text. */
const TEXTS =
	'Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, String(value)]))';

/**
 * The entries of a list of fields into the JSON body, as an array.
 *
 * @param group name of the fixed collection's group
 * @param entry expression that makes one wire entry of the field values in `entry`
 */
export const sendList = (property: string, group: string, entry = TEXTS) =>
	intoBody(
		property,
		`$value.${group}?.length ? $value.${group}.map((entry) => (${entry})) : undefined`,
	);

/** Name and value pairs into the JSON body, as an object. */
export const sendPairs = (property: string, group: string) =>
	intoBody(
		property,
		`$value.${group}?.length ? Object.fromEntries($value.${group}.map(({ name, value }) => [name, value])) : undefined`,
	);

/**
 * A switch that clears a field on purpose.
 *
 * @param empty what the service takes for "none" (contract: Assistant writable fields)
 */
export const sendEmpty = (property: string, empty: 'null' | '[]' | '{}') =>
	intoBody(property, `String($value) === "true" ? ${empty} : undefined`);

const intoQuery = (property: string, value: string): INodePropertyRouting => ({
	send: { type: 'query', property, value: `={{ ${IS_EMPTY} ? undefined : ${value} }}` },
});

/** Text or an id into the query. */
export const queryText = (property: string) => intoQuery(property, '$value');

/** The day of a date into the query, as it was entered (contract: list calls, `YYYY-MM-DD`). */
export const queryDay = (property: string) =>
	intoQuery(property, 'String($value.toJSON?.() ?? $value).slice(0, 10)');
