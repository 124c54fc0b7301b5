/** What the user may have to remove. The ID is all that a message says of a record. */
export function createdRecord({ body }: { body: unknown }): string {
	const data: unknown = typeof body === 'object' && body !== null && Reflect.get(body, 'data');
	const id: unknown = typeof data === 'object' && data !== null && Reflect.get(data, 'id');
	const isId = typeof id === 'number' || (typeof id === 'string' && /^[\da-f-]{1,40}$/.test(id));
	return isId ? `It may have created or changed the record ${id}.` : 'It named no record.';
}
