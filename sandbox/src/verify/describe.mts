/** A name of a field, a header or a closed list, which is no text of the account. */
const NAME = /^[a-z][a-z0-9_-]{0,39}$/i;

/** Whether a record or a part of one is an object. */
export const isObject = (value: unknown): value is { [name: string]: unknown } =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The type of a value, in words. */
export function typeName(value: unknown): string {
	if (value === null) return 'null';
	if (value === undefined) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	switch (typeof value) {
		case 'string':
			return 'a text';
		case 'number':
			return 'a number';
		case 'boolean':
			return 'true or false';
		default:
			return 'an object';
	}
}

export const isSafeName = (value: string): boolean => NAME.test(value);

/** A name as it is; of anything longer or with other characters, only its length. */
export const safeName = (value: string): string =>
	isSafeName(value) ? value : `a name of ${value.length} characters`;

/** Names, the first ten of them. */
export function safeNames(values: Iterable<string>): string {
	const names = [...new Set(values)].map(safeName);
	const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
	return names.slice(0, 10).join(', ') + more;
}

/** A sentence of the service: as it is if it is one of these, otherwise its length. */
export function safeMessage(value: unknown, known: readonly string[]): string {
	if (typeof value !== 'string') return typeName(value);
	return known.includes(value) ? `"${value}"` : `another text of ${value.length} characters`;
}

/** The names of the fields in `errors` of a response; undefined when it has none. */
export function errorFields(body: unknown): string[] | undefined {
	const errors = isObject(body) ? body['errors'] : undefined;
	return isObject(errors) ? Object.keys(errors) : undefined;
}
