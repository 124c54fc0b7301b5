/** The parameters behind `?`. */
export interface Query {
	[name: string]: string | number;
}

/** A path with parameters. */
export function withQuery(path: string, query: Query): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) search.set(name, String(value));
	return search.size > 0 ? `${path}?${search.toString()}` : path;
}
